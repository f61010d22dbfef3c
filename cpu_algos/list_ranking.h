/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/list_ranking.h -- ranking linked lists, and what the algorithms
 * that do it have in common.
 *
 * Element i of a list is followed by successors[i], the last one by -1; its
 * rank is how many elements follow it.  Nothing here takes less than one list
 * through all n elements: cpu_list_refuse() tells.
 */
#pragma once
#include <stdint.h>

#include "cpu_algos/algo.h"

void cpu_list_rank(const int64_t *successors, int64_t *ranks, uint64_t n);

struct cpu_list_node {
  struct cpu_list_node *next; /* NULL: the last */
  int64_t rank;
};

/* Rank the n nodes from `first` on; fewer where the list ends before. */
void cpu_list_rank_nodes(struct cpu_list_node *first, uint64_t n);

/* The element that follows none; n > 0. */
uint64_t cpu_list_first(const int64_t *successors, uint64_t n);

/* For algo.setup: the elements in the order of the run's list, the one given
 * or else a random one; and what their ranks are to be, for algo.check. */
void cpu_list_order(const struct algo_run *run, uint64_t *order);
void cpu_list_expect(struct algo_run *run, const uint64_t *order);

/* A share of the number that tells ranks from others: add those of all. */
uint64_t cpu_list_print(uint64_t element, int64_t rank);

/* For algo.check: NULL if `print` is the one expected. */
const char *cpu_list_differs(const struct algo_run *run, uint64_t print);

/* For algo.refuse: NULL for one list through all elements; else a sentence that
 * names an element, counted from 0.  The next call overwrites it. */
const char *cpu_list_refuse(const struct algo_data *given);
