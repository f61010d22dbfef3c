/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/lists/lists.h -- lists and their ranks on the host.
 *
 * A workspace begins with arrays of n words: the successors, UINT32_MAX behind
 * the last element; the ranks; and two in which an algorithm keeps what it
 * likes, but in this order, as the answer takes their place.
 */
#pragma once
#include "cpu_algos/algo.h"

/* For algo.setup, when all else is as restore leaves it; algo.check; and
 * algo.answer. */
void gpu_list_setup(struct algo_run *run);
const char *gpu_list_check(const struct algo_run *run);
void gpu_list_answer(const struct algo_run *run, struct algo_data *answer);
