/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_engine.h -- one of the simulations there are, by what
 * they have in common. */
#pragma once
#include "experiments/sim/sim_request.h"
#include "vat/classify.h"
#include "vat/curve.h"

struct sim_result {
  uint64_t accesses;
  struct vat_tc_counts counts; /* nested: of the guest */
  struct vat_tc_counts host;
  struct vat_curve_point *curve; /* with --all-w; free() it */
  size_t curve_points;
  struct sim_classes classes; /* with --classify */
};

struct sim_engine {
  /* NULL with errno. */
  void *(*create)(const struct sim_request *request,
                  const struct vat_tc_options *options);
  /* The others return 0, or -1 with errno. */
  int (*addresses)(void *state, const uint64_t *addresses, size_t count);
  int (*finish)(void *state);
  int (*result)(void *state, struct sim_result *result);
  void (*destroy)(void *state);
};

extern const struct sim_engine sim_tlb_engine; /* sim_tlb.c */
