/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_sweep.h -- several simulations of one trace: policies,
 * sizes of the translation cache and trees, each with each.
 *
 * Points are numbered as printed: by policy, then by W, then by tree.
 */
#ifndef EXPERIMENTS_SIM_SIM_SWEEP_H
#define EXPERIMENTS_SIM_SIM_SWEEP_H
#include <stddef.h>
#include <stdint.h>

#include "experiments/cli/shard.h"
#include "experiments/sim/tree_options.h"
#include "vat/policy.h"

enum { SIM_SWEEP_MOST = 64 };

struct sim_sweep {
  const struct vat_policy *policies[SIM_SWEEP_MOST];
  uint64_t nodes[SIM_SWEEP_MOST]; /* W */
  struct trees trees;
  size_t policy_count, node_count;
  struct shard shard; /* which points are simulated */
};

/* The values of --policy and --tc-nodes, lists.  Each exits where one is bad.
 */
void sim_sweep_policies(struct sim_sweep *sweep, const char *list);
void sim_sweep_nodes(struct sim_sweep *sweep, const char *list);

size_t sim_sweep_points(const struct sim_sweep *sweep);
#endif
