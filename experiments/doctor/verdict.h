/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/doctor/verdict.h -- what `vat doctor` says, in two lines. */
#pragma once
#include <stdio.h>

void verdict_print(FILE *out);
