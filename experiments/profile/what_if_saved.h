/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/what_if_saved.h -- what a prediction needs besides the
 * profile, saved with it: "what_if" in the head of the file of --save, the
 * program's own runs and the calibrations before and after these.
 */
#pragma once
#include <jansson.h>

#include "experiments/profile/what_if_table.h"

json_t *what_if_saved_to_json(const struct what_if_table *table);

/* Fill `table->native` and, unless it has some, the calibrations.  Where
 * `json` is NULL, all stays.  An exit code; what is wrong has been told then,
 * of the file `path`. */
int what_if_saved_read(struct what_if_table *table, const json_t *json,
                       const char *path);
