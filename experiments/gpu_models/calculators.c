/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "experiments/gpu_models/calculator.h"
#include "experiments/gpu_models/tmm_request.h"

/* The table: a line is a command. */
const struct calculator calculators[] = {
    {"tmm", TMM_SOURCE,
     "work, span and memory of algorithms on machines that hide latency by "
     "threads, and which of two is better where",
     tmm_command},
    {"calibrated", "Ma, PhD thesis 2014, chapter 5",
     "what an algorithm does, times factors of cache and scheduling of blocks; "
     "its constants are fitted to runs",
     calibrated_command},
    {"integrated", "Ma, PhD thesis 2014, chapter 6",
     "the time of the TMM model, times the scheduling of the calibrated one",
     integrated_command},
    {"bloom", "Ma, PhD thesis 2014, section 5.2.3",
     "false positives of BLASTN's Bloom filter, which is run, beside what the "
     "calibrated model says",
     bloom_command},
    {0}};

const struct calculator *calculator_find(const char *name) {
  for (const struct calculator *c = calculators; c->name; c++)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}
