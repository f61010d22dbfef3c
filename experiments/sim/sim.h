/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim.h -- simulate what a request asks for, and print it. */
#pragma once
#include "experiments/sim/sim_input.h"
#include "vat/curve.h"

struct sim_classes {
  struct vat_classify_counts counts;
  struct vat_classify_params params;
  unsigned part_bits;
};

struct sim_result {
  uint64_t accesses;
  struct vat_tc_counts counts; /* nested: of the guest */
  struct vat_tc_counts host;
  struct vat_table_counts table;   /* with --table */
  struct vat_nested_frames frames; /* with --guest-memory */
  uint64_t data_misses;            /* with --one-cache: some of the misses */
  struct vat_tc_counts *processor; /* with --processors; free() it */
  uint64_t chunk;                  /* that they were dealt */
  bool attributed;                 /* their misses are known */
  struct vat_curve_point *curve;   /* with --all-w; free() it */
  size_t curve_points;
  struct sim_classes classes; /* with --classify */
};

/* Feed the rest of `input` through what `request`, its levels filled in, asks
 * for.  An exit code, having printed what is wrong. */
int sim_run(const struct sim_request *request, struct sim_input *input,
            struct sim_result *result);

/* On standard output. */
void sim_print(const struct sim_request *request,
               const struct sim_result *result);
