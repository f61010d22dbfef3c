# SPDX-License-Identifier: BSD-2-Clause
noinst_LIBRARIES += libvat.a
libvat_a_SOURCES = \
	vat/event_set.c \
	vat/event_set.h \
	vat/foresight.c \
	vat/foresight.h \
	vat/future.c \
	vat/future.h \
	vat/islru.c \
	vat/ismin.c \
	vat/lru.c \
	vat/min.c \
	vat/node_map.c \
	vat/node_map.h \
	vat/node_set.c \
	vat/node_set.h \
	vat/policies.c \
	vat/policy.h \
	vat/recency.c \
	vat/recency.h \
	vat/short_list.c \
	vat/short_list.h \
	vat/spool.c \
	vat/spool.h \
	vat/tc.c \
	vat/tc.h \
	vat/tree.c \
	vat/tree.h
vat_LIBS = $(ZSTD_LIBS) $(ZLIB_LIBS) -lm
