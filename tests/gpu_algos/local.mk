# SPDX-License-Identifier: GPL-3.0-or-later
if EMU
# Kernels and what is claimed of them stand in one source, which is compiled as
# the GPU algorithms are.
simt_tests = \
	tests/gpu_algos/test_simt_language.cu
EXTRA_DIST += $(simt_tests)
simt_tests_emu = $(simt_tests:.cu=.emu)
$(simt_tests_emu): $(simt_headers) tests/check.h
tests/gpu_algos/kernels_emu.o: $(simt_tests_emu)
	$(simt_group_emu) simt_suites simt_suites_emu $(simt_tests_emu)
CLEANFILES += $(simt_tests_emu) tests/gpu_algos/kernels_emu.o

check_PROGRAMS += tests/test_simt
tests_test_simt_SOURCES = tests/gpu_algos/test_simt.c
tests_test_simt_LDADD = tests/gpu_algos/kernels_emu.o libsimt.a \
	$(CUNIT_LIBS) $(simt_LIBS)
endif
check_PROGRAMS += tests/test_gpu_algos
tests_test_gpu_algos_SOURCES = \
	tests/gpu_algos/gpu_case.c \
	tests/gpu_algos/gpu_case.h \
	tests/gpu_algos/test_gpu_algos.c \
	tests/gpu_algos/test_gpu_device.c \
	tests/gpu_algos/test_kernel_counts.c \
	tests/gpu_algos/test_kernels.c \
	tests/gpu_algos/test_references.c
tests_test_gpu_algos_LDADD = $(gpu_LIBS) $(CUNIT_LIBS)
