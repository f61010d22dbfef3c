/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds for every kernel of the table; test_gpu_parts has what is claimed
 * of some, so that two processors share the work. */
#include "tests/check.h"

extern const struct check_suite suite_gpu_device, suite_gpu_faults,
    suite_kernels_emu, suite_kernels_counted, suite_references,
    suite_kernels_cuda;

static const struct check_suite *const suites[] = {
    &suite_gpu_device,
    &suite_gpu_faults,
    &suite_kernels_emu,
    &suite_references,
    &suite_kernels_cuda,
    &suite_kernels_counted,
    NULL,
};

int main(void) { return check_main(suites); }
