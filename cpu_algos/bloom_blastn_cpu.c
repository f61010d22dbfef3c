/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Bloom filter in front of BLASTN on the processor: each vector, which the
 * second cache holds, against the whole database, w-mer by w-mer. */
#include <pthread.h>

#include "cpu_algos/blastn.h"
#include "cpu_algos/blastn_layout.h"
#include "cpu_algos/dna.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/shares.h"

enum { PIECE_BITS = 6 };

static uint32_t place_of(const uint32_t *table, uint64_t mer) {
  uint32_t place = 0;
  for (unsigned piece = 0; piece < CPU_BLASTN_PIECES; piece++) {
    uint64_t x = mer >> PIECE_BITS * piece & (CPU_BLASTN_PIECE - 1);
    place ^= table[piece * CPU_BLASTN_PIECE + x];
  }
  return place;
}

static uint32_t passes(const struct cpu_blastn *f, const uint32_t *vector,
                       const uint32_t *table, uint64_t mer) {
  for (uint32_t j = 0; j < f->k; j++) {
    uint32_t place = place_of(table, mer);
    if (!(vector[place / 32] >> place % 32 & 1)) return 0;
    table += CPU_BLASTN_PIECES * CPU_BLASTN_PIECE;
  }
  return 1;
}

/* Of 32 w-mers: only those that are one are looked at. */
static uint32_t test_word(const struct cpu_blastn *f, const uint32_t *vector,
                          const uint32_t *table, uint32_t word) {
  const uint64_t *letters = (const uint64_t *)(const void *)f->database;
  uint32_t hits = 0;
  for (uint32_t left = f->starts[word]; left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    uint64_t mer = cpu_dna_mer(letters, 32 * (uint64_t)word + i, f->w);
    hits |= passes(f, vector, table, mer) << i;
  }
  return hits;
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
    const uint32_t *vector = f->vectors + (size_t)s * cpu_blastn_vector(f);
    const uint32_t *table = f->tables + (size_t)s * cpu_blastn_table(f);
    uint32_t found = 0;
    for (uint32_t word = first; word < end; word++) {
      uint32_t hits = test_word(f, vector, table, word);
      f->hits[word] |= hits;
      found += (uint32_t)__builtin_popcount(hits);
    }
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
  if (blastn_parse(parameters, &p)) return NULL;
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
