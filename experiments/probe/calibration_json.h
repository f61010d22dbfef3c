/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/probe/calibration_json.h -- a calibration as the file that it is
 * kept in; doc/calibration.md has every key.
 */
#pragma once
#include "experiments/cli/record.h"
#include "experiments/probe/calibration.h"

extern const struct field calibration_fields[];

/* {"record":"calibration",...}; the caller owns it.  NULL: no memory. */
json_t *calibration_to_json(const struct calibration *cal);

/*
 * Fill `cal` from such an object, which is checked.  Returns 0, or -1 with
 * errno EINVAL (another schema, damaged) or ENOMEM, `why` a sentence, and
 * nothing to release.
 */
int calibration_from_json(struct calibration *cal, const json_t *object,
                          char why[CALIBRATION_TEXT]);

/* The same of the file at `path`, or of a pipe, such as a shell's <(COMMAND);
 * also errno of open.  `why` begins with the path. */
int calibration_read(struct calibration *cal, const char *path, char *why,
                     size_t why_size);
