/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/strings/texts.h -- a text, what is sought in it, and where it is
 * found: the workspace of both ways to match strings.
 *
 * Letters are numbered from 1 in the order of their bytes; 0 is behind the end
 * of the text and of each query.  Four of them are a word, the first in its
 * highest byte, so that words compare as their letters do.  A query that occurs
 * is the beginning of the suffixes found[0] .. found[1] - 1 in the order of the
 * suffix array, and of no others; of one that does not, both are 0.
 *
 * Generated: n letters of queries, --generator length-16 each, half of the
 * queries out of the text, in a text of n letters of four kinds.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"

/* All letters that a text may have: all but one of the 256. */
enum { GPU_TEXT_LETTERS = 255 };

struct gpu_text {
  uint32_t letters, alphabet; /* of the text; how many kinds */
  uint32_t queries;
  uint32_t *text;     /* words, and one of zeros behind them */
  uint32_t *bounds;   /* of each query the word where it begins, its letters */
  uint32_t *sought;   /* words of queries */
  uint32_t *found;    /* two words a query */
  uint32_t *suffixes; /* where they begin, in ascending order */
  uint32_t *behind;   /* what else an algorithm takes */
};

/* Of a run on the host or the device, when setup is over. */
struct gpu_text gpu_text_of(const struct algo_run *run);

/* Letter i of an array of words. */
static inline uint32_t gpu_text_letter(const uint32_t *words, uint64_t i) {
  return words[i / 4] >> (24 - 8 * (i % 4)) & 255;
}

/* Words of a workspace up to `behind`, of which n letters, or data from
 * outside, take at most so many. */
uint64_t gpu_text_words(uint64_t n, const struct algo_data *given);

/* Can letters, and places in either array of them, be counted in 31 bits? */
bool gpu_text_fits(uint64_t n, const struct algo_data *given);

/* Letters of the text, and the kinds of them. */
uint64_t gpu_text_size(uint64_t n, const struct algo_data *given);
unsigned gpu_text_alphabet(const struct algo_data *given);

/* For algo.generators. */
extern const char *const gpu_text_generators[];

/* The text, the queries and the suffix array, for algo.setup; `scratch` is of
 * gpu_suffix_scratch() words.  And nothing found, for algo.restore. */
void gpu_text_setup(struct algo_run *run, uint32_t *scratch);
void gpu_text_restore(struct algo_run *run);

/* For algo.check: the processor's binary search says the same. */
const char *gpu_text_check(const struct algo_run *run);

/* For algo.answer: found[], and the suffix array as algo_data.next. */
void gpu_text_answer(const struct algo_run *run, struct algo_data *answer);

/* For algo.refuse: queries that are missing, none, empty, or of other
 * letters. */
const char *gpu_text_refuse(const struct algo_data *given);

/* For algo.ops_given: letters of all queries. */
double gpu_text_ops(const struct algo_data *given);
