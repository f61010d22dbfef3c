/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/gpu_algos/hull_case.h -- a hull by warps beside those of the processor.
 */
#pragma once
#include "tests/gpu_algos/gpu_case.h"

/* Run c on what is set up in `run`: the answer has to be that of hull2d and of
 * andrew_hull, or those of floats, vertex by vertex. */
void hull_case_expect_as_on_processor(const struct gpu_case *c,
                                      struct algo_run *run);

/* On a generated input. */
void hull_case_expect_right(const struct gpu_case *c);
