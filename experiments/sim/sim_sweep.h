/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_sweep.h -- several simulations of one trace: policies,
 * sizes of the translation cache and trees, each with each.
 *
 * Points are numbered as printed: by policy, then by W, then by tree.
 */
#pragma once
#include <stddef.h>

#include "experiments/cli/numbers.h"
#include "experiments/cli/shard.h"
#include "experiments/sim/tree_options.h"
#include "vat/policy.h"

enum { SIM_SWEEP_MOST = 64 };

struct sim_sweep {
  const struct vat_policy *policies[SIM_SWEEP_MOST];
  size_t policy_count;
  struct sizes nodes; /* W */
  struct trees trees;
  struct shard shard; /* which points are simulated */
};

/* The value of --policy, a list, into the struct sim_sweep `at`. */
int sim_sweep_policies(void *at, const char *option, const char *list);

size_t sim_sweep_points(const struct sim_sweep *sweep);
