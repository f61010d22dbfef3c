/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/shard.h -- one of several equal parts of a sweep.
 *
 * Points of a sweep are numbered from 0; shard I of N has every N-th of them,
 * beginning with the I-th.  All shards together have each point once, and which
 * one has it depends on nothing but its number.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { SHARDS_MAX = 1000000 };

struct shard {
  uint32_t index, count; /* 1 <= index <= count; count 0: the whole */
};

/* The value of --shard, "3/8", into the struct shard `at`: for rows of options.
 */
int shard_option(void *at, const char *option, const char *text);

bool shard_has(const struct shard *shard, uint64_t point);
