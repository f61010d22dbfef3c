# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libcpu_algos.a
libcpu_algos_a_SOURCES = $(files_cpu_algos)
if HAVE_STDSORT
libcpu_algos_a_SOURCES += \
	cpu_algos/std_sort.c \
	cpu_algos/std_sort.h \
	cpu_algos/std_sort_keys.cc
libcpu_algos_a_CXXFLAGS = $(AM_CXXFLAGS) $(STD_SORT_CXXFLAGS)
endif
