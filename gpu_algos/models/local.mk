# SPDX-License-Identifier: GPL-3.0-or-later
# Calculators: they need neither a GPU nor CUDA.
noinst_LIBRARIES += libgpu_models.a
libgpu_models_a_SOURCES = \
	gpu_algos/models/bank_load.c \
	gpu_algos/models/bank_load.h \
	gpu_algos/models/bloom_rate.c \
	gpu_algos/models/bloom_rate.h \
	gpu_algos/models/calibrated.c \
	gpu_algos/models/calibrated.h \
	gpu_algos/models/calibrated_sheets.c \
	gpu_algos/models/gpu_arch.h \
	gpu_algos/models/gpu_archs.c \
	gpu_algos/models/gpu_counts.h \
	gpu_algos/models/gpu_model.h \
	gpu_algos/models/gpu_models.c \
	gpu_algos/models/integrated.c \
	gpu_algos/models/integrated.h \
	gpu_algos/models/integrated_sheets.c \
	gpu_algos/models/maxsum.c \
	gpu_algos/models/maxsum.h \
	gpu_algos/models/maxsum_cases.c \
	gpu_algos/models/sheet.c \
	gpu_algos/models/sheet.h \
	gpu_algos/models/tmm.c \
	gpu_algos/models/tmm.h \
	gpu_algos/models/tmm_algo.c \
	gpu_algos/models/tmm_algo.h \
	gpu_algos/models/tmm_algos.c \
	gpu_algos/models/tmm_formula.h \
	gpu_algos/models/tmm_machines.c \
	gpu_algos/models/tmm_tables.c \
	gpu_algos/models/warp_io.c
