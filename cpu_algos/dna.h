/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/dna.h -- DNA in two bits a letter: A 0, C 1, G 2, T 3.
 *
 * As struct algo_data, of kind "dna" or "reads": rows is how many letters there
 * are and cols how many records; items are the letters, 32 a word with the
 * first lowest; then a bit for each, 64 a word, 0 where it is none of the four
 * (its two bits are any); then where each record begins, ascending.  The first
 * begins at 0, and one may have no letter.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"

struct cpu_dna {
  const uint64_t *letters; /* and a word behind them that may be read */
  const uint64_t *known;   /* NULL: all are */
  const uint64_t *begins;  /* NULL: there is one record */
  uint64_t n, records;
};

static inline uint64_t cpu_dna_words(uint64_t n) { return (n + 31) / 32; }
static inline uint64_t cpu_dna_flags(uint64_t n) { return (n + 63) / 64; }

/* The words that data of so many letters and records have. */
static inline uint64_t cpu_dna_items(uint64_t n, uint64_t records) {
  return cpu_dna_words(n) + cpu_dna_flags(n) + records;
}

static inline struct cpu_dna cpu_dna_of(const struct algo_data *data) {
  const uint64_t *letters = (const uint64_t *)data->items;
  const uint64_t *known = letters + cpu_dna_words(data->rows);
  const uint64_t *begins = known + cpu_dna_flags(data->rows);
  return (struct cpu_dna){letters, known, begins, data->rows, data->cols};
}

static inline uint64_t cpu_dna_letter(const uint64_t *letters, uint64_t i) {
  return letters[i / 32] >> 2 * (i % 32) & 3;
}

/* Where there was none: its bits are 0. */
static inline void cpu_dna_put(uint64_t *letters, uint64_t i, uint64_t letter) {
  letters[i / 32] |= letter << 2 * (i % 32);
}

/* Bit i of flags, 64 a word. */
static inline bool cpu_dna_has(const uint64_t *flags, uint64_t i) {
  return flags[i / 64] >> i % 64 & 1;
}

static inline bool cpu_dna_known(const struct cpu_dna *dna, uint64_t i) {
  return !dna->known || cpu_dna_has(dna->known, i);
}

/* Where record r ends: at the next, or the end. */
static inline uint64_t cpu_dna_record_end(const struct cpu_dna *dna,
                                          uint64_t r) {
  return r + 1 < dna->records ? dna->begins[r + 1] : dna->n;
}

/* Letters i to i + w - 1, w at most 31; the first lowest. */
static inline uint64_t cpu_dna_mer(const uint64_t *letters, uint64_t i,
                                   unsigned w) {
  unsigned shift = 2 * (unsigned)(i % 32);
  uint64_t bits = letters[i / 32] >> shift;
  if (shift) bits |= letters[i / 32 + 1] << (64 - shift);
  return bits & ((UINT64_C(1) << 2 * w) - 1);
}

/* A w-mer as it is on the other strand: T for A, G for C, from its end on. */
static inline uint64_t cpu_dna_reverse(uint64_t mer, unsigned w) {
  const uint64_t pairs = UINT64_C(0x3333333333333333);
  const uint64_t nibbles = UINT64_C(0x0f0f0f0f0f0f0f0f);
  mer = ~mer;
  mer = (mer >> 2 & pairs) | (mer & pairs) << 2;
  mer = (mer >> 4 & nibbles) | (mer & nibbles) << 4;
  return __builtin_bswap64(mer) >> (64 - 2 * w);
}

/* Set bit i of `starts`, cpu_dna_flags(n) words, where w known letters of one
 * record begin at i.  Returns how many w-mers of records are skipped. */
uint64_t cpu_dna_starts(const struct cpu_dna *dna, unsigned w,
                        uint64_t *starts);

/* A fingerprint of words, for check. */
uint64_t cpu_dna_print(const uint64_t *words, uint64_t count);
