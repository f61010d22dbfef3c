/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/sample_variant.h -- what a program worked on, where that
 * is not its usual input of n and a seed, where that lay, and in which blocks
 * of threads.
 *
 * Samples of other variants are other programs: they are never compared, nor
 * summed up together.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "experiments/cli/record.h"

enum { VARIANT_NAME = 48, VARIANT_ALLOC = 16, VARIANT_LABEL = 208 };

struct sample_variant {
  char generator[VARIANT_NAME]; /* empty: the algorithm's first */
  /* Data from outside. */
  char file[VARIANT_NAME]; /* its name, printable; empty: generated */
  uint64_t bytes;          /* of the file */
  uint64_t hash;           /* of what was read */
  /* Where its nodes came from; empty: it does not allocate. */
  char alloc[VARIANT_ALLOC];
  /* Of a GPU: threads of a block, 0: as the algorithm likes; bytes of shared
   * memory that a block left alone; blocks in all, 0: as the algorithm likes.
   */
  uint32_t block_threads, dummy_shared, grid_blocks;
  char parameters[VARIANT_NAME]; /* of its own; empty: the usual ones */
};

/* False, unset, where there are none, too many or not printable ones. */
bool sample_variant_set_parameters(struct sample_variant *variant,
                                   const char *parameters);

/* Sets file to the last part of `path`, as far as it can be shown. */
void sample_variant_name(struct sample_variant *variant, const char *path);

/* <0, 0, >0: of numbers; and of variants, an order in which equal ones stand
 * together. */
int compare_u64(uint64_t a, uint64_t b);
int sample_variant_compare(const struct sample_variant *a,
                           const struct sample_variant *b);

/* The same data from outside, or none? */
bool sample_variant_same_input(const struct sample_variant *a,
                               const struct sample_variant *b);

/* "alloc", "generator", "block_threads", "dummy_shared", "grid_blocks",
 * "parameters" and "input" of a record, each where there is one. */
extern const struct field sample_variant_fields[];

/* For labels, behind the name of the algorithm: "", ", arena", ", sorted",
 * ", blocks of 64" or " of keys.txt". */
const char *sample_variant_label(const struct sample_variant *variant,
                                 char label[VARIANT_LABEL]);
