/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/sizes.h -- sizes as people type them.
 *
 * A size is 65536, 2^20, 1e6, 1.5e6 or 4M (K, M, G, T are powers of 1024).  A
 * range is FROM:TO*FACTOR, geometric, from FROM up to at most TO; without
 * *FACTOR it grows by 1.4, which avoids powers of two and so the conflicts of
 * cache associativity (Jurkiewicz, PhD thesis, section 2.1.2).  A list is
 * sizes and ranges with commas between.
 */
#ifndef EXPERIMENTS_CLI_SIZES_H
#define EXPERIMENTS_CLI_SIZES_H
#include <stddef.h>
#include <stdint.h>

#define SIZES_FACTOR 1.4

/* Parse one size.  Returns 0, or -1 with errno EINVAL or ERANGE. */
int size_parse(const char *text, uint64_t *size);

struct sizes {
  uint64_t *at; /* ascending, each once; free() it */
  size_t count;
};

/*
 * Parse a list.  Returns 0, or -1 with errno EINVAL, EDOM (a range that ends
 * before it begins), ERANGE or ENOMEM, and `error`, a sentence, filled.
 */
int sizes_parse(const char *text, struct sizes *sizes, char *error,
                size_t error_size);

/* The range `from`, `from`*factor, ... <= `to`.  -1 with ENOMEM. */
int sizes_range(uint64_t from, uint64_t to, double factor, struct sizes *sizes);
#endif
