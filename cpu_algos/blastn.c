/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/blastn.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_algos/blastn_layout.h"
#include "cpu_algos/dna.h"
#include "cpu_algos/parameters.h"
#include "cpu_algos/parts.h"
#include "cpu_algos/random.h"
#include "cpu_algos/say.h"
#include "cpu_algos/shares.h"

enum { ALIGN = 64, N_SUB_LEAST = 1000, QUERY_MOST = 300000 };

/* GPUs count letters in 32 bits. */
static const uint64_t letters_most = UINT64_C(1) << 31;

const char *const cpu_blastn_generators[] = {"uniform", "markov", NULL};

static bool chunk_is_good(uint64_t chunk) {
  return chunk == CPU_PARTS_ANY ||
         (chunk && chunk % BLASTN_CHUNK_UNIT == 0 && chunk <= letters_most);
}

static bool in_range(const struct blastn_parameters *p, uint64_t m) {
  if (m < 1024 || m & (m - 1) || m > UINT64_C(1) << CPU_BLASTN_LG_M_MAX)
    return false;
  return p->k >= 1 && p->k <= CPU_BLASTN_K_MAX && p->w >= 4 &&
         p->w <= CPU_BLASTN_W_MAX && p->n_sub >= N_SUB_LEAST &&
         p->n_sub <= letters_most && p->threads >= 1 &&
         p->threads <= CPU_SHARES_MAX && chunk_is_good(p->chunk);
}

bool blastn_parse(const char *text, struct blastn_parameters *p) {
  uint64_t m = UINT64_C(256) << 10;
  *p = (struct blastn_parameters){
      .w = 11, .k = 6, .n_sub = 50000, .threads = 1, .chunk = CPU_PARTS_ANY};
  const struct cpu_parameter all[] = {{"w", &p->w},
                                      {"k", &p->k},
                                      {"m", &m},
                                      {"n-sub", &p->n_sub},
                                      {"threads", &p->threads},
                                      {"chunk", &p->chunk},
                                      {0}};
  if (!cpu_parameters_take(text, all) || !in_range(p, m)) return false;
  while (m >> (p->lg_m + 1)) p->lg_m++;
  return true;
}

const char *cpu_blastn_refuse_parameters(const char *parameters) {
  struct blastn_parameters p;
  if (blastn_parse(parameters, &p) && p.threads == 1) return NULL;
  return "it takes k=1 to 10, m=1K to 256K bits, a power of two, n-sub=1000 or "
         "more, w=4 to 11 and chunk=, a multiple of 64, as in "
         "k=6,m=256K,n-sub=50000,w=11,chunk=1024K";
}

const char *cpu_blastn_refuse(const struct algo_data *given) {
  if (given->rows < letters_most && given->next->rows < letters_most)
    return NULL;
  return "it takes databases and queries of less than 2^31 letters";
}

uint64_t blastn_query_letters(uint64_t n, const struct algo_data *given) {
  if (given) return given->next->rows;
  return n < QUERY_MOST ? n : QUERY_MOST;
}

/* The most that parameters may ask for: what the workspace is made for. */
static uint64_t words_of(enum cpu_blastn_region region, uint64_t n,
                         uint64_t query) {
  const struct blastn_parameters least = {.w = CPU_BLASTN_W_MAX,
                                          .n_sub = N_SUB_LEAST};
  const struct cpu_blastn most = {.k = CPU_BLASTN_K_MAX};
  uint64_t subs = blastn_subs(query, &least);
  if (!subs) subs = 1; /* of shorter w-mers there may be some */
  const uint64_t words[] = {
      [BLASTN_FACTS] = 1,
      [BLASTN_COUNTS] = subs / 2 + 1,
      [BLASTN_HITS] = cpu_dna_flags(n) + 1,
      [BLASTN_LETTERS] = cpu_dna_words(n) + 1,
      [BLASTN_STARTS] = cpu_dna_flags(n) + 1,
      [BLASTN_QUERY] = cpu_dna_words(query) + 1,
      [BLASTN_QUERY_STARTS] = cpu_dna_flags(query) + 1,
      [BLASTN_KNOWN] = (subs * sizeof(struct cpu_blastn_sub) + 7) / 8,
      [BLASTN_MEMBERS] = query / 2 + 1,
      [BLASTN_TABLES] = subs * cpu_blastn_table(&most),
      [BLASTN_VECTORS] = subs << (CPU_BLASTN_LG_M_MAX - 6)};
  return (words[region] + ALIGN - 1) / ALIGN * ALIGN;
}

static uint64_t begin_of(enum cpu_blastn_region region, uint64_t n,
                         uint64_t query) {
  uint64_t begin = 0;
  for (int r = 0; r < (int)region; r++)
    begin += words_of((enum cpu_blastn_region)r, n, query);
  return begin;
}

static size_t bytes_of(uint64_t n, uint64_t query) {
  if (n >= letters_most || query >= letters_most) return 0;
  return (size_t)begin_of(BLASTN_REGIONS, n, query) * sizeof(uint64_t);
}

size_t cpu_blastn_bytes(uint64_t n) {
  return bytes_of(n, blastn_query_letters(n, NULL));
}

size_t cpu_blastn_bytes_given(const struct algo_data *given) {
  return bytes_of(given->rows, given->next->rows);
}

double cpu_blastn_ops_given(const struct algo_data *given) {
  return given->rows ? (double)given->rows : 1;
}

struct blastn_parameters blastn_parameters_of(const struct algo_run *run) {
  struct blastn_parameters p;
  if (!blastn_parse(run->parameters, &p)) abort();
  return p;
}

size_t blastn_offset(const struct algo_run *run,
                     enum cpu_blastn_region region) {
  const uint64_t n = blastn_letters(run);
  if (run->chunk) return blastn_part_offset(run, region);
  return (size_t)begin_of(region, n, blastn_query_letters(n, run->given)) *
         sizeof(uint64_t);
}

uint64_t *blastn_region(const struct algo_run *run,
                        enum cpu_blastn_region region) {
  return (uint64_t *)(void *)(run->memory + blastn_offset(run, region));
}

static uint32_t *halves(const struct algo_run *run,
                        enum cpu_blastn_region region) {
  return (uint32_t *)(void *)blastn_region(run, region);
}

struct cpu_blastn cpu_blastn_of(const struct algo_run *run) {
  const struct blastn_parameters p = blastn_parameters_of(run);
  const uint64_t all = blastn_letters(run), n = blastn_part_letters(run);
  const uint64_t query = blastn_query_letters(all, run->given);
  return (struct cpu_blastn){
      .w = (uint32_t)p.w,
      .k = (uint32_t)p.k,
      .lg_m = (uint32_t)p.lg_m,
      .n_sub = (uint32_t)p.n_sub,
      .subs = (uint32_t)blastn_subs(query, &p),
      .words = (uint32_t)((n + 31) / 32),
      .letters = n,
      .database = halves(run, BLASTN_LETTERS),
      .starts = halves(run, BLASTN_STARTS),
      .tables = blastn_region(run, BLASTN_TABLES),
      .vectors = halves(run, BLASTN_VECTORS),
      .known = run->chunk ? NULL
                          : (struct cpu_blastn_sub *)(void *)blastn_region(
                                run, BLASTN_KNOWN),
      .counts = halves(run, BLASTN_COUNTS),
      .hits = halves(run, BLASTN_HITS)};
}

const uint32_t *cpu_blastn_query(const struct algo_run *run) {
  if (run->given) return (const uint32_t *)run->given->next->items;
  return halves(run, BLASTN_QUERY);
}

void cpu_blastn_restore(struct algo_run *run) {
  uint64_t *begin = blastn_region(run, BLASTN_COUNTS);
  uint64_t *end = blastn_region(run, BLASTN_LETTERS);
  memset(begin, 0, (size_t)((char *)end - (char *)begin));
}

const char *const cpu_blastn_counts[] = {"w_mers",         "skipped_w_mers",
                                         "sub_queries",    "positives",
                                         "true_positives", NULL};

void cpu_blastn_count(const struct algo_run *run,
                      uint64_t values[ALGO_COUNTS]) {
  struct cpu_blastn f = cpu_blastn_of(run);
  const uint64_t *facts = blastn_region(run, BLASTN_FACTS);
  values[0] = facts[BLASTN_MERS];
  values[1] = facts[BLASTN_SKIPPED];
  values[2] = f.subs;
  values[3] = values[4] = 0;
  for (uint32_t s = 0; s < f.subs; s++) {
    values[3] += f.counts[s];
    values[4] += f.known[s].true_positives;
  }
}

/* The hits, a bit for each letter, and where records begin. */
void cpu_blastn_answer(const struct algo_run *run, struct algo_data *answer) {
  *answer = (struct algo_data){.count = blastn_letters(run),
                               .items = blastn_region(run, BLASTN_HITS),
                               .next = run->given};
}
