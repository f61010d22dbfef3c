/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Bloom filter of BLASTN: no false negatives, and as many false positives
 * as the model says (5.18). */
#include <math.h>
#include <string.h>

#include "cpu_algos/blastn.h"
#include "gpu_algos/models/bloom_rate.h"
#include "gpu_algos/models/calibrated.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/gpu_case.h"

enum { MERS, SKIPPED, SUBS, POSITIVES, TRUE_ONES };

/* Letters one by one, not in words. */
static unsigned letter(const uint32_t *letters, uint64_t i) {
  return letters[i / 16] >> 2 * (i % 16) & 3;
}

/* On the processor. */
static struct algo_run run_seeded(uint64_t n, uint64_t seed,
                                  const char *generator,
                                  const char *parameters) {
  const struct algo *algo = cpu_algo_find("bloom_blastn_cpu");
  CU_ASSERT_PTR_NULL_FATAL(algo->refuse_parameters(parameters));
  struct algo_run run = workspace_open(algo, n, seed);
  run.generator = generator;
  run.parameters = parameters;
  algo->setup(&run);
  algo->run(&run);
  CU_ASSERT_PTR_NULL(algo->check(&run));
  return run;
}

static struct algo_run run_there(uint64_t n, const char *generator,
                                 const char *parameters) {
  return run_seeded(n, 7, generator, parameters);
}

/* On the emulator, to the same hits of the same sub-queries. */
static void expect_same(const struct algo_run *there, const struct gpu_set *set,
                        unsigned grid, unsigned block_threads) {
  struct gpu_case c = {gpu_tested(), set,         gpu_index("bloom_blastn"),
                       there->n,     there->seed, NULL};
  const struct algo *algo = gpu_algo(&c);
  struct algo_run run = workspace_open(algo, c.n, c.seed);
  run.generator = there->generator;
  run.parameters = there->parameters;
  run.gpu.grid_blocks = grid;
  run.gpu.block_threads = block_threads;
  algo->setup(&run);
  gpu_case_run(&c, &run);
  CU_ASSERT_PTR_NULL(algo->check(&run));
  struct cpu_blastn a = cpu_blastn_of(there), b = cpu_blastn_of(&run);
  CU_ASSERT_EQUAL_FATAL(a.subs, b.subs);
  CU_ASSERT_EQUAL(memcmp(a.counts, b.counts, a.subs * sizeof *a.counts), 0);
  CU_ASSERT_EQUAL(memcmp(a.hits, b.hits, a.words * sizeof *a.hits), 0);
  workspace_close(&run);
}

/* A long database with some of the parameters. */
static void test_same_on_the_emulator(void) {
  static const char *const parameters[] = {
      "k=1",          "k=10,m=1K",          "w=4",
      "w=5,m=2K,k=3", "n-sub=1000",         "n-sub=1000,w=10,k=2,m=64K",
      "m=8K",         "n-sub=1024,k=7,w=6", "w=11"};
  static const uint64_t sizes[] = {0, 3, 11, 12, 100, 2100, 70000};
  for (size_t p = 0; p < 9; p++)
    for (size_t s = 0; s < (p % 3 == 2 ? 7 : 6); s++) {
      struct algo_run there =
          run_there(sizes[s], s % 2 ? "markov" : NULL, parameters[p]);
      expect_same(&there, gpu_tested(), 0, 0);
      expect_same(&there, gpu_tested(), 3, 96);
      if (gpu_counted() && s < 6) expect_same(&there, gpu_counted(), 1, 1024);
      workspace_close(&there);
    }
}

/* Shares of the database are even or not, or none. */
static void test_same_in_threads(void) {
  static const char *const parameters[] = {"threads=1", "threads=2",
                                           "threads=7"};
  for (uint64_t n = 0; n < 3000; n += 71) {
    struct algo_run alone = run_there(n, NULL, parameters[0]);
    struct cpu_blastn f = cpu_blastn_of(&alone);
    for (size_t p = 1; p < 3; p++) {
      struct algo_run run = run_there(n, NULL, parameters[p]);
      struct cpu_blastn g = cpu_blastn_of(&run);
      CU_ASSERT_EQUAL(memcmp(f.hits, g.hits, f.words * sizeof *f.hits), 0);
      workspace_close(&run);
    }
    workspace_close(&alone);
  }
}

static void test_refused_parameters(void) {
  static const char *const bad[] = {
      "k=0",    "k=11", "m=3K",      "m=512K",   "m=512", "n-sub=9",
      "w=3",    "w=12", "x=1",       "k",        "k=",    "k=6,",
      "k=6;m=", "k=-1", "threads=2", "k=6 m=8K", ",k=6"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CU_ASSERT_PTR_NOT_NULL(cpu_blastn_refuse_parameters(bad[i]));
  CU_ASSERT_PTR_NULL(cpu_blastn_refuse_parameters("chunk=64"));
  CU_ASSERT_PTR_NOT_NULL(cpu_blastn_refuse_parameters("chunk=0"));
  const struct algo *algo = cpu_algo_find("bloom_blastn_cpu");
  CU_ASSERT_PTR_NOT_NULL(algo->refuse_parameters("chunk=64"));
  CU_ASSERT_PTR_NULL(cpu_blastn_refuse_parameters(NULL));
  CU_ASSERT_PTR_NULL(cpu_blastn_refuse_parameters("m=1024,k=10,n-sub=1K"));
}

/* The places in the query of each w-mer are looked up in a plain table. */
static bool *members_of(const uint32_t *query, uint64_t n, unsigned w) {
  bool *members = calloc((size_t)1 << 2 * w, sizeof *members);
  CU_ASSERT_PTR_NOT_NULL_FATAL(members);
  for (uint64_t i = 0; i + w <= n; i++) {
    size_t mer = 0;
    for (unsigned l = 0; l < w; l++) mer = mer * 4 + letter(query, i + l);
    members[mer] = true;
  }
  return members;
}

/* A quarter of the pieces of the database are of the query: w-mers of it, of
 * which all must be hits. */
static void test_no_false_negatives(void) {
  if (check_is_brief()) return;
  const uint64_t n = 7000000, w = 11;
  struct algo_run run = run_there(n, NULL, "n-sub=100000,k=4");
  struct cpu_blastn f = cpu_blastn_of(&run);
  uint64_t queried = 300000, planted = 0, missed = 0;
  bool *members = members_of(cpu_blastn_query(&run), queried, (unsigned)w);
  for (uint64_t i = 0; i + w <= n; i++) {
    size_t mer = 0;
    for (unsigned l = 0; l < w; l++) mer = mer * 4 + letter(f.database, i + l);
    bool hit = f.hits[i / 32] >> i % 32 & 1;
    planted += members[mer];
    missed += members[mer] && !hit;
  }
  CU_ASSERT(planted > 1000000);
  CU_ASSERT_EQUAL(missed, 0);
  free(members);
  workspace_close(&run);
}

/* (5.19): of the w-mers that are not in a sub-query, those that hit. */
static double empirical(const struct algo_run *run, double *strangers) {
  uint64_t count[ALGO_COUNTS];
  cpu_blastn_count(run, count);
  *strangers = (double)(count[MERS] * count[SUBS] - count[TRUE_ONES]);
  return (double)(count[POSITIVES] - count[TRUE_ONES]) / *strangers;
}

enum { LETTERS = 300000 }; /* of a database and its query, or not quite */

/* How far off (5.18) is, of different w-mers, and of all that there are. */
struct off {
  double deviations, all_deviations, all_error;
};

/* Sub-queries are all as long: no w-mers are over. */
static struct off differ_by(uint64_t seed, const char *generator, unsigned k,
                            unsigned m_kib, unsigned n_sub) {
  char parameters[48];
  double strangers, m = 1024. * m_kib, all = n_sub - 10, model = 0;
  const uint64_t most = n_sub < 50000 ? 12 : 4;
  uint64_t subs = LETTERS / n_sub < most ? LETTERS / n_sub : most;
  uint64_t n = subs * (n_sub - 10) + 10;
  snprintf(parameters, sizeof parameters, "k=%u,m=%uK,n-sub=%u", k, m_kib,
           n_sub);
  const struct bloom_rate filter = {m, k, all, 0x1p22};
  struct algo_run run = run_seeded(n, seed, generator, parameters);
  const struct cpu_blastn f = cpu_blastn_of(&run);
  CU_ASSERT_EQUAL(f.subs, subs);
  double measured = empirical(&run, &strangers), each = (double)subs;
  for (uint64_t s = 0; s < subs; s++)
    model += calibrated_fpr(m, k, f.known[s].elements) / each;
  double variance = bloom_rate_variance(&filter, strangers / each) / each;
  double of_all = calibrated_fpr(m, k, all);
  workspace_close(&run);
  return (struct off){fabs(measured - model) / sqrt(variance),
                      fabs(measured - of_all) / sqrt(variance),
                      measured / of_all - 1};
}

/* Of 36 intervals of 95 %, each of letters of its own, two are expected to
 * miss, and seven or more once in 500 times. */
static void test_false_positives_are_the_models(void) {
  if (check_is_brief()) return;
  static const unsigned functions[] = {4, 6, 8, 10}, vectors[] = {64, 128, 256};
  static const unsigned subs[] = {10000, 50000, 300000};
  unsigned outside = 0;
  for (size_t i = 0; i < 36; i++) {
    const unsigned k = functions[i % 4], m = vectors[i / 4 % 3];
    const struct off off = differ_by(i, NULL, k, m, subs[i / 12]);
    outside += off.deviations > 1.96;
    CU_ASSERT(off.deviations < 5);
    if (off.deviations > 1.96)
      fprintf(stderr, "k=%u m=%uK n_sub=%u: %.2f deviations\n", k, m,
              subs[i / 12], off.deviations);
  }
  CU_ASSERT(outside < 7);
}

/* w-mers of correlated DNA repeat, so fewer different ones are in a vector:
 * fewer false positives than of independent letters (figure 5.8), and as many
 * as of those that are different. */
static void test_correlated_dna_has_fewer(void) {
  const struct off off = differ_by(7, "markov", 6, 256, 50000);
  CU_ASSERT(off.all_deviations > 5);
  CU_ASSERT(off.all_error < -0.05 && off.all_error > -0.1);
  CU_ASSERT(off.deviations < 4);
}

/* What (5.18) is of, counted by a table of all w-mers. */
static void test_different_w_mers_are_counted(void) {
  struct algo_run run = run_there(40000, "markov", "n-sub=9000,w=7");
  const struct cpu_blastn f = cpu_blastn_of(&run);
  const uint32_t *query = cpu_blastn_query(&run);
  bool *met = malloc(1 << 14);
  CU_ASSERT_PTR_NOT_NULL_FATAL(met);
  for (uint64_t s = 0, first = 0; s < f.subs; s++, first += 8994) {
    uint64_t end = first + 8994 < 40000 - 6 ? first + 8994 : 40000 - 6;
    uint32_t different = 0;
    memset(met, 0, 1 << 14);
    for (uint64_t i = first; i < end; i++) {
      size_t mer = 0;
      for (unsigned l = 0; l < 7; l++) mer = mer * 4 + letter(query, i + l);
      different += !met[mer];
      met[mer] = true;
    }
    CU_ASSERT_EQUAL(f.known[s].w_mers, end - first);
    CU_ASSERT_EQUAL(f.known[s].elements, different);
  }
  free(met);
  workspace_close(&run);
}

static const struct check_test tests[] = {
    {"hits are the same on the emulator", test_same_on_the_emulator},
    {"and in several threads", test_same_in_threads},
    {"others are refused", test_refused_parameters},
    {"no false negatives", test_no_false_negatives},
    {"false positives are the model's", test_false_positives_are_the_models},
    {"correlated DNA has fewer", test_correlated_dna_has_fewer},
    {"different w-mers are counted", test_different_w_mers_are_counted},
    {NULL, NULL},
};
extern const struct check_suite suite_bloom_blastn;
const struct check_suite suite_bloom_blastn = {"Bloom filter of BLASTN", tests,
                                               gpu_skip_tested};
