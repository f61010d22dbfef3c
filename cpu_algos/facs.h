/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/facs.h -- which of several references a read is of, by a Bloom
 * filter of each (Stranneheim et al.: Classification of DNA sequences using
 * Bloom filters, Bioinformatics 26(13), 2010; L. Ma, PhD thesis, Washington
 * University in St. Louis 2014, section 5.2.5).
 *
 * A vector has the w-mers of its reference, of both strands.  The letters of a
 * read that lie in a w-mer which passes are covered; the read is of the
 * reference that covers most, the first of equals, where that is at least
 * `cover` percent of the letters that lie in any w-mer of known letters; or
 * else it is of none.
 *
 * Parameters are "k=6,bits=24,cover=33,w=14", each of which may be left out.
 * "chunk=10000" has a device work on so many reads at a time; a device that
 * cannot hold them all does so without.  Without w it is the least for which
 * 4^w is at least 1000 times the letters of the longest reference, so that a
 * w-mer is rarely there by chance.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/parts.h"

enum {
  CPU_FACS_W_MAX = 31,
  CPU_FACS_K_MAX = 16,
  CPU_FACS_GROUP = 32, /* references that are looked at together */
  CPU_FACS_FOREIGN = 3 /* references that are generated */
};

/* A vector, of `bits` bits from word `begin` on. */
struct cpu_facs_vector {
  uint64_t begin, bits;
};

/* The answer of a read. */
struct cpu_facs_class {
  uint32_t reference; /* counted from 1; 0: none */
  uint32_t covered;   /* letters, by that which covers most */
  uint32_t letters;   /* that lie in a w-mer of known letters */
  uint32_t zero;
};

struct cpu_facs {
  uint32_t w, k, cover;
  uint32_t reads, references;
  /* Of the workspace.  Two bits a letter, and a bit for each w-mer that is one;
   * where each read begins, and where the last ends. */
  const uint64_t *letters, *starts, *begins;
  uint64_t origin; /* of a part, the letter that its letters begin with; or 0 */
  const struct cpu_facs_vector *vectors;
  const uint64_t *words; /* of the vectors */
  struct cpu_facs_class *classes;
};

/* The lesser of a w-mer and what it is on the other strand: for both. */
uint64_t cpu_facs_key(uint64_t mer, unsigned w);

/* Is the read of the reference that covers so much of it? */
static inline bool cpu_facs_enough(uint32_t covered, uint32_t letters,
                                   uint32_t cover) {
  return covered && 100 * (uint64_t)covered >= (uint64_t)cover * letters;
}

extern const char *const cpu_facs_counts[];

/* What it is of a run that was set up. */
struct cpu_facs cpu_facs_of(const struct algo_run *run);

/* Which reference read number `read` is generated from; CPU_FACS_FOREIGN: none.
 */
unsigned cpu_facs_source(uint64_t seed, uint64_t read);

/* As struct algo has them. */
const char *cpu_facs_refuse_parameters(const char *parameters);
const char *cpu_facs_refuse(const struct algo_data *given);
size_t cpu_facs_bytes(uint64_t n);
size_t cpu_facs_bytes_given(const struct algo_data *given);
double cpu_facs_ops_given(const struct algo_data *given);
void cpu_facs_setup(struct algo_run *run);
void cpu_facs_restore(struct algo_run *run);
uint64_t cpu_facs_chunk(const struct algo_run *run, size_t room);
size_t cpu_facs_part_bytes(const struct algo_run *run);
size_t cpu_facs_part_spans(const struct algo_run *run,
                           struct algo_span spans[ALGO_SPANS]);
const char *cpu_facs_check(const struct algo_run *run);
void cpu_facs_count(const struct algo_run *run, uint64_t values[ALGO_COUNTS]);
void cpu_facs_answer(const struct algo_run *run, struct algo_data *answer);
