/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/sample_json.h -- a sample as the JSON object it is
 * stored as; doc/results-format.md has every key.
 */
#pragma once
#include <jansson.h>

#include "experiments/cli/record.h"
#include "experiments/results/sample.h"

enum { SAMPLE_WHY_SIZE = 160 };

extern const struct field sample_fields[];

/* A list of struct sample_counter as an object of names and counts. */
extern const struct field_type field_counters;

/* {"record":"sample",...}; the caller owns it.  NULL with errno ENOMEM, or
 * EINVAL where a field is one the reader would refuse. */
json_t *sample_to_json(const struct sample *sample);

/*
 * Fill `sample` from a sample record.  Returns 0, or -1 with errno EINVAL and
 * in `why` which key is wrong and what it should be.
 */
int sample_from_json(struct sample *sample, const json_t *record,
                     char why[SAMPLE_WHY_SIZE]);
