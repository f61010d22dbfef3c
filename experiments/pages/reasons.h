/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/reasons.h -- the table of the reasons: the first row that
 * holds is the reason.
 */
#pragma once
#include "experiments/pages/reason.h"

/* What no setting can change comes first, then who forbids or has to ask, then
 * free memory, then what the pages are like.  NULL-ended; the last holds
 * always. */
extern const struct pages_reason *const pages_reasons[];

/* The reason for the base pages of a part. */
const struct pages_reason *pages_reason_of(const struct pages_part *part);

/* Is it the only thing to change, so that its fix alone makes the part huge? */
bool pages_reason_alone(const struct pages_reason *reason,
                        const struct pages_part *part);
