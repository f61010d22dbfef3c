/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/facs_layout.h -- where things lie in the workspace of facs.h. */
#pragma once
#include <stdint.h>

#include "cpu_algos/algo.h"

enum { FACS_READ = 150 }; /* letters of a read that is generated */

enum cpu_facs_region {
  FACS_FACTS,   /* enum cpu_facs_fact */
  FACS_CLASSES, /* the answer is this */
  FACS_LETTERS, /* of the reads */
  FACS_STARTS,
  FACS_BEGINS,
  FACS_REFERENCE, /* letters that are generated */
  FACS_REFERENCE_STARTS,
  FACS_REFERENCE_BEGINS, /* of those generated */
  FACS_VECTORS,
  FACS_WORDS,
  FACS_REGIONS
};

enum cpu_facs_fact {
  FACS_MERS,   /* w-mers of the reads */
  FACS_SKIPPED /* those with letters that are none */
};

struct facs_parameters {
  uint64_t w, k, bits, cover, threads; /* w 0: to be chosen */
  uint64_t chunk; /* reads of a part; CPU_PARTS_ANY: none was asked for */
};

/* False where they are not as facs.h has them; NULL: the usual ones. */
bool facs_parse(const char *text, struct facs_parameters *parameters);

/* Letters and records of reads and references, as large as they may be. */
struct facs_size {
  uint64_t letters, reads, reference_letters, references;
};
struct facs_size facs_size_of(uint64_t n, const struct algo_data *given);

/* Of a run whose parameters are good. */
struct facs_parameters facs_parameters_of(const struct algo_run *run);

/* Words of the vector of a reference of so many letters. */
static inline uint64_t facs_vector_words(uint64_t letters, uint64_t bits) {
  const uint64_t words = (bits * letters + 63) / 64;
  return words ? words : 1;
}

/* Reads [first, end), and their letters. */
struct facs_part {
  uint64_t first, end, first_letter, end_letter;
};

/* Where the word of flags begins that its first letter is in; all: 0. */
static inline uint64_t facs_origin(const struct facs_part *part) {
  return part->first_letter / 64 * 64;
}

/* Those that are worked on, of a part or of all. */
struct facs_part facs_part_of(const struct algo_run *run);

/* Where a region begins in the workspace of a run, or in one for parts, which
 * has not all of them. */
size_t facs_offset(const struct algo_run *run, enum cpu_facs_region region);
size_t facs_part_offset(const struct algo_run *run,
                        enum cpu_facs_region region);
uint64_t *facs_region(const struct algo_run *run, enum cpu_facs_region region);
