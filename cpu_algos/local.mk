# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libcpu_algos.a
libcpu_algos_a_SOURCES = \
	cpu_algos/algo.h \
	cpu_algos/algos.c \
	cpu_algos/binary_search.c \
	cpu_algos/bplus.c \
	cpu_algos/bplus.h \
	cpu_algos/bplus_search.c \
	cpu_algos/branch.h \
	cpu_algos/eytzinger.c \
	cpu_algos/eytzinger.h \
	cpu_algos/eytzinger_prefetch.c \
	cpu_algos/eytzinger_search.c \
	cpu_algos/heap.c \
	cpu_algos/heap.h \
	cpu_algos/heapify.c \
	cpu_algos/heapsort.c \
	cpu_algos/introsort.c \
	cpu_algos/keys.c \
	cpu_algos/keys.h \
	cpu_algos/matmul.c \
	cpu_algos/matmul.h \
	cpu_algos/matmul_block.c \
	cpu_algos/matmul_recursive.c \
	cpu_algos/matmul_rows.c \
	cpu_algos/matrix.c \
	cpu_algos/matrix.h \
	cpu_algos/permute.c \
	cpu_algos/queries.c \
	cpu_algos/queries.h \
	cpu_algos/quick.c \
	cpu_algos/quick.h \
	cpu_algos/random.h \
	cpu_algos/random_scan.c \
	cpu_algos/sequential_scan.c \
	cpu_algos/shuffle.c \
	cpu_algos/shuffle.h \
	cpu_algos/transpose.c \
	cpu_algos/transpose.h \
	cpu_algos/transpose_block.c \
	cpu_algos/transpose_morton.c \
	cpu_algos/transpose_recursive.c \
	cpu_algos/transpose_rows.c \
	cpu_algos/veb.c \
	cpu_algos/veb.h \
	cpu_algos/veb_search.c \
	cpu_algos/widths.h
