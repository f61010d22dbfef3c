# SPDX-License-Identifier: GPL-3.0-or-later
check_PROGRAMS += tests/test_gpu_models
tests_test_gpu_models_SOURCES = $(files_tests_gpu_algos_models)
tests_test_gpu_models_LDADD = libgpu_models.a $(CUNIT_LIBS) -lm
# CUDA's own formula, as NVIDIA has it in a header: nothing is linked.
tests_test_gpu_models_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_OCCUPANCY_CPPFLAGS)
