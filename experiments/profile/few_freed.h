/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/few_freed.h -- sites that free few of their blocks: all
 * together are at most an eighth more than those that live at once.
 */
#pragma once
#include "experiments/profile/profile.h"

bool few_freed_small(const struct profile_site *site);
bool few_freed_large(const struct profile_site *site);

/* Up to half of all bytes are freed, as by a table that doubles. */
bool half_freed_large(const struct profile_site *site);
