/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/model_memory.h -- memory for what a model runs once.
 */
#pragma once
#include "cpu_algos/algo.h"

/* What asks for it, in an error: "NAME needs ..., choose MEND". */
struct model_memory {
  const char *name, *mend;
  unsigned copies; /* there will be, on the processor and on a device */
};

/* The workspace of a run of `algo`, run->bytes of zeros, unless so many copies
 * are more than what is free.  An exit code, having printed what is wrong. */
int model_memory_map(const struct model_memory *memory, const struct algo *algo,
                     struct algo_run *run);
void model_memory_unmap(struct algo_run *run);
