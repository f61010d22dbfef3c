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
