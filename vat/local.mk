# SPDX-License-Identifier: BSD-2-Clause
noinst_LIBRARIES += libvat.a
libvat_a_SOURCES = \
	vat/tree.c \
	vat/tree.h
vat_LIBS = $(ZSTD_LIBS) $(ZLIB_LIBS) -lm
