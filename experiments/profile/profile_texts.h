/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_texts.h -- each text once, so that two are the
 * same if their addresses are.
 */
#pragma once

struct profile_texts; /* NULL: none */

/* The text there, which lives as long as `*texts`. */
const char *profile_texts_keep(struct profile_texts **texts, const char *text);
void profile_texts_fini(struct profile_texts *texts);
