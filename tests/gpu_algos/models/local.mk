# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_gpu_models
tests_test_gpu_models_SOURCES = \
	tests/gpu_algos/models/test_bank_load.c \
	tests/gpu_algos/models/test_calibrated.c \
	tests/gpu_algos/models/test_gpu_models.c \
	tests/gpu_algos/models/test_maxsum.c \
	tests/gpu_algos/models/test_maxsum_cases.c \
	tests/gpu_algos/models/test_occupancy.c \
	tests/gpu_algos/models/test_tmm.c \
	tests/gpu_algos/models/test_tmm_algos.c \
	tests/gpu_algos/models/test_warp_io.c
tests_test_gpu_models_LDADD = libgpu_models.a $(CUNIT_LIBS) -lm
# CUDA's own formula, as NVIDIA has it in a header: nothing is linked.
tests_test_gpu_models_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_OCCUPANCY_CPPFLAGS)
