/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/policies.c -- the one table of policies, a line is a file; the first is
 * the default. */
#include <errno.h>
#include <string.h>

#include "vat/policy.h"

#define POLICIES(X) \
  X(islru)          \
  X(lru)            \
  X(min)            \
  X(ismin)          \
  X(rrmin)          \
  X(lis)            \
  X(fifo)           \
  X(clock)          \
  X(random)         \
  X(plru)

#define DECLARE(name) extern const struct vat_policy vat_policy_##name;
#define LIST(name) &vat_policy_##name,

POLICIES(DECLARE)

const struct vat_policy *const vat_policies[] = {POLICIES(LIST) NULL};

const struct vat_policy *vat_policy_find(const char *name) {
  for (size_t i = 0; vat_policies[i]; i++)
    if (!strcmp(vat_policies[i]->name, name)) return vat_policies[i];
  errno = EINVAL;
  return NULL;
}

uint64_t vat_policy_least_nodes(const struct vat_policy *policy,
                                const struct vat_tree *tree) {
  return policy->least_nodes ? policy->least_nodes(tree) : 1;
}

uint64_t vat_policy_cells(const struct vat_policy *policy,
                          const struct vat_tree *tree, uint64_t nodes) {
  return policy->cells ? policy->cells(tree, nodes) : nodes;
}
