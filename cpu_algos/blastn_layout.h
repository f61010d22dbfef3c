/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/blastn_layout.h -- where things lie in the workspace of blastn.h.
 */
#pragma once
#include <stdint.h>

#include "cpu_algos/algo.h"

enum cpu_blastn_region {
  BLASTN_FACTS,   /* enum cpu_blastn_fact */
  BLASTN_COUNTS,  /* the answer is this */
  BLASTN_HITS,    /* and this */
  BLASTN_LETTERS, /* of the database */
  BLASTN_STARTS,
  BLASTN_QUERY, /* letters that are generated */
  BLASTN_QUERY_STARTS,
  BLASTN_KNOWN,   /* struct cpu_blastn_sub */
  BLASTN_MEMBERS, /* w-mers that are in a sub-query, ascending */
  BLASTN_TABLES,
  BLASTN_VECTORS,
  BLASTN_REGIONS
};

enum cpu_blastn_fact {
  BLASTN_MERS,   /* w-mers of the database */
  BLASTN_SKIPPED /* those with letters that are none */
};

struct blastn_parameters {
  uint64_t w, k, lg_m, n_sub, threads;
  uint64_t chunk; /* letters of a part; CPU_PARTS_ANY: none was asked for */
};

enum { BLASTN_CHUNK_UNIT = 64 }; /* letters of a word of flags */

/* False where they are not as blastn.h has them; NULL: the usual ones. */
bool blastn_parse(const char *text, struct blastn_parameters *parameters);

/* Of a run whose parameters are good. */
struct blastn_parameters blastn_parameters_of(const struct algo_run *run);

/* Letters of the query: as many as the database has, or not quite. */
uint64_t blastn_query_letters(uint64_t n, const struct algo_data *given);

/* Sub-queries of so many letters. */
static inline uint64_t blastn_subs(uint64_t letters,
                                   const struct blastn_parameters *p) {
  uint64_t step = p->n_sub - p->w + 1;
  uint64_t mers = letters < p->w ? 0 : letters - p->w + 1;
  return (mers + step - 1) / step;
}

/* Letters of the database, of all parts. */
static inline uint64_t blastn_letters(const struct algo_run *run) {
  return run->given ? run->given->rows : run->n;
}

/* Letters of the database that are worked on, of a part or of all; 0: there is
 * no such part. */
uint64_t blastn_part_letters(const struct algo_run *run);

/* Where a region begins in the workspace of a run, or in one for parts, which
 * has not all of them. */
size_t blastn_offset(const struct algo_run *run, enum cpu_blastn_region region);
size_t blastn_part_offset(const struct algo_run *run,
                          enum cpu_blastn_region region);

/* The begin of a region. */
uint64_t *blastn_region(const struct algo_run *run,
                        enum cpu_blastn_region region);
