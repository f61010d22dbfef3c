# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_vat
tests_test_vat_LDADD = libvat.a $(vat_LIBS) $(CUNIT_LIBS)
isp_files = tests/vat/isp_game.c tests/vat/isp_game.h tests/vat/isp_rivals.c \
	tests/vat/isp_symmetry.c
tests_test_vat_SOURCES = $(files_tests_vat) $(isp_files)
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

# How many more cells initial segments need, on request: some minutes.
EXTRA_PROGRAMS += tests/isp_advantage tests/isp_search
CLEANFILES += tests/isp_advantage$(EXEEXT) tests/isp_search$(EXEEXT)
tests_isp_advantage_SOURCES = tests/vat/isp_advantage.c $(isp_files)
tests_isp_search_SOURCES = tests/vat/isp_search.c $(isp_files)
tests_isp_search_LDADD = libvat.a $(vat_LIBS)
check-isp: tests/isp_advantage$(EXEEXT) tests/isp_search$(EXEEXT)
	tests/isp_advantage$(EXEEXT)
	tests/isp_search$(EXEEXT)
