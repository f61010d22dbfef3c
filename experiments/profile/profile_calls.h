/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_calls.h -- what the paths of calls say of
 * functions. */
#pragma once
#include "experiments/profile/profile_data.h"

/* Steps of profile_finish(): name functions of stripped objects by where they
 * begin, and find what functions cost with all that they called. */
void profile_name_functions(struct profile *profile);
void profile_find_inclusive(struct profile *profile);
