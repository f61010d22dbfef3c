/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/sample.h -- one repetition, as measured and as the JSON
 * object it is stored as; doc/results-format.md has every key.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "experiments/cli/record.h"
#include "experiments/machine/counters.h"
#include "huge_pages/region.h"

enum {
  RESULTS_SCHEMA = 1,
  SAMPLE_WHY_SIZE = 160,
  SAMPLE_NAME_SIZE = 48,
  /* Those of the device, and what the algorithm counts of itself. */
  SAMPLE_COUNTERS = COUNTERS_MAX + ALGO_COUNTS
};

enum { VARIANT_NAME = 48, VARIANT_ALLOC = 16, VARIANT_LABEL = 208 };

/* What a program worked on, where that is not its usual input of n and a seed,
 * where that lay, and in which blocks of threads.  Samples of other variants
 * are other programs: they are never compared, nor summed up together. */
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

struct sample_counter {
  char name[32];
  bool present; /* false: null in the file, absent on that machine */
  uint64_t value;
};

struct sample {
  char algo[SAMPLE_NAME_SIZE];
  char device[16];
  uint64_t n;
  char pages_asked[HP_NAME_SIZE];
  struct hp_granted pages_granted; /* backing of the workspace used */
  bool granted_ok;                 /* all of it as asked */
  uint32_t rep;
  uint64_t ns; /* time of run alone */
  /* Copies of the workspace to a device and back, where it ran on one. */
  bool transferred;
  uint64_t upload_ns, download_ns;
  double ram_ops; /* RAM complexity of n */
  uint64_t seed;
  struct sample_variant variant;
  bool check_ok;
  long line; /* of the file it was read from; 0: of none */
  size_t counters;
  struct sample_counter counter[SAMPLE_COUNTERS];
};

extern const struct field sample_fields[];

/* A list of struct sample_counter as an object of names and counts. */
extern const struct field_type field_counters;

/* {"record":"sample",...}; the caller owns it.  NULL with errno EINVAL where a
 * field is one the reader would refuse. */
json_t *sample_to_json(const struct sample *sample);

/*
 * Fill `sample` from a sample record.  Returns 0, or -1 with errno EINVAL and
 * in `why` which key is wrong and what it should be.
 */
int sample_from_json(struct sample *sample, const json_t *record,
                     char why[SAMPLE_WHY_SIZE]);

/* Which samples are the same one, the same repetition of the same work on one
 * machine: <0, 0, >0, an order in which the same ones stand together. */
int sample_identity_compare(const struct sample *a, const struct sample *b);

/* Equal of the same ones, hardly ever of others. */
uint64_t sample_identity_hash(const struct sample *sample);

/* What that is, for messages. */
#define SAMPLE_IDENTITY_KEYS                                     \
  "algo, device, alloc, n, pages_asked, generator, input, rep, " \
  "seed, blocks, parameters"

/* False, unset, where there are none, too many or not printable ones. */
bool sample_variant_set_parameters(struct sample_variant *variant,
                                   const char *parameters);

/* Sets file to the last part of `path`, as far as it can be shown. */
void sample_variant_name(struct sample_variant *variant, const char *path);

/* <0, 0, >0: an order in which equal ones stand together. */
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
