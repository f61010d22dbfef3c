/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/json_at.h -- what lies in a JSON value at a path, as
 * "a.0.c". */
#pragma once
#include <jansson.h>

/* NULL: nothing. */
const json_t *json_at(const json_t *object, const char *path);

/* NAN if it is no number, "" if it is no text. */
double json_number_at(const json_t *object, const char *path);
const char *json_text_at(const json_t *object, const char *path);
