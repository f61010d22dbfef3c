# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_cpu_algos
tests_test_cpu_algos_SOURCES = \
	tests/cpu_algos/dft.h \
	tests/cpu_algos/hulls.c \
	tests/cpu_algos/hulls.h \
	tests/cpu_algos/matrices.h \
	tests/cpu_algos/patterns.c \
	tests/cpu_algos/patterns.h \
	tests/cpu_algos/test_algos.c \
	tests/cpu_algos/test_apsp.c \
	tests/cpu_algos/test_bloom.c \
	tests/cpu_algos/test_cpu_algos.c \
	tests/cpu_algos/test_extremes.c \
	tests/cpu_algos/test_fft.c \
	tests/cpu_algos/test_given.c \
	tests/cpu_algos/test_graph.c \
	tests/cpu_algos/test_heap.c \
	tests/cpu_algos/test_histogram.c \
	tests/cpu_algos/test_hull.c \
	tests/cpu_algos/test_keys.c \
	tests/cpu_algos/test_list_ranking.c \
	tests/cpu_algos/test_matmul.c \
	tests/cpu_algos/test_matrix.c \
	tests/cpu_algos/test_orient.c \
	tests/cpu_algos/test_points.c \
	tests/cpu_algos/test_parameters.c \
	tests/cpu_algos/test_parts.c \
	tests/cpu_algos/test_quick.c \
	tests/cpu_algos/test_random.c \
	tests/cpu_algos/test_searches.c \
	tests/cpu_algos/test_shares.c \
	tests/cpu_algos/test_shuffle.c \
	tests/cpu_algos/test_suffix_array.c \
	tests/cpu_algos/test_transpose.c \
	tests/cpu_algos/workspace.h
tests_test_cpu_algos_LDADD = libcpu_algos.a $(CUNIT_LIBS) -lm
