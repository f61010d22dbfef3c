/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/reuse_cache.h -- what was simulated before, on disk.
 *
 * A file an entry in $VAT_CACHE_DIR, else $XDG_CACHE_HOME/vat, else
 * ~/.cache/vat.  Any of them may be deleted at any time.  An entry appears at
 * once and whole, so that processes do not disturb each other, and has a sum of
 * its value; what is damaged reads as absent, which a line on stderr says.
 */
#pragma once
#include <jansson.h>

/* The value that was kept for `key`, a new reference, or NULL: there is none.
 * `name` is what its file's name begins with. */
json_t *reuse_cache_read(const char *name, const json_t *key);

/* Keep it; where that fails, a note is printed, once. */
void reuse_cache_write(const char *name, const json_t *key, json_t *value);
