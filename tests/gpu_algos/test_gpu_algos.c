/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/check.h"

extern const struct check_suite suite_gpu_device, suite_gpu_faults,
    suite_kernels_emu, suite_kernels_counted, suite_references,
    suite_kernel_counts, suite_kernels_cuda, suite_hull_gpu,
    suite_hull_gpu_counted, suite_gpu_sorts, suite_fft_stockham, suite_strings,
    suite_blocks, suite_apsp_gpu, suite_apsp_gpu_counted, suite_forest_gpu,
    suite_forest_gpu_counted, suite_hash_random, suite_hash_random_counted,
    suite_bloom_blastn, suite_facs;

static const struct check_suite *const suites[] = {
    &suite_gpu_device,   &suite_gpu_faults,
    &suite_kernels_emu,  &suite_kernels_counted,
    &suite_references,   &suite_kernel_counts,
    &suite_hull_gpu,     &suite_hull_gpu_counted,
    &suite_gpu_sorts,    &suite_fft_stockham,
    &suite_strings,      &suite_blocks,
    &suite_apsp_gpu,     &suite_apsp_gpu_counted,
    &suite_forest_gpu,   &suite_forest_gpu_counted,
    &suite_hash_random,  &suite_hash_random_counted,
    &suite_bloom_blastn, &suite_facs,
    &suite_kernels_cuda, NULL,
};

int main(void) { return check_main(suites); }
