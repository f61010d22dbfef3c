/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/sample_json.h -- a sample as the JSON object it is
 * stored as; doc/results-format.md has every key.
 */
#ifndef EXPERIMENTS_RESULTS_SAMPLE_JSON_H
#define EXPERIMENTS_RESULTS_SAMPLE_JSON_H
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "experiments/results/sample.h"

enum { SAMPLE_WHY_SIZE = 160 };

/* {"record":"sample",...}; the caller owns it.  NULL with errno ENOMEM, or
 * EINVAL where a field is one the reader would refuse. */
json_t *sample_to_json(const struct sample *sample);

/*
 * Fill `sample` from a sample record.  Returns 0, or -1 with errno EINVAL and
 * in `why` which key is wrong and what it should be.
 */
int sample_from_json(struct sample *sample, json_t *record,
                     char why[SAMPLE_WHY_SIZE]);

/* Copy a name out of a record; false where it is not a string of 1 to size - 1
 * printable ASCII characters, as it is shown on terminals and in pages. */
bool sample_name_from_json(const json_t *json, char *name, size_t size);
#endif
