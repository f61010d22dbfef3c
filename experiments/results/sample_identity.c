/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/sample_identity.h"

#include <string.h>

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

int sample_identity_compare(const struct sample *a, const struct sample *b) {
  int order = strcmp(a->algo, b->algo);
  if (!order) order = strcmp(a->device, b->device);
  if (!order) order = compare_u64(a->n, b->n);
  if (!order) order = strcmp(a->pages_asked, b->pages_asked);
  if (!order) order = sample_variant_compare(&a->variant, &b->variant);
  if (!order) order = compare_u64(a->rep, b->rep);
  return order ? order : compare_u64(a->seed, b->seed);
}

/* The finalizer of splitmix64, over what came so far. */
static uint64_t mix(uint64_t hash, uint64_t value) {
  hash += UINT64_C(0x9E3779B97F4A7C15) + value;
  hash = (hash ^ (hash >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  hash = (hash ^ (hash >> 27)) * UINT64_C(0x94D049BB133111EB);
  return hash ^ (hash >> 31);
}

static uint64_t mix_text(uint64_t hash, const char *text) {
  for (; *text; text++) hash = mix(hash, (unsigned char)*text);
  return mix(hash, 256); /* no letter: where one text ends */
}

uint64_t sample_identity_hash(const struct sample *sample) {
  const struct sample_variant *variant = &sample->variant;
  const char *const texts[] = {
      sample->algo,  sample->device, sample->pages_asked, variant->generator,
      variant->file, variant->alloc, variant->parameters};
  const uint64_t numbers[] = {sample->n,
                              sample->rep,
                              sample->seed,
                              variant->bytes,
                              variant->hash,
                              variant->block_threads,
                              variant->dummy_shared,
                              variant->grid_blocks};
  uint64_t hash = 0;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    hash = mix_text(hash, texts[i]);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    hash = mix(hash, numbers[i]);
  return hash;
}
