/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/blastn.h -- the Bloom filter in front of BLASTN: which w-mers of a
 * database may be in a query?
 *
 * The query is cut into sub-queries of n_sub letters, which overlap by w - 1,
 * and each has a Bloom vector of m bits and k functions of its own, of the H3
 * family.  A w-mer of the database is a hit where all its k bits are set in
 * some vector; none that is in the query is missed.  L. Ma, PhD thesis,
 * Washington University in St. Louis 2014, section 5.2.2.
 *
 * Parameters are "k=6,m=256K,n-sub=50000,w=11", each of which may be left out:
 * those are the usual ones.  "chunk=1024K" has a device work on so many letters
 * of the database at a time; a device that cannot hold them all does so
 * without.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/parts.h"

enum {
  CPU_BLASTN_W_MAX = 11, /* of at most four pieces of three */
  CPU_BLASTN_K_MAX = 10,
  CPU_BLASTN_PIECE = 64,  /* values of three letters */
  CPU_BLASTN_PIECES = 4,  /* of w letters */
  CPU_BLASTN_ABREAST = 3, /* functions whose values share a word of a table */
  CPU_BLASTN_VALUE_BITS = 21,
  CPU_BLASTN_LG_M_MAX = 18 /* 32 KiB, and at most 8 KiB of tables */
};

/* Of a sub-query, by setup. */
struct cpu_blastn_sub {
  uint32_t w_mers;         /* as often as they are there */
  uint32_t elements;       /* different ones */
  uint32_t true_positives; /* w-mers of the database that are among those */
};

struct cpu_blastn {
  uint32_t w, k, lg_m, n_sub, subs;
  uint32_t words;   /* of 32 letters of the database */
  uint64_t letters; /* of it */
  /* Of the workspace.  Two bits a letter; a bit for each w-mer that is one. */
  const uint32_t *database, *starts;
  /* Of each sub-query, one after the other: k functions, three abreast, as what
   * three letters give in each of the pieces of a w-mer, by exclusive or; and a
   * vector. */
  const uint64_t *tables;
  const uint32_t *vectors;
  struct cpu_blastn_sub *known; /* NULL: of a part */
  uint32_t *counts;             /* hits of each sub-query */
  uint32_t *hits;               /* a bit for each w-mer: of any */
};

extern const char *const cpu_blastn_generators[];
extern const char *const cpu_blastn_counts[];

/* Words of the tables of one sub-query, of 64 bits; of its vector, of 32. */
static inline uint32_t cpu_blastn_table(const struct cpu_blastn *f) {
  const uint32_t sets = (f->k + CPU_BLASTN_ABREAST - 1) / CPU_BLASTN_ABREAST;
  return sets * CPU_BLASTN_PIECES * CPU_BLASTN_PIECE;
}
static inline uint32_t cpu_blastn_vector(const struct cpu_blastn *f) {
  return (uint32_t)1 << (f->lg_m - 5);
}

/* What it is of a run that was set up. */
struct cpu_blastn cpu_blastn_of(const struct algo_run *run);

/* The letters of the query, two bits each. */
const uint32_t *cpu_blastn_query(const struct algo_run *run);

/* As struct algo has them. */
const char *cpu_blastn_refuse_parameters(const char *parameters);
const char *cpu_blastn_refuse(const struct algo_data *given);
size_t cpu_blastn_bytes(uint64_t n);
size_t cpu_blastn_bytes_given(const struct algo_data *given);
double cpu_blastn_ops_given(const struct algo_data *given);
void cpu_blastn_setup(struct algo_run *run);
void cpu_blastn_restore(struct algo_run *run);
uint64_t cpu_blastn_chunk(const struct algo_run *run, size_t room);
size_t cpu_blastn_part_bytes(const struct algo_run *run);
size_t cpu_blastn_part_spans(const struct algo_run *run,
                             struct algo_span spans[ALGO_SPANS]);
const char *cpu_blastn_check(const struct algo_run *run);
void cpu_blastn_count(const struct algo_run *run, uint64_t values[ALGO_COUNTS]);
void cpu_blastn_answer(const struct algo_run *run, struct algo_data *answer);
