# SPDX-License-Identifier: BSD-2-Clause
noinst_LIBRARIES += libhuge_pages.a
libhuge_pages_a_SOURCES = \
	huge_pages/arena.h \
	huge_pages/available_memory.c \
	huge_pages/available_memory.h \
	huge_pages/base_pages.c \
	huge_pages/guarded_map.c \
	huge_pages/guarded_map.h \
	huge_pages/guardian.c \
	huge_pages/guardian.h \
	huge_pages/hugetlb_pages.c \
	huge_pages/kernel_files.c \
	huge_pages/kernel_files.h \
	huge_pages/kind_list.h \
	huge_pages/page_kind.h \
	huge_pages/page_kinds.c \
	huge_pages/pool.c \
	huge_pages/pool.h \
	huge_pages/pool_resize.c \
	huge_pages/pool_resize.h \
	huge_pages/region.c \
	huge_pages/region.h \
	huge_pages/size_text.c \
	huge_pages/size_text.h \
	huge_pages/smaps.c \
	huge_pages/smaps.h \
	huge_pages/smaps_mapping.c \
	huge_pages/smaps_mapping.h \
	huge_pages/thp_pages.c
if HAVE_JEMALLOC
libhuge_pages_a_SOURCES += huge_pages/arena.c
else
libhuge_pages_a_SOURCES += huge_pages/arena_absent.c
endif
huge_pages_LIBS = $(HUGETLBFS_LIBS) $(JEMALLOC_LIBS)
