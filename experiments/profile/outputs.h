/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/outputs.h -- what a run in Valgrind left in its
 * directory.
 */
#pragma once
#include "experiments/profile/profile.h"
#include "experiments/profile/valgrind.h"

/* Read what each process left, and finish the profile.  One that left half of
 * it is told, left out and removed.  Returns an exit code; where there is no
 * profile at all, its processes are 0. */
int outputs_read(const struct valgrind *valgrind, struct profile *profile);

/* Show the first words of Valgrind, which say why there is no profile. */
void outputs_show_log(const struct valgrind *valgrind);
