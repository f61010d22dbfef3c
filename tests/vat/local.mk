# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_vat
tests_test_vat_LDADD = libvat.a $(vat_LIBS) $(CUNIT_LIBS)
tests_test_vat_SOURCES = \
	tests/check.h \
	tests/vat/main_vat.c \
	tests/vat/reference.c \
	tests/vat/reference.h \
	tests/vat/suites_vat.h \
	tests/vat/test_policies.c \
	tests/vat/test_tree.c
