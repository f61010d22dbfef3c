/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FACS: reads are classified, and alike on GPUs and on the processor. */
#include <string.h>

#include "cpu_algos/dna.h"
#include "cpu_algos/facs.h"
#include "cpu_algos/random.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/gpu_case.h"

enum { READS, CLASSIFIED, MERS, SKIPPED };

static struct algo_run set_up(const struct algo *algo, uint64_t n,
                              uint64_t seed, const struct algo_data *given,
                              const char *parameters) {
  size_t bytes = given ? algo->bytes_given(given) : algo->bytes(n);
  struct algo_run run = workspace_of(bytes, n, seed);
  run.given = given;
  run.parameters = parameters;
  algo->setup(&run);
  return run;
}

/* On the processor. */
static struct algo_run run_there(uint64_t n, uint64_t seed,
                                 const struct algo_data *given,
                                 const char *parameters) {
  const struct algo *algo = cpu_algo_find("facs_cpu");
  CU_ASSERT_PTR_NULL_FATAL(algo->refuse_parameters(parameters));
  struct algo_run run = set_up(algo, n, seed, given, parameters);
  algo->run(&run);
  CU_ASSERT_PTR_NULL(algo->check(&run));
  return run;
}

/* On the emulator, read by read. */
static void expect_same(const struct algo_run *there, const struct gpu_set *set,
                        unsigned grid, unsigned block_threads) {
  struct gpu_case c = {gpu_tested(), set,         gpu_index("facs"),
                       there->n,     there->seed, NULL};
  struct algo_run run =
      set_up(gpu_algo(&c), c.n, c.seed, there->given, there->parameters);
  run.gpu.grid_blocks = grid;
  run.gpu.block_threads = block_threads;
  gpu_case_run(&c, &run);
  struct cpu_facs a = cpu_facs_of(there), b = cpu_facs_of(&run);
  size_t differ = 0;
  CU_ASSERT_EQUAL_FATAL(a.reads, b.reads);
  for (uint32_t r = 0; r < a.reads; r++)
    differ += !!memcmp(&a.classes[r], &b.classes[r], sizeof *a.classes);
  CU_ASSERT_EQUAL(differ, 0);
  workspace_close(&run);
}

static void test_same_on_the_emulator(void) {
  static const char *const parameters[] = {
      NULL, "k=1,bits=1", "w=8,k=16", "w=31,cover=1", "cover=100,bits=32,k=3"};
  static const uint64_t sizes[] = {0, 3, 149, 150, 151, 20000};
  for (size_t p = 0; p < 5; p++)
    for (size_t s = 0; s < 6; s++) {
      struct algo_run there = run_there(sizes[s], s, NULL, parameters[p]);
      expect_same(&there, gpu_tested(), 0, 0);
      expect_same(&there, gpu_tested(), 3, 32);
      if (gpu_counted() && s < 5) expect_same(&there, gpu_counted(), 1, 1024);
      workspace_close(&there);
    }
}

/* Shares of the reads are even or not, or none. */
static void test_same_in_threads(void) {
  for (uint64_t n = 0; n < 3000; n += 371) {
    struct algo_run alone = run_there(n, 1, NULL, "threads=1");
    struct algo_run run = run_there(n, 1, NULL, "threads=7");
    struct cpu_facs a = cpu_facs_of(&alone), b = cpu_facs_of(&run);
    CU_ASSERT_EQUAL(memcmp(a.classes, b.classes, a.reads * sizeof *a.classes),
                    0);
    workspace_close(&alone);
    workspace_close(&run);
  }
}

/* Of all that are said to be of a reference, and of all that are. */
static void expect_good(uint64_t letters, uint64_t seed) {
  struct algo_run run = run_there(letters, seed, NULL, NULL);
  struct cpu_facs f = cpu_facs_of(&run);
  double right = 0, said = 0, drawn = 0;
  for (uint32_t r = 0; r < f.reads; r++) {
    unsigned source = cpu_facs_source(seed, r);
    uint32_t found = f.classes[r].reference;
    said += found > 0;
    drawn += source != CPU_FACS_FOREIGN;
    right += found == source + 1 && source != CPU_FACS_FOREIGN;
  }
  CU_ASSERT(drawn > 0.7 * f.reads && drawn < 0.8 * f.reads);
  CU_ASSERT(right >= 0.98 * said);
  CU_ASSERT(right >= 0.98 * drawn);
  if (right < 0.98 * said || right < 0.98 * drawn)
    fprintf(stderr, "precision %.4f, recall %.4f\n", right / said,
            right / drawn);
  workspace_close(&run);
}

/* Where references are short, and where they are as long as they get. */
static void test_precision_and_recall(void) {
  for (uint64_t seed = 1; seed < 4; seed++) expect_good(150000, seed);
  expect_good(1000000, 4);
}

/* Records of letters as text, all known but N. */
struct text_data {
  struct algo_data data;
  uint64_t items[600];
};

static const char letters[] = "ACGT";

static struct algo_data *data_of(struct text_data *d,
                                 const char *const *records) {
  uint64_t n = 0, count = 0, begins[100];
  *d = (struct text_data){.data = {.items = d->items}};
  for (; records[count]; n += strlen(records[count++])) begins[count] = n;
  uint64_t *known = d->items + cpu_dna_words(n);
  for (uint64_t r = 0; r < count; r++)
    for (uint64_t l = 0; records[r][l]; l++) {
      uint64_t i = begins[r] + l;
      const char *at = strchr(letters, records[r][l]);
      if (!at) continue;
      d->items[i / 32] |= (uint64_t)(at - letters) << 2 * (i % 32);
      known[i / 64] |= UINT64_C(1) << i % 64;
    }
  memcpy(known + cpu_dna_flags(n), begins, count * sizeof *begins);
  d->data.rows = n;
  d->data.cols = count;
  d->data.count = cpu_dna_items(n, count);
  return &d->data;
}

static void expect_classes(const char *const *reads,
                           const char *const *references,
                           const uint32_t (*expected)[3]) {
  static struct text_data of_reads, of_references;
  struct algo_data *given = data_of(&of_reads, reads);
  given->next = data_of(&of_references, references);
  CU_ASSERT_PTR_NULL_FATAL(cpu_facs_refuse(given));
  struct algo_run there = run_there(cpu_given_n(given), 1, given, "w=8");
  struct cpu_facs f = cpu_facs_of(&there);
  for (uint32_t r = 0; r < f.reads; r++) {
    CU_ASSERT_EQUAL(f.classes[r].reference, expected[r][0]);
    CU_ASSERT_EQUAL(f.classes[r].covered, expected[r][1]);
    CU_ASSERT_EQUAL(f.classes[r].letters, expected[r][2]);
  }
  expect_same(&there, gpu_tested(), 0, 0);
  expect_same(&there, gpu_tested(), 1, 32);
  workspace_close(&there);
}

/* By hand: both strands, an error, what is not known, what is too short. */
static void test_by_hand(void) {
  static const char *const references[] = {
      "ACGGTCAATTGCCGATAGGCTTAACGCATCGA", "", "TTGACCTAGGACTTCAAGCGTACCAGTTGG",
      "ACGGTCAATTGCCGATAGGCTTAACGCATCGA", NULL};
  static const char *const reads[] = {
      "GGTCAATTGCCG",              /* of 1 and of 4: the first */
      "CGGCAATTGACC",              /* from its other strand */
      "TTGACCTAGGCCTTCAAGCGTA",    /* an error in the middle */
      "TTGACCTANGGACTTCAAGC",      /* no w-mer over N is one */
      "TTGACCTNGGACTTC",           /* none at all */
      "",                          /* nor here */
      "AAAAAAAAAAAAAAAAAAAAAAAA",  /* foreign */
      "TTGACCTACCCCCCCCCCCCCCCCC", /* too little is covered */
      NULL};
  static const uint32_t expected[][3] = {{1, 12, 12}, {1, 12, 12}, {3, 21, 22},
                                         {3, 19, 19}, {0, 0, 0},   {0, 0, 0},
                                         {0, 0, 24},  {0, 8, 25}};
  expect_classes(reads, references, expected);
}

/* More references than are looked at together, and reads longer than blocks. */
static void test_many_references(void) {
  enum { REFERENCES = 70, LENGTH = 60 };
  static char text[REFERENCES][LENGTH + 1], whole[3 * LENGTH + 1];
  const char *references[REFERENCES + 1] = {NULL}, *reads[8] = {NULL};
  static const uint32_t of[] = {0, 31, 32, 63, 64, 69};
  uint32_t expected[7][3];
  for (size_t i = 0; i < (size_t)REFERENCES * LENGTH; i++)
    text[i / LENGTH][i % LENGTH] = letters[cpu_random_at(3, i) >> 62];
  for (size_t r = 0; r < REFERENCES; r++) references[r] = text[r];
  for (size_t r = 0; r < 6; r++) {
    reads[r] = text[of[r]];
    memcpy(expected[r], (uint32_t[]){of[r] + 1, LENGTH, LENGTH},
           sizeof *expected);
  }
  snprintf(whole, sizeof whole, "%s%.55s%s", text[40], text[41], text[40]);
  reads[6] = whole;
  memcpy(expected[6], (uint32_t[]){41, 2 * LENGTH, 2 * LENGTH + 55},
         sizeof *expected);
  expect_classes(reads, references, expected);
}

static void test_refused(void) {
  static const char *const bad[] = {
      "k=0", "k=17", "w=0",  "w=7",       "w=32",    "bits=0",   "bits=33",
      "k=",  "m=8K", "k=6,", "threads=2", "cover=0", "cover=101"};
  static const char *const none[] = {NULL};
  static struct text_data empty;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CU_ASSERT_PTR_NOT_NULL(cpu_facs_refuse_parameters(bad[i]));
  CU_ASSERT_PTR_NULL(cpu_facs_refuse_parameters("w=31,k=16,bits=1,cover=100"));
  struct algo_data reads = *data_of(&empty, none);
  reads.next = &empty.data;
  CU_ASSERT_PTR_NOT_NULL(cpu_facs_refuse(&reads));
}

static const struct check_test tests[] = {
    {"classes are the same on the emulator", test_same_on_the_emulator},
    {"and in several threads", test_same_in_threads},
    {"precision and recall are 0.98 at least", test_precision_and_recall},
    {"reads and references by hand", test_by_hand},
    {"many references", test_many_references},
    {"others are refused", test_refused},
    {NULL, NULL},
};
extern const struct check_suite suite_facs;
const struct check_suite suite_facs = {"FACS", tests, gpu_skip_tested};
