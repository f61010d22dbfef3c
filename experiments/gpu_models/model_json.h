/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/model_json.h -- numbers of models in JSON. */
#pragma once
#include <jansson.h>

/* Whole where it is; null where it is none. */
json_t *model_json_number(double value);

/* The key of a parameter: "blocks-per-sm" is blocks_per_sm in JSON. */
enum { MODEL_KEY_SIZE = 32 };
void model_json_key(char key[MODEL_KEY_SIZE], const char *name);

/* Members of such names and doubles by turns. */
#define model_json_add(...) model_json_add_all(__VA_ARGS__, (char *)NULL)
void model_json_add_all(json_t *object, ...) __attribute__((sentinel));

/* Print it as a line, and release it. */
void model_json_print(json_t *object);
