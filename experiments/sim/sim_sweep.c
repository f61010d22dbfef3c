/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/sizes.h"

static void add_policy(struct sim_sweep *sweep, const char *name) {
  const struct vat_policy *policy = vat_policy_find(name);
  if (!policy)
    exit(fail(VAT_USAGE, "--policy %s: no such policy; see `vat list policies`",
              name));
  for (size_t i = 0; i < sweep->policy_count; i++)
    if (sweep->policies[i] == policy)
      exit(fail(VAT_USAGE, "--policy: %s is named twice", name));
  sweep->policies[sweep->policy_count++] = policy; /* there are fewer */
}

void sim_sweep_policies(struct sim_sweep *sweep, const char *list) {
  sweep->policy_count = 0;
  for (;; list++) {
    size_t length = strcspn(list, ",");
    char *name = strndup(list, length);
    if (!name) exit(fail(VAT_ABSENT, "out of memory"));
    add_policy(sweep, name);
    free(name);
    list += length;
    if (!*list) return;
  }
}

void sim_sweep_nodes(struct sim_sweep *sweep, const char *list) {
  struct sizes sizes = {0};
  char error[200];
  sweep->node_count = 1;
  if (!strpbrk(list, ",:")) {
    *sweep->nodes = tree_option_number("tc-nodes", list, 1, INT64_MAX);
    return;
  }
  if (sizes_parse(list, &sizes, error, sizeof error))
    exit(fail(VAT_USAGE, "--tc-nodes: %s", error));
  if (!*sizes.at || sizes.at[sizes.count - 1] > INT64_MAX)
    exit(fail(VAT_USAGE, "--tc-nodes %s: not numbers from 1 to %lld", list,
              (long long)INT64_MAX));
  if (sizes.count > SIM_SWEEP_MOST)
    exit(fail(VAT_USAGE,
              "--tc-nodes %s: %zu sizes, and %d are the most; "
              "--all-w has every W in one pass",
              list, sizes.count, SIM_SWEEP_MOST));
  memcpy(sweep->nodes, sizes.at, sizes.count * sizeof *sizes.at);
  sweep->node_count = sizes.count;
  free(sizes.at);
}

size_t sim_sweep_points(const struct sim_sweep *sweep) {
  return sweep->policy_count * sweep->node_count * sweep->trees.count;
}
