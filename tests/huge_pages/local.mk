# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_huge_pages
tests_test_huge_pages_SOURCES = $(files_tests_huge_pages)
tests_test_huge_pages_CPPFLAGS = $(AM_CPPFLAGS) \
	-DHP_TEST_DATA='"$(abs_srcdir)/tests/huge_pages/data"'
tests_test_huge_pages_LDADD = libhuge_pages.a $(huge_pages_LIBS) $(CUNIT_LIBS)
EXTRA_DIST += \
	tests/huge_pages/data/1g.smaps \
	tests/huge_pages/data/2m.smaps \
	tests/huge_pages/data/4k.smaps \
	tests/huge_pages/data/mixed.smaps \
	tests/huge_pages/data/thp.smaps
EXTRA_DIST += tests/huge_pages/test_thp_alone.sh
TESTS += tests/huge_pages/test_thp_alone.sh
