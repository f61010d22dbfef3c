/* SPDX-License-Identifier: BSD-2-Clause */
/* A TC is its policy's state behind the intake of pages. */
#include "vat/tc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "vat/intake.h"
#include "vat/policy.h"

struct vat_tc {
  const struct vat_policy *policy;
  void *state;
  enum vat_tc_free free;
  uint64_t misses[VAT_LAYERS_MAX];
  struct intake intake;
};

struct vat_tc *vat_tc_create(const struct vat_policy *policy,
                             const struct vat_tree *tree, uint64_t nodes,
                             const struct vat_tc_options *options) {
  static const struct vat_tc_options none;
  if (vat_tree_check(tree)) return NULL;
  /* NULL: of vat_policy_find() within the call, as libvat(3) has it. */
  if (!policy || nodes < vat_policy_least_nodes(policy, tree)) {
    errno = EINVAL;
    return NULL;
  }
  struct vat_tc *tc = calloc(1, sizeof *tc);
  if (!tc) return NULL;
  tc->policy = policy;
  if (vat_intake_init(&tc->intake, tree, options)) {
    free(tc);
    return NULL;
  }
  tc->intake.repeats_kept = UINT_MAX;
  if (policy->collapse_from && nodes >= policy->collapse_from(tree))
    tc->intake.repeats_kept = 1;
  if (policy->repeats_free_from && nodes >= policy->repeats_free_from(tree))
    tc->intake.repeats_kept = 0;
  if (!tc->intake.repeats_kept) tc->free = VAT_TC_REPEATS_FREE;
  if (policy->pairs_free_from && nodes >= policy->pairs_free_from(tree))
    tc->free = VAT_TC_PAIRS_FREE;
  tc->state =
      policy->create(tree, nodes, options ? options : &none, tc->misses);
  if (tc->state) return tc;
  vat_intake_fini(&tc->intake);
  free(tc);
  return NULL;
}

void vat_tc_destroy(struct vat_tc *tc) {
  if (!tc) return;
  tc->policy->destroy(tc->state);
  vat_intake_fini(&tc->intake);
  free(tc);
}

int vat_tc_pages(struct vat_tc *tc, const uint64_t *pages, size_t count) {
  return vat_intake_feed(&tc->intake, pages, count, 0, tc->policy->translate,
                         tc->state);
}

int vat_tc_addresses(struct vat_tc *tc, const uint64_t *addresses,
                     size_t count) {
  return vat_intake_feed(&tc->intake, addresses, count,
                         tc->intake.tree.page_bits, tc->policy->translate,
                         tc->state);
}

enum vat_tc_free vat_tc_free(const struct vat_tc *tc) { return tc->free; }

void vat_tc_left_out(struct vat_tc *tc, uint64_t translations) {
  tc->intake.translations += translations;
}

int vat_tc_finish(struct vat_tc *tc) {
  return vat_stream_end_finish(&tc->intake.end, tc->policy->finish, tc->state);
}

struct vat_tc_counts vat_tc_counts(const struct vat_tc *tc) {
  struct vat_tc_counts counts = {.translations = tc->intake.translations};
  for (unsigned layer = 0; layer <= tc->intake.tree.levels; layer++) {
    counts.misses_by_layer[layer] = tc->misses[layer];
    counts.misses += tc->misses[layer];
  }
  return counts;
}
