/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/facs_layout.h -- where things lie in the workspace of facs.h. */
#ifndef CPU_ALGOS_FACS_LAYOUT_H
#define CPU_ALGOS_FACS_LAYOUT_H
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
};

/* False where they are not as facs.h has them; NULL: the usual ones. */
bool facs_parse(const char *text, struct facs_parameters *parameters);

/* Letters and records of reads and references, as large as they may be. */
struct facs_size {
  uint64_t letters, reads, reference_letters, references;
};
struct facs_size facs_size_of(uint64_t n, const struct algo_data *given);

/* The begin of a region. */
uint64_t *facs_region(const struct algo_run *run, enum cpu_facs_region region);
#endif
