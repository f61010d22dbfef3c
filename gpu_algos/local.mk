# SPDX-License-Identifier: GPL-3.0-or-later
include gpu_algos/simt/local.mk
# One source a kernel, compiled for the emulator, plainly and counted, and by
# nvcc for GPUs: NAME.emu, NAME.counted, NAME.cuda.
gpu_headers = \
	gpu_algos/algos.h \
	gpu_algos/blocks.h \
	gpu_algos/device.h \
	gpu_algos/failure.h \
	gpu_algos/fft/signals.h \
	gpu_algos/gpu.h \
	gpu_algos/gpu_algo.h \
	gpu_algos/graph/flag.h \
	gpu_algos/graph/gpu_apsp.h \
	gpu_algos/graph/gpu_edges.h \
	gpu_algos/graph/min_plus.h \
	gpu_algos/hull/begin.h \
	gpu_algos/hull/directions.h \
	gpu_algos/hull/finish.h \
	gpu_algos/hull/hull.h \
	gpu_algos/hull/independent.h \
	gpu_algos/hull/leaf.h \
	gpu_algos/hull/pairs.h \
	gpu_algos/hull/partition.h \
	gpu_algos/hull/pivots.h \
	gpu_algos/hull/plane.h \
	gpu_algos/hull/problems.h \
	gpu_algos/hull/solve.h \
	gpu_algos/hull/split.h \
	gpu_algos/hull/state.h \
	gpu_algos/hull/tile.h \
	gpu_algos/launch.h \
	gpu_algos/lists/lists.h \
	gpu_algos/merge/blocked_merge.h \
	gpu_algos/merge/odd_even.h \
	gpu_algos/merge/shape.h \
	gpu_algos/overlap.h \
	gpu_algos/rows.h \
	gpu_algos/sort/k_merge.h \
	gpu_algos/sort/k_quicksort.h \
	gpu_algos/sort/part_pivots.h \
	gpu_algos/sort/quick_solve.h \
	gpu_algos/sort/quicksort.h \
	gpu_algos/sort/sort_algos.h \
	gpu_algos/sort/sort_keys.h \
	gpu_algos/sort/sort_kinds.h \
	gpu_algos/sort/split_level.h \
	gpu_algos/sort/split_sort.h \
	gpu_algos/sort/split_state.h \
	gpu_algos/sort/two_phase.h \
	gpu_algos/sort/warp_merge.h \
	gpu_algos/sort/warp_partition.h \
	gpu_algos/sort/warp_range.h \
	gpu_algos/sort/warp_sort.h \
	gpu_algos/strings/suffixes.h \
	gpu_algos/strings/texts.h \
	gpu_algos/strings/tree.h \
	gpu_algos/warp/block_prefix.h \
	gpu_algos/warp/lanes.h \
	gpu_algos/warp/part_in_place.h \
	gpu_algos/warp/pool.h \
	gpu_algos/words.h
# First what takes nvcc longest, up to minutes, so that it is not last and alone.
gpu_sources = \
	gpu_algos/two_phase_merge_sort.cu \
	gpu_algos/k_quicksort.cu \
	gpu_algos/k_merge.cu \
	gpu_algos/k_partition.cu \
	gpu_algos/quicksort_gpu.cu \
	gpu_algos/hull_gpu.cu \
	gpu_algos/algos.cu \
	gpu_algos/apsp_matmul.cu \
	gpu_algos/bank_conflicts.cu \
	gpu_algos/bellman_ford.cu \
	gpu_algos/bloom_blastn.cu \
	gpu_algos/coalescing.cu \
	gpu_algos/connected_components.cu \
	gpu_algos/copy.cu \
	gpu_algos/device.cu \
	gpu_algos/facs.cu \
	gpu_algos/fft_stockham.cu \
	gpu_algos/hash_random.cu \
	gpu_algos/histogram_shared.cu \
	gpu_algos/johnson_array.cu \
	gpu_algos/johnson_heap.cu \
	gpu_algos/list_ranking_hj.cu \
	gpu_algos/list_ranking_wyllie.cu \
	gpu_algos/matmul_tiled.cu \
	gpu_algos/merge.cu \
	gpu_algos/merge_sort.cu \
	gpu_algos/mst_boruvka.cu \
	gpu_algos/odd_even_sort.cu \
	gpu_algos/random_window.cu \
	gpu_algos/reduce.cu \
	gpu_algos/scan.cu \
	gpu_algos/suffix_array.cu \
	gpu_algos/suffix_tree.cu
EXTRA_DIST += $(gpu_headers) $(gpu_sources)
# Of what lies in memory both on the processor and on devices.
gpu_shared_headers = cpu_algos/algo.h cpu_algos/blastn.h cpu_algos/facs.h
noinst_LIBRARIES += libgpu_algos.a
libgpu_algos_a_SOURCES = \
	gpu_algos/blocks.c \
	gpu_algos/failure.c \
	gpu_algos/fft/signals.c \
	gpu_algos/graph/gpu_apsp.c \
	gpu_algos/graph/gpu_edges.c \
	gpu_algos/lists/lists.c \
	gpu_algos/sort/sort_keys.c \
	gpu_algos/strings/find.c \
	gpu_algos/strings/suffixes.c \
	gpu_algos/strings/texts.c \
	gpu_algos/strings/tree.c \
	gpu_algos/words.c
gpu_objects =
if EMU
gpu_emu = $(gpu_sources:.cu=.emu)
$(gpu_emu): $(gpu_headers) $(simt_headers) $(gpu_shared_headers)
gpu_algos/set_emu.o: $(gpu_emu)
	$(simt_group_emu) gpu_emu_set gpu_emu_set $(gpu_emu)
gpu_objects += gpu_algos/set_emu.o
CLEANFILES += $(gpu_emu) gpu_algos/set_emu.o
endif
if EMU_COUNTED
gpu_counted = $(gpu_sources:.cu=.counted)
$(gpu_counted): $(gpu_headers) $(simt_headers) $(gpu_shared_headers)
gpu_algos/set_counted.o: $(gpu_counted)
	$(simt_group_counted) gpu_counted_set gpu_counted_set $(gpu_counted)
gpu_objects += gpu_algos/set_counted.o
CLEANFILES += $(gpu_counted) gpu_algos/set_counted.o
endif
if HAVE_CUDA
SUFFIXES += .cuda
nvcc_compile = $(NVCC) $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(CPPFLAGS) -std=c++20 $(NVCCFLAGS)
.cu.cuda:
	@$(MKDIR_P) $(@D)
	$(AM_V_CXX)$(nvcc_compile) -x cu -c -o $@ $<
gpu_cuda = $(gpu_sources:.cu=.cuda)
$(gpu_cuda): $(gpu_headers) $(gpu_shared_headers)
gpu_objects += $(gpu_cuda)
CLEANFILES += $(gpu_cuda)
endif
# What a program has that runs them, behind what calls them.
gpu_LIBS = $(gpu_objects) libgpu_algos.a libsimt.a libcpu_algos.a $(simt_LIBS) $(DIVSUFSORT_LIBS) $(CUDA_LIBS)
