/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/diagnosis.h -- why a launch failed, as one line.
 *
 * What is wrong is noted where it is seen, on whichever host thread and stack
 * that is; the line is made of it when the launch has ended, since naming
 * kernels and source lines takes another program.
 */
#pragma once
#include <stdint.h>

#include "gpu_algos/simt/cuda_error.h"
#include "gpu_algos/simt/kernel_abi.h"

/* A thread somewhere in the source: at `site`, or at the code before the return
 * address `pc`, or (neither) at a place that is not known. */
struct simt_place {
  struct simt_index thread;
  struct simt_site site;
  const void *pc;
};

struct simt_diagnosis {
  enum simt_error error; /* SIMT_SUCCESS: nothing is wrong */
  char what[160];        /* "divergent barrier: ..." */
  struct simt_index block;
  struct simt_place places[2];
  unsigned count; /* of places */
};

/* The line of the last launch from what was seen in `kernel`; NULL: none. */
void simt_diagnosis_tell(const struct simt_diagnosis *seen, const void *kernel);
