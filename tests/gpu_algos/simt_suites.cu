// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu_algos/device.h"

extern "C" {
extern const struct check_suite suite_k_merge;
extern const struct check_suite suite_simt_arithmetic;
extern const struct check_suite suite_simt_checks;
extern const struct check_suite suite_simt_counts;
extern const struct check_suite suite_simt_diagnoses;
extern const struct check_suite suite_simt_language;
extern const struct check_suite suite_simt_shapes;

extern const struct check_suite *const simt_suites[];
const struct check_suite *const simt_suites[] = {
    &suite_simt_language,
    &suite_simt_diagnoses,
    &suite_k_merge,
#ifdef SIMT_COUNTED
    &suite_simt_counts,
    &suite_simt_arithmetic,
    &suite_simt_checks,
    &suite_simt_shapes,
#endif
    NULL,
};
}
