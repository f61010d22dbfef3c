/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_number.h -- a number of a profile, most of which
 * is numbers: strtoull(3) takes four times as long.
 */
#pragma once
#include <stdint.h>

/* What `*text` begins with behind spaces, up to a space or the end, in `base`
 * 10 or 16 with lower-case digits; `*text` is then behind it.  Returns NULL, or
 * what is wrong. */
const char *profile_number(char **text, unsigned base, uint64_t *value);
