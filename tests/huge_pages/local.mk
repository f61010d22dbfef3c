# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_huge_pages
tests_test_huge_pages_SOURCES = \
	tests/huge_pages/fake_machine.c \
	tests/huge_pages/fake_machine.h \
	tests/huge_pages/huge_pages_runner.c \
	tests/huge_pages/huge_pages_suites.h \
	tests/huge_pages/test_arena.c \
	tests/huge_pages/test_available_memory.c \
	tests/huge_pages/test_kernel_files.c \
	tests/huge_pages/test_page_kinds.c \
	tests/huge_pages/test_pool.c \
	tests/huge_pages/test_pool_real.c \
	tests/huge_pages/test_pool_resize.c \
	tests/huge_pages/test_region.c \
	tests/huge_pages/test_size_text.c \
	tests/huge_pages/test_smaps.c
tests_test_huge_pages_CPPFLAGS = $(AM_CPPFLAGS) \
	-DHP_TEST_DATA='"$(abs_srcdir)/tests/huge_pages/data"'
tests_test_huge_pages_LDADD = libhuge_pages.a $(huge_pages_LIBS) $(CUNIT_LIBS)
EXTRA_DIST += \
	tests/huge_pages/data/1g.smaps \
	tests/huge_pages/data/2m.smaps \
	tests/huge_pages/data/4k.smaps \
	tests/huge_pages/data/mixed.smaps \
	tests/huge_pages/data/thp.smaps
