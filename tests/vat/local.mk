# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_vat
tests_test_vat_LDADD = libvat.a $(vat_LIBS) $(CUNIT_LIBS)
tests_test_vat_SOURCES = $(files_tests_vat)
tests_test_vat_CPPFLAGS = $(AM_CPPFLAGS) \
	-DVAT_TEST_DATA='"$(abs_srcdir)/tests/vat/data"'
EXTRA_DIST += \
	tests/vat/data/sample.champsim \
	tests/vat/data/sample.champsim.expected \
	tests/vat/data/sample.drmemtrace-bin \
	tests/vat/data/sample.drmemtrace-bin.expected \
	tests/vat/data/sample.drmemtrace-view \
	tests/vat/data/sample.drmemtrace-view.expected \
	tests/vat/data/sample.lackey \
	tests/vat/data/sample.lackey.expected \
	tests/vat/data/sample.perf \
	tests/vat/data/sample.perf.expected \
	tests/vat/data/sample.text \
	tests/vat/data/sample.text.expected
