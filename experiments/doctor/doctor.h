/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/doctor/doctor.h -- the examinations, each a section. */
#pragma once
#include "experiments/doctor/findings.h"
#include "experiments/machine/counters.h"

/* The size of run that page kinds are asked to serve. */
enum { DOCTOR_RUN_BYTES = 1 << 30 };

struct examination {
  const char *section;
  void (*run)(struct findings *findings, const struct counters *counters);
};

extern const struct examination examinations[]; /* ends with a NULL section */

void examine_machine(struct findings *, const struct counters *);
void examine_pages(struct findings *, const struct counters *);
void examine_counters(struct findings *, const struct counters *);
void examine_rights(struct findings *, const struct counters *);
void examine_software(struct findings *, const struct counters *);
void examine_gpu(struct findings *, const struct counters *);
