/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_sweep.h"

#include "experiments/cli/command.h"
#include "experiments/cli/option_values.h"

static int add_policy(void *at, const char *option, const char *name) {
  struct sim_sweep *sweep = at;
  const struct vat_policy *policy = vat_policy_find(name);
  if (!policy)
    return fail(VAT_USAGE, "--%s %s: no such policy; see `vat list policies`",
                option, name);
  for (size_t i = 0; i < sweep->policy_count; i++)
    if (sweep->policies[i] == policy)
      return fail(VAT_USAGE, "--%s: %s is named twice", option, name);
  sweep->policies[sweep->policy_count++] = policy; /* there are fewer */
  return VAT_OK;
}

int sim_sweep_policies(void *at, const char *option, const char *list) {
  struct sim_sweep *sweep = at;
  sweep->policy_count = 0;
  return option_items(at, option, list, add_policy);
}

size_t sim_sweep_points(const struct sim_sweep *sweep) {
  return sweep->policy_count * sweep->nodes.count * sweep->trees.count;
}
