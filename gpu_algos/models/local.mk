# SPDX-License-Identifier: GPL-3.0-or-later
# Calculators: they need neither a GPU nor CUDA.
noinst_LIBRARIES += libgpu_models.a
libgpu_models_a_SOURCES = \
	gpu_algos/models/bank_load.c \
	gpu_algos/models/bank_load.h \
	gpu_algos/models/gpu_arch.h \
	gpu_algos/models/gpu_archs.c \
	gpu_algos/models/gpu_counts.h \
	gpu_algos/models/gpu_model.h \
	gpu_algos/models/gpu_models.c \
	gpu_algos/models/maxsum.c \
	gpu_algos/models/maxsum.h \
	gpu_algos/models/maxsum_cases.c \
	gpu_algos/models/warp_io.c
