/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/results.h -- results files: JSON Lines, append only.
 *
 * The first line is a machine record, the second the plan it was made by, then
 * a sample a line.  Each line is written whole, so a file survives a kill; a
 * half line at the end is dropped by the reader and cut off before appending.
 * Errors are reported as a sentence "FILE:LINE: what, and the fix", for the
 * caller to print.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "experiments/results/sample.h"

/* What the machine was like meanwhile: benchmarks that are always the same,
 * timed between others. */
struct results_canary {
  uint32_t pass;            /* over all sizes, from 0 on */
  double ns_per_op;         /* of a loop that only computes */
  char pages[HP_NAME_SIZE]; /* of the settled chase; empty: there was none */
  double bytes, ns;         /* its footprint, and the time of an access */
  /* The same of the line chase, which others had no time to disturb; 0: there
   * was none. */
  double line_bytes, line_ns;
};

extern const struct field canary_fields[];

/* What a translation cache of the VAT model would miss: in records of their
 * own, one per algorithm, size and page kind, so that nobody takes them for
 * measurements. */
struct simulated {
  char algo[SAMPLE_NAME_SIZE];
  char device[16];
  uint64_t n;
  char pages[HP_NAME_SIZE];
  uint64_t seed;
  char policy[16];
  uint64_t tc_nodes; /* W */
  /* The tree: pages of 2^page_bits bytes, 2^index_bits children a node. */
  uint64_t page_bits, index_bits, levels;
  uint64_t accesses; /* loads and stores of the workspace */
  uint64_t misses;   /* of the TC, over all layers */
};

/* {"record":"simulated",...}; and of it what is of the cache alone. */
extern const struct field simulated_fields[], simulated_cache_fields[];

/* The first of `count` records that is of this algorithm, device, size and page
 * kind; NULL: none. */
const struct simulated *simulated_find(const struct simulated *records,
                                       size_t count, const char *algo,
                                       const char *device, uint64_t n,
                                       const char *pages);

struct results {
  json_t *machine; /* the machine record */
  json_t *plan; /* {"record":"plan",...} or NULL; of a merged file the first */
  size_t runs;  /* machine records: several in a merged file */
  struct sample *samples;
  size_t count;
  struct simulated *simulated; /* what was simulated beside them */
  size_t simulated_count;
  struct results_canary *canary; /* what the machine was like meanwhile */
  size_t canary_count;
  bool cut;        /* a half line at the end was dropped */
  long good_bytes; /* length of the file up to the last whole line */
};

enum { RESULTS_ERROR_SIZE = 512 };

/*
 * Read `path` (checked line by line: schema, types, names, no sample twice).
 * Returns 0, or -1 with `error` filled and errno ENOENT/EACCES/...; EINVAL (not
 * a regular file, or not a results file of this schema); or ENODATA: an empty
 * file, or the beginning of a results file with no sample and no whole plan,
 * as a run that was killed at once leaves.  Nothing is lost by starting such a
 * file anew; `machine` (NULL: no whole line) and `good_bytes` tell what it has.
 * Release with results_fini() in either case.
 */
int results_read(struct results *results, const char *path,
                 char error[RESULTS_ERROR_SIZE]);
void results_fini(struct results *results);

/*
 * The same of a file that may hold several machines, as `vat merge` makes them:
 * the samples of each, whichever of its runs they are of, in the order of the
 * machines' first records.  Release each, and free() *machines; on failure
 * there are none.
 */
int results_read_machines(struct results **machines, size_t *count,
                          const char *path, char error[RESULTS_ERROR_SIZE]);

/* Are two machine records of one machine, or of two of one kind, whose samples
 * may stand in for each other?  By the processor, the memory, what virtual
 * machine it is and the GPU; no name is recorded that could tell more. */
bool results_same_machine(const json_t *a, const json_t *b);

/* What to say, behind the file's name, where `cut`. */
#define RESULTS_CUT                                                           \
  "an incomplete last line was dropped; `vat run --resume` measures what is " \
  "missing"

/*
 * Append to `path`: create a new file that must not exist (keep_bytes < 0), or
 * continue one cut to its first `keep_bytes`, which may lose a half line only.
 * NULL with errno set: EWOULDBLOCK while another writer has the file open,
 * ESTALE when whole lines were added (or lost) since it was read: read again.
 */
struct results_writer;
struct results_writer *results_writer_create(const char *path, long keep_bytes);
/*
 * Create `path`, which must not exist (EEXIST), already holding the records of
 * the JSON array `header`: it appears with all of them or not at all.  NULL
 * with errno set.
 */
struct results_writer *results_writer_begin(const char *path,
                                            const json_t *header);
/* Write the record and release it; NULL is none (EINVAL).  0, or -1 with errno
 * set and nothing half-written left behind. */
int results_write_new(struct results_writer *writer, json_t *record);
/* Returns 0, or -1 with errno set when data could not be made durable. */
int results_writer_destroy(struct results_writer *writer); /* NULL is fine */
