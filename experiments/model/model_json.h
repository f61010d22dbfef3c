/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/model/model_json.h -- numbers of models in JSON. */
#ifndef EXPERIMENTS_MODEL_MODEL_JSON_H
#define EXPERIMENTS_MODEL_MODEL_JSON_H
#include <jansson.h>

/* Whole where it is; null where it is none. */
json_t *model_json_number(double value);

/* Print it as a line, and release it.  An exit code. */
int model_json_print(json_t *object);
#endif
