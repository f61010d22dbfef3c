/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_request.h -- what `vat sim` is asked to simulate. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "experiments/cli/numbers.h"
#include "experiments/sim/sim_layout.h"
#include "experiments/sim/tau_option.h"
#include "experiments/sim/tree_options.h"
#include "experiments/stream/stream.h"
#include "vat/classify.h"
#include "vat/mixed_tlb.h"
#include "vat/nested.h"
#include "vat/one_cache.h"
#include "vat/parallel.h"
#include "vat/policy.h"
#include "vat/table.h"

/* Several simulations of one trace: policies, sizes of the translation cache,
 * trees and sizes of the guest's memory, each with each.  Points are numbered
 * as printed: by policy, then by W, by tree, and by memory. */
enum { SIM_SWEEP_MOST = 64 };

struct sim_sweep {
  const struct vat_policy *policies[SIM_SWEEP_MOST];
  size_t policy_count;
  struct sizes nodes; /* W */
  struct trees trees;
  struct sizes memories; /* of the guest, in bytes; none: a point with 0 */
  struct shard shard;    /* which points are simulated */
};

/* A tree whose `levels` are 0 gets the least that hold the trace. */
struct sim_request {
  struct option_words words; /* as typed: */
  const char *trace;         /* a path; "-": standard input; NULL: `stream` */
  struct stream stream;
  const char *format; /* NULL: found out */
  const struct vat_policy *policy;
  struct vat_tree tree;
  struct sim_layout layout;
  uint64_t policy_seed;       /* of a policy that draws */
  bool policy_seeded;         /* it was given */
  uint64_t nodes;             /* W */
  struct tau tau;             /* not given: no costs */
  struct mixed_tlb_shape tlb; /* instead; no first level: a TC */
  bool table;                 /* hashed, instead of the tree: */
  enum vat_table_kind table_kind;
  double table_load;
  bool one_cache;      /* for data and tables; W is in lines */
  uint32_t processors; /* the stream is dealt to them; 0: it is not */
  uint64_t chunk;      /* accesses dealt at a time; 0: blocks */
  bool shared_tc;      /* of all processors */
  bool all_w;
  bool span;  /* translate every page that an access overlaps */
  bool instr; /* translate instruction fetches, too */
  bool nested;
  enum vat_nested_mode mode;
  struct vat_tree host;
  struct sim_layout host_layout;
  uint64_t host_nodes;
  struct tau host_tau;   /* not given: as of the guest */
  uint64_t table_base;   /* UINT64_MAX: above the guest's data */
  uint64_t guest_memory; /* bytes; 0: data is where it is in virtual memory */
  uint64_t guest_seed;
  uint64_t memory_bytes; /* spill beyond; 0: a quarter of what is free */
  struct {
    bool asked;
    struct vat_classify_params params;
  } classify;
  bool json;
  struct sim_sweep sweep; /* that policy, nodes and tree are a point of */
  /* Not as the guest has it. */
  bool host_tree, host_index, host_page, host_own_nodes;
};

extern const struct option_table sim_table;

/* Fill from the command line, but for the point.  An exit code, having printed
 * what is wrong; options_fini() then, too. */
int sim_request_parse(struct sim_request *request, int argc, char **argv);

size_t sim_sweep_points(const struct sim_sweep *sweep);

/* Make it that of the index-th point of its sweep. */
void sim_request_point(struct sim_request *request, size_t index);
