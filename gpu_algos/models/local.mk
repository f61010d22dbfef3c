# SPDX-License-Identifier: GPL-3.0-or-later
# Calculators: they need neither a GPU nor CUDA.
noinst_LIBRARIES += libgpu_models.a
libgpu_models_a_SOURCES = $(files_gpu_algos_models)
