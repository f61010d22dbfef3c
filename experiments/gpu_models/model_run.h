/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/model_run.h -- an algorithm that is run once, for a
 * model.  Exit codes, having printed what is wrong. */
#pragma once
#include "experiments/device/device.h"
#include "gpu_algos/simt/simt.h"

/* The workspace of a run of `algo`, run->bytes of zeros for munmap(), unless so
 * many copies are more than what is free: "NAME needs ..., choose FIX". */
int model_memory_map(const char *name, const char *fix, unsigned copies,
                     const struct algo *algo, struct algo_run *run);

/* The emulator, if it counts; `what` is what needs it. */
int emulated_open(const struct device **emu, const char *what);

/* On the input that the run's n, seed and generator make, in memory that is
 * released behind it; the answer has to be right. */
int emulated_count(const struct device *emu, const struct algo *algo,
                   struct algo_run *run, struct simt_counters *counters);
