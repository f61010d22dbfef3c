/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/numbers.h -- numbers as people type them, and lists of them.
 *
 * A whole number is decimal, whatever zeros it begins with (010 is ten), or 0x
 * and hexadecimal; no sign, no blanks.  A size is 65536, 2^20, 1e6, 1.5e6 or 4M
 * (K, M, G, T are powers of 1024).  A real number is a size, or a decimal
 * fraction such as 10.67, with K, M, G, T behind it or not, and a minus before
 * it.
 *
 * A list has commas between its numbers and ranges.  A range grows by a factor,
 * FROM:TO*FACTOR or FROM..TO*FACTOR, or by a step, FROM..TO+STEP, up to at most
 * TO.  Without them, FROM:TO of sizes grows by 1.4, which avoids powers of two
 * and so the conflicts of cache associativity (Jurkiewicz, PhD thesis, section
 * 2.1.2), and FROM..TO by steps of 1; both of real numbers double.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIZES_FACTOR 1.4

/* Each parses one number.  Returns 0, or -1 with errno EINVAL or ERANGE. */
int whole_number_parse(const char *text, uint64_t *value);
int size_parse(const char *text, uint64_t *size);
int real_parse(const char *text, double *value);

/* More in a list are a typing error. */
enum { NUMBERS_MOST = 10000 };

struct sizes {
  uint64_t *at; /* ascending, each once; free() it */
  size_t count;
};

struct numbers {
  double *at; /* in the order typed; free() it */
  size_t count;
};

/*
 * Parse a list of sizes.  Returns 0, or -1 with errno EINVAL, EDOM (a range
 * that ends before it begins) or ERANGE, and `error`, a sentence that
 * begins with the item.
 */
int sizes_parse(const char *text, struct sizes *sizes, char *error,
                size_t error_size);

/* The range `from`, `from`*factor, ... <= `to`.  -1 with ERANGE: too
 * many. */
int sizes_range(uint64_t from, uint64_t to, double factor, struct sizes *sizes);

/* The same for real numbers, none of them below `least`.  `whole`: those of a
 * range are rounded, as sizes are, and others have to be. */
int numbers_parse(const char *text, double least, bool whole,
                  struct numbers *numbers, char *error, size_t error_size);

/* How many combinations of a number of each list there are; 0: more than `most`
 * with the list at `*beyond`.  Of an empty one nothing is chosen. */
size_t numbers_combinations(const struct numbers *lists, size_t count,
                            size_t most, size_t *beyond);
/* The one at `place`, the last list fastest; where a list is empty the value
 * stays. */
void numbers_combine(const struct numbers *lists, size_t count, size_t place,
                     double *values);

/* "8192", "10.7", "5.5e+11": whole where it is, else three digits. */
enum { NUMBER_SIZE = 32 };
const char *number_text(double value, char text[NUMBER_SIZE]);
/* The same as long as the block around it. */
#define NUMBER_TEXT(value) number_text((value), (char[NUMBER_SIZE]){""})

/* One of several equal parts of a sweep, whose points are numbered from 0:
 * shard I of N has every N-th of them, beginning with the I-th.  All shards
 * together have each point once, and which one has it depends on nothing but
 * its number. */
enum { SHARDS_MAX = 1000000 };

struct shard {
  uint32_t index, count; /* 1 <= index <= count; count 0: the whole */
};

/* The value of --shard, "3/8", into the struct shard `at`: for rows of options.
 */
int shard_option(void *at, const char *option, const char *text);

bool shard_has(const struct shard *shard, uint64_t point);
