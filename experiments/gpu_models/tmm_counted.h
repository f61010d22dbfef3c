/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/tmm_counted.h -- programs of table 4.4 that run in the
 * emulator: what is counted of them beside what the model says.
 *
 * An access to global memory of up to C words is a line of 128 bytes, or for C
 * = 8 a sector of 32, that a warp instruction touches; an atomic one always is
 * a sector.  Work is the lanes that take part in basic blocks, which is as the
 * compiler makes them: within a factor, operations.
 */
#pragma once
#include "experiments/device/device.h"
#include "gpu_algos/models/tmm_algo.h"

struct tmm_counted {
  const char *row;        /* of tmm_algos */
  const char *algo;       /* what the emulator runs */
  const char *n;          /* usual sizes, as numbers.h has them */
  double Z;               /* words of shared memory, as is usual here */
  unsigned block_threads; /* 0: as many as the algorithm likes */
};
extern const struct tmm_counted tmm_counteds[]; /* the last has no row */

struct tmm_count {
  double n, m, k; /* NAN: there is none */
  double accesses, work;
  struct tmm_program program; /* what the model says */
};

/* The sizes of a run of n of the row's on the input of that generator (NULL:
 * the usual one), and what the model says of them on the machine; counts are
 * left open. */
void tmm_counted_model(const struct algo *algo, const struct tmm_algo *row,
                       const char *generator, uint64_t n,
                       const struct tmm_machine *machine,
                       struct tmm_count *count);
