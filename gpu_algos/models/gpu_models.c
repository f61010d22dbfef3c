/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "gpu_algos/models/gpu_model.h"

/* The table: a line is a file. */
#define MODELS(X) \
  X(maxsum)       \
  X(warp_io)

#define DECLARE(name) extern const struct gpu_model gpu_model_##name;
#define LIST(name) &gpu_model_##name,

MODELS(DECLARE)

const struct gpu_model *const gpu_models[] = {MODELS(LIST) NULL};

const struct gpu_model *gpu_model_find(const char *name) {
  for (size_t i = 0; gpu_models[i]; i++)
    if (!strcmp(gpu_models[i]->name, name)) return gpu_models[i];
  return NULL;
}

const struct gpu_case *gpu_case_find(const struct gpu_model *model,
                                     const char *name) {
  for (const struct gpu_case *c = model->cases; c->name; c++)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}

size_t gpu_case_parameters(const struct gpu_case *c) {
  size_t count = 0;
  while (c->parameters[count].name) count++;
  return count;
}

size_t gpu_model_outputs(const struct gpu_model *model) {
  size_t count = 0;
  while (model->outputs[count].key) count++;
  return count;
}

size_t gpu_model_output(const struct gpu_model *model, const char *key) {
  for (size_t i = 0; model->outputs[i].key; i++)
    if (!strcmp(model->outputs[i].key, key)) return i;
  return GPU_OUTPUTS_MAX;
}
