/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/vat/nested_fixture.h -- random instances of nested translation. */
#pragma once
#include <stdbool.h>

#include "vat/nested.h"
#include "vat/policy.h"

enum { NESTED_ADDRESSES = 24, NESTED_HUGE_TC = 1 << 20 };

struct nested_trace {
  struct vat_nested_options o;
  uint64_t addresses[NESTED_ADDRESSES];
  size_t count;
};

extern uint64_t nested_seed;
uint64_t nested_below(uint64_t m);

/* Small trees, where one's pages may be larger than the other's, a table at
 * its default place or anywhere, or all scattered over a memory, and up to
 * NESTED_ADDRESSES addresses. */
void nested_random(struct nested_trace *t);

/* From what the policy needs to more than a translation accesses. */
uint64_t nested_random_nodes(const struct vat_nested_options *o,
                             const struct vat_tree *tree);

bool nested_supported(const struct vat_policy *policy,
                      enum vat_nested_mode mode);

/* The errno of vat_nested_create(); 0 if nothing is refused. */
int nested_refusal(const struct vat_nested_options *o);

/* Translate, in blocks of odd sizes, which must not matter. */
void nested_run(const struct vat_nested_options *o, const uint64_t *addresses,
                size_t count, struct vat_tc_counts *guest,
                struct vat_tc_counts *host);

/* Does it give what reference_nested.h does, or has that no answer? */
bool nested_agrees(const struct nested_trace *t);
