/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/vat/policy_fixture.h -- small streams of pages and what policies make
 * of them. */
#pragma once
#include "tests/check.h"
#include "vat/policy.h"

enum { PAGES = 64 };

struct trace {
  struct vat_tree tree;
  uint64_t pages[PAGES];
  size_t count;
};

extern uint64_t random_state; /* each test sets it: its seed */
uint64_t below(uint64_t m);

/* A tree of at most 2^12 pages and a stream with some locality: uniform, a
 * walk, or returns to pages seen before; repeats included. */
void random_trace(struct trace *t);

/* K = 2^k, height d. */
struct trace trace_of(unsigned k, unsigned d, size_t count,
                      const uint64_t *pages);

/* Fed in blocks of odd sizes, which must not matter; `options` as for
 * vat_tc_create(). */
struct vat_tc_counts counts_with(const struct trace *t,
                                 const struct vat_policy *policy,
                                 uint64_t nodes,
                                 const struct vat_tc_options *options);
struct vat_tc_counts counts_of(const struct trace *t,
                               const struct vat_policy *policy, uint64_t nodes);
uint64_t misses_of(const struct trace *t, const char *policy, uint64_t nodes);

/* Print what a test failed on. */
void report(const struct trace *t, const char *what, uint64_t nodes);
