/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/doctor/doctor.h -- the examinations, each a section. */
#pragma once
#include "experiments/doctor/findings.h"
#include "experiments/machine/counters.h"

void doctor_examine(struct findings *findings, const struct counters *counters);

/* The processor, and which huge pages there are, in two lines. */
void doctor_verdict(FILE *out);
