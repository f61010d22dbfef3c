# SPDX-License-Identifier: BSD-2-Clause
noinst_LIBRARIES += libhuge_pages.a
libhuge_pages_a_SOURCES =
huge_pages_LIBS = $(HUGETLBFS_LIBS) $(JEMALLOC_LIBS)
