/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/what_if_terms.h"

#include <stddef.h>

const struct term what_if_terms[] = {
    [WHAT_IF_OVERLAP] = {"overlap",
                         "a miss waits only for what its address depends on; "
                         "without it, for the miss before it"},
    [WHAT_IF_EARLY] = {"early-misses",
                       "misses on a mispredicted path start early, as many as "
                       "explain the measured time; without it, none do"},
    [WHAT_IF_PACE] = {"pace",
                      "a program that loads more lines keeps more of a shared "
                      "cache, and its walks run at once; without it, a walk "
                      "takes as long as in a pointer chase"},
    [WHAT_IF_TRAFFIC] = {"traffic",
                         "data that the program loads evict lines of page "
                         "tables; without it, no more than those of a pointer "
                         "chase"},
    [WHAT_IF_PAGE_FAULTS] = {"page-faults",
                             "page faults take user time; without it, none"},
    {0}};
