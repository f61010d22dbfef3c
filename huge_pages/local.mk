# SPDX-License-Identifier: BSD-2-Clause
noinst_LIBRARIES += libhuge_pages.a
libhuge_pages_a_SOURCES = $(files_huge_pages)
if HAVE_JEMALLOC
libhuge_pages_a_SOURCES += huge_pages/arena.c
else
libhuge_pages_a_SOURCES += huge_pages/arena_absent.c
endif
huge_pages_LIBS = $(HUGETLBFS_LIBS) $(JEMALLOC_LIBS)
