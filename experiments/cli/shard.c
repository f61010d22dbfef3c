/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/shard.h"

#include "experiments/cli/command.h"

/* Digits alone, up to `end`; 0: none, or more than there may be. */
static uint32_t number(const char *text, char end, const char **behind) {
  uint32_t value = 0;
  while (*text >= '0' && *text <= '9' && value <= SHARDS_MAX)
    value = 10 * value + (uint32_t)(*text++ - '0');
  *behind = text + 1;
  return *text == end && value <= SHARDS_MAX ? value : 0;
}

int shard_option(void *at, const char *option, const char *text) {
  struct shard *shard = at;
  const char *rest;
  shard->index = number(text, '/', &rest);
  shard->count = shard->index ? number(rest, '\0', &rest) : 0;
  if (shard->index && shard->index <= shard->count) return VAT_OK;
  return fail(VAT_USAGE,
              "--%s: '%s' is not I/N, the I-th of N parts: 1/8 to 8/8, N at "
              "most %d",
              option, text, SHARDS_MAX);
}

bool shard_has(const struct shard *shard, uint64_t point) {
  return !shard->count || point % shard->count + 1 == shard->index;
}
