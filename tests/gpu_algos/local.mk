# SPDX-License-Identifier: GPL-3.0-or-later
EXTRA_DIST += $(simt_tests) $(simt_counted_tests) \
	tests/gpu_algos/device.h tests/gpu_algos/reduce.h tests/gpu_algos/wrong.h
# The longest first.
check_PROGRAMS += tests/test_gpu_parts tests/test_gpu_algos
# Kernels and what is claimed of them stand in one source, which is compiled as
# the GPU algorithms are.
simt_tests = \
	tests/gpu_algos/simt_suites.cu \
	tests/gpu_algos/test_k_merge.cu \
	tests/gpu_algos/test_simt_diagnoses.cu \
	tests/gpu_algos/test_simt_language.cu
simt_counted_tests = \
	tests/gpu_algos/test_simt_arithmetic.cu \
	tests/gpu_algos/test_simt_checks.cu \
	tests/gpu_algos/test_simt_counts.cu \
	tests/gpu_algos/test_simt_shapes.cu
if EMU
simt_tests_emu = $(simt_tests:.cu=.emu)
simt_tests_groups = tests/gpu_algos/kernels_emu.o
tests/gpu_algos/kernels_emu.o: $(simt_tests_emu)
	$(simt_group_emu) simt_suites simt_suites_emu $(simt_tests_emu)
if EMU_COUNTED
simt_tests_counted = $(simt_tests:.cu=.counted) \
	$(simt_counted_tests:.cu=.counted)
simt_tests_groups += tests/gpu_algos/kernels_counted.o
tests/gpu_algos/kernels_counted.o: $(simt_tests_counted)
	$(simt_group_counted) simt_suites simt_suites_counted \
	  $(simt_tests_counted)
endif
$(simt_tests_emu) $(simt_tests_counted): $(simt_headers) $(gpu_headers) \
	gpu_algos/simt/simt.h tests/check.h tests/gpu_algos/device.h \
	tests/gpu_algos/reduce.h tests/gpu_algos/wrong.h
CLEANFILES += $(simt_tests_emu) $(simt_tests_counted) $(simt_tests_groups)

check_PROGRAMS += tests/test_simt tests/test_simt_ucontext
tests_test_simt_SOURCES = tests/gpu_algos/test_simt.c \
	tests/gpu_algos/test_simt_stacks.c
tests_test_simt_LDADD = $(simt_tests_groups) libsimt.a $(CUNIT_LIBS) $(simt_LIBS)
# The same with the switch that runs where none was written by hand, which takes
# system calls; what counts is the same, and was tested.
check_LIBRARIES = libsimt_ucontext.a
libsimt_ucontext_a_SOURCES = $(simt_sources)
libsimt_ucontext_a_CPPFLAGS = $(AM_CPPFLAGS) -DSIMT_UCONTEXT
tests_test_simt_ucontext_SOURCES = tests/gpu_algos/test_simt.c \
	tests/gpu_algos/test_simt_stacks.c
tests_test_simt_ucontext_CPPFLAGS = $(AM_CPPFLAGS) -DSIMT_UCONTEXT
tests_test_simt_ucontext_LDADD = $(simt_tests_groups) libsimt_ucontext.a \
	$(CUNIT_LIBS) $(simt_LIBS)
endif
tests_test_gpu_algos_SOURCES = \
	tests/gpu_algos/gpu_case.c \
	tests/gpu_algos/gpu_case.h \
	tests/gpu_algos/test_gpu_algos.c \
	tests/gpu_algos/test_gpu_device.c \
	tests/gpu_algos/test_kernels.c \
	tests/gpu_algos/test_references.c
tests_test_gpu_algos_LDADD = $(gpu_LIBS) libgpu_models.a $(CUNIT_LIBS)
tests_test_gpu_parts_SOURCES = \
	tests/gpu_algos/gpu_case.c \
	tests/gpu_algos/gpu_case.h \
	tests/gpu_algos/graph_case.c \
	tests/gpu_algos/graph_case.h \
	tests/gpu_algos/hull_case.c \
	tests/gpu_algos/hull_case.h \
	tests/gpu_algos/test_apsp_gpu.c \
	tests/gpu_algos/test_blocks.c \
	tests/gpu_algos/test_bloom_blastn.c \
	tests/gpu_algos/test_facs.c \
	tests/gpu_algos/test_fft_stockham.c \
	tests/gpu_algos/test_forest_gpu.c \
	tests/gpu_algos/test_gpu_parts.c \
	tests/gpu_algos/test_gpu_sorts.c \
	tests/gpu_algos/test_hash_random.c \
	tests/gpu_algos/test_hull_gpu.c \
	tests/gpu_algos/test_kernel_counts.c \
	tests/gpu_algos/test_strings.c
tests_test_gpu_parts_LDADD = $(gpu_LIBS) libgpu_models.a $(CUNIT_LIBS)
# A million of every kind, which takes too long for each time.
EXTRA_PROGRAMS += tests/test_gpu_large
tests_test_gpu_large_SOURCES = \
	tests/gpu_algos/gpu_case.c \
	tests/gpu_algos/gpu_case.h \
	tests/gpu_algos/hull_case.c \
	tests/gpu_algos/hull_case.h \
	tests/gpu_algos/test_gpu_large.c
tests_test_gpu_large_LDADD = $(gpu_LIBS) $(CUNIT_LIBS)
check-large: tests/test_gpu_large$(EXEEXT)
	tests/test_gpu_large$(EXEEXT)
CLEANFILES += tests/test_gpu_large$(EXEEXT)
# Single kernels and a million of every kind on the GPU; skipped without one.
check-cuda: tests/test_gpu_parts$(EXEEXT) tests/test_gpu_large$(EXEEXT)
	for test in $^; do VAT_TEST_DEVICE=cuda $$test || test $$? = 77 || exit 1; done
