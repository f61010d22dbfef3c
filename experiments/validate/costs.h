/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/costs.h -- what an operation of a program asks of a
 * machine, in time.
 *
 * The program's reuse profile says which accesses go how far, the calibration
 * how long that takes.  Both know nothing of the program's measured time.
 */
#pragma once
#include "experiments/validate/costs_parts.h"

/* What a profile must hold for `cal`: pages and translation caches. */
void costs_params(const struct calibration *cal, struct reuse_params *params);

/* Why points on pages of `kind` cannot be predicted, or NULL: they can. */
const char *costs_lack(const struct calibration *cal, const char *kind);

/* `profile` was made with costs_params(). */
void costs_of(struct costs *costs, const struct calibration *cal,
              const char *kind, const struct reuse_profile *profile);
