/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Bloom filter in front of BLASTN on the processor: each vector against the
 * whole database, a batch of w-mers at a time.
 *
 * Whether a w-mer passes is as good as a coin tossed, so nothing branches on
 * it: of a batch, those that three functions let pass are moved together, and
 * the next three see these alone.  On a KVM guest of Zen 3 that takes 0.4
 * of the time of one w-mer after the other, as far as its first bit not set.
 */
#include <pthread.h>

#include "cpu_algos/blastn.h"
#include "cpu_algos/blastn_layout.h"
#include "cpu_algos/branch.h"
#include "cpu_algos/dna.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/parts.h"
#include "cpu_algos/shares.h"

/* A w-mer has 22 bits; its place in a batch, the others of 32. */
enum { PIECE_BITS = 6, MER_BITS = 2 * CPU_BLASTN_W_MAX, BATCH_WORDS = 16 };

/* The w-mers that begin in `words` words, each with its place there. */
static uint32_t list_mers(const struct cpu_blastn *f, uint32_t first,
                          uint32_t words, uint32_t *list) {
  const uint64_t *letters = (const uint64_t *)(const void *)f->database + first;
  const uint32_t mask = (UINT32_C(1) << 2 * f->w) - 1;
  uint32_t count = 0;
  for (uint32_t word = 0; word < words; word++) {
    uint64_t low = letters[word], high = letters[word + 1];
    const uint32_t starts = f->starts[first + word];
    CPU_UNROLL(4)
    for (uint32_t i = 0; i < 32; i++) {
      list[count] = ((uint32_t)low & mask) | (32 * word + i) << MER_BITS;
      count += starts >> i & 1;
      low = low >> 2 | high << 62;
      high >>= 2;
    }
  }
  return count;
}

/* What up to three functions make of a w-mer, side by side. */
static inline uint64_t values_of(const uint64_t *table, uint32_t mer) {
  uint64_t values = 0;
  CPU_UNROLL(4)
  for (uint32_t piece = 0; piece < CPU_BLASTN_PIECES; piece++) {
    uint32_t x = mer >> PIECE_BITS * piece & (CPU_BLASTN_PIECE - 1);
    values ^= table[piece * CPU_BLASTN_PIECE + x];
  }
  return values;
}

static inline uint32_t bit_of(const uint32_t *vector, uint64_t values,
                              uint32_t number) {
  const uint32_t place = (uint32_t)(values >> CPU_BLASTN_VALUE_BITS * number) &
                         ((UINT32_C(1) << CPU_BLASTN_VALUE_BITS) - 1);
  return vector[place / 32] >> place % 32;
}

/* Of a list those that so many functions let pass, at its begin. */
static inline uint32_t keep(const uint32_t *vector, const uint64_t *table,
                            uint32_t functions, uint32_t *list,
                            uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t entry = list[i];
    const uint64_t values =
        values_of(table, entry & ((UINT32_C(1) << MER_BITS) - 1));
    uint32_t all = 1;
    CPU_UNROLL(3)
    for (uint32_t j = 0; j < functions; j++) all &= bit_of(vector, values, j);
    list[kept] = entry;
    kept += all;
  }
  return kept;
}

static uint32_t keep_passing(const struct cpu_blastn *f, const uint32_t *vector,
                             const uint64_t *table, uint32_t *list,
                             uint32_t count) {
  uint32_t left = f->k;
  for (; left >= 3; left -= 3) {
    count = keep(vector, table, 3, list, count);
    table += CPU_BLASTN_PIECES * CPU_BLASTN_PIECE;
  }
  if (left == 2) return keep(vector, table, 2, list, count);
  return left ? keep(vector, table, 1, list, count) : count;
}

/* How many pass sub-query `sub` in words [first, end) of the database. */
static uint32_t filter_sub_query(const struct cpu_blastn *f, uint32_t sub,
                                 uint32_t first, uint32_t end) {
  const uint32_t *vector = f->vectors + (size_t)sub * cpu_blastn_vector(f);
  const uint64_t *table = f->tables + (size_t)sub * cpu_blastn_table(f);
  uint32_t list[32 * BATCH_WORDS + 1], found = 0;
  for (uint32_t words; first < end; first += words) {
    words = end - first < BATCH_WORDS ? end - first : BATCH_WORDS;
    uint32_t count = list_mers(f, first, words, list);
    count = keep_passing(f, vector, table, list, count);
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t at = list[i] >> MER_BITS;
      f->hits[first + at / 32] |= UINT32_C(1) << at % 32;
    }
    found += count;
  }
  return found;
}

struct filtering {
  struct cpu_blastn filter;
  pthread_mutex_t lock; /* of the counts */
};

/* Words [first, end) of the database, for all sub-queries. */
static void filter_share(void *of, uint32_t first, uint32_t end) {
  struct filtering *filtering = of;
  const struct cpu_blastn *f = &filtering->filter;
  for (uint32_t s = 0; s < f->subs; s++) {
    uint32_t found = filter_sub_query(f, s, first, end);
    pthread_mutex_lock(&filtering->lock);
    f->counts[s] += found;
    pthread_mutex_unlock(&filtering->lock);
  }
}

static unsigned threads_of(const char *parameters) {
  struct blastn_parameters p;
  return blastn_parse(parameters, &p) ? (unsigned)p.threads : 1;
}

static const char *refuse_parameters(const char *parameters) {
  struct blastn_parameters p;
  if (blastn_parse(parameters, &p) && p.chunk == CPU_PARTS_ANY) return NULL;
  return "it takes k=1 to 10, m=1K to 256K bits, a power of two, n-sub=1000 or "
         "more, w=4 to 11 and threads=1 to 256, as in k=6,threads=4";
}

static void filter_database(struct algo_run *run) {
  struct filtering filtering = {cpu_blastn_of(run), PTHREAD_MUTEX_INITIALIZER};
  cpu_shares_run(threads_of(run->parameters), filtering.filter.words,
                 filter_share, &filtering);
}

const struct algo cpu_algo_bloom_blastn_cpu = {
    .name = "bloom_blastn_cpu",
    .title = "Bloom filter of BLASTN",
    .summary = "find the w-mers of a database that may be in a query",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = cpu_blastn_bytes,
    .setup = cpu_blastn_setup,
    .restore = cpu_blastn_restore,
    .run = filter_database,
    .check = cpu_blastn_check,
    .data = "dna",
    .generators = cpu_blastn_generators,
    .bytes_given = cpu_blastn_bytes_given,
    .ops_given = cpu_blastn_ops_given,
    .refuse = cpu_blastn_refuse,
    .refuse_parameters = refuse_parameters,
    .threads = threads_of,
    .answer = cpu_blastn_answer,
    .counts = cpu_blastn_counts,
    .count = cpu_blastn_count,
};
