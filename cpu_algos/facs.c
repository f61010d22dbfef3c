/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/facs.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_algos/dna.h"
#include "cpu_algos/facs_layout.h"
#include "cpu_algos/parameters.h"
#include "cpu_algos/parts.h"
#include "cpu_algos/shares.h"

enum { ALIGN = 64, BITS_MOST = 32, W_LEAST = 8 };

/* Letters of each reference that is generated; 175000 make a vector of 512 KiB,
 * the thesis' own. */
enum { REFERENCE_LEAST = 1000, REFERENCE_MOST = 175000 };

/* Covered letters are counted in 32 bits, and so are references. */
static const uint64_t letters_most = UINT64_C(1) << 31;
static const uint64_t references_most = UINT64_C(1) << 36;

static bool in_range(const struct facs_parameters *p) {
  return p->chunk && (!p->w || (p->w >= W_LEAST && p->w <= CPU_FACS_W_MAX)) &&
         p->k >= 1 && p->k <= CPU_FACS_K_MAX && p->bits >= 1 &&
         p->bits <= BITS_MOST && p->cover >= 1 && p->cover <= 100 &&
         p->threads >= 1 && p->threads <= CPU_SHARES_MAX;
}

bool facs_parse(const char *text, struct facs_parameters *p) {
  uint64_t w = UINT64_MAX; /* so that 0 is refused */
  *p = (struct facs_parameters){
      .k = 6, .bits = 24, .cover = 33, .threads = 1, .chunk = CPU_PARTS_ANY};
  const struct cpu_parameter all[] = {{"w", &w},
                                      {"k", &p->k},
                                      {"bits", &p->bits},
                                      {"cover", &p->cover},
                                      {"threads", &p->threads},
                                      {"chunk", &p->chunk},
                                      {0}};
  if (!cpu_parameters_take(text, all) || !w) return false;
  if (w != UINT64_MAX) p->w = w;
  return in_range(p);
}

const char *cpu_facs_refuse_parameters(const char *parameters) {
  struct facs_parameters p;
  if (facs_parse(parameters, &p) && p.threads == 1) return NULL;
  return "it takes k=1 to 16, bits=1 to 32 of a vector for each letter, "
         "cover=1 to 100 percent, w=8 to 31 and chunk=, 1 or more, as in "
         "k=6,bits=24,cover=33,chunk=10000";
}

const char *cpu_facs_refuse(const struct algo_data *given) {
  if (given->rows >= letters_most)
    return "it takes reads of less than 2^31 letters in all";
  if (given->next->rows >= references_most || given->next->cols >= letters_most)
    return "it takes less than 2^31 references of less than 2^36 letters";
  if (!given->next->cols) return "there is no reference";
  return NULL;
}

struct facs_size facs_size_of(uint64_t n, const struct algo_data *given) {
  if (given)
    return (struct facs_size){given->rows, given->cols, given->next->rows,
                              given->next->cols};
  uint64_t one = REFERENCE_LEAST + n / 20;
  if (one > REFERENCE_MOST) one = REFERENCE_MOST;
  return (struct facs_size){n, (n + FACS_READ - 1) / FACS_READ,
                            CPU_FACS_FOREIGN * one, CPU_FACS_FOREIGN};
}

/* The most that parameters may ask for: what the workspace is made for. */
static uint64_t words_of(enum cpu_facs_region region,
                         const struct facs_size *size) {
  const uint64_t words[] = {
      [FACS_FACTS] = ALIGN,
      [FACS_CLASSES] = 2 * size->reads,
      [FACS_LETTERS] = cpu_dna_words(size->letters) + 1,
      [FACS_STARTS] = cpu_dna_flags(size->letters) + 1,
      [FACS_BEGINS] = size->reads + 1,
      [FACS_REFERENCE] = cpu_dna_words(size->reference_letters) + 1,
      [FACS_REFERENCE_STARTS] = cpu_dna_flags(size->reference_letters) + 1,
      [FACS_REFERENCE_BEGINS] = CPU_FACS_FOREIGN,
      [FACS_VECTORS] = 2 * size->references,
      [FACS_WORDS] = cpu_dna_words(size->reference_letters) *
                         (BITS_MOST / 2) + /* of 64 bits, and 32 letters */
                     size->references};
  return (words[region] + ALIGN - 1) / ALIGN * ALIGN;
}

static uint64_t begin_of(enum cpu_facs_region region,
                         const struct facs_size *size) {
  uint64_t begin = 0;
  for (int r = 0; r < (int)region; r++)
    begin += words_of((enum cpu_facs_region)r, size);
  return begin;
}

static size_t bytes_of(const struct facs_size *size) {
  if (size->letters >= letters_most) return 0;
  return (size_t)begin_of(FACS_REGIONS, size) * sizeof(uint64_t);
}

size_t cpu_facs_bytes(uint64_t n) {
  struct facs_size size = facs_size_of(n, NULL);
  return bytes_of(&size);
}

size_t cpu_facs_bytes_given(const struct algo_data *given) {
  struct facs_size size = facs_size_of(0, given);
  return bytes_of(&size);
}

double cpu_facs_ops_given(const struct algo_data *given) {
  return given->rows ? (double)given->rows : 1;
}

size_t facs_offset(const struct algo_run *run, enum cpu_facs_region region) {
  struct facs_size size = facs_size_of(run->n, run->given);
  if (run->chunk) return facs_part_offset(run, region);
  return (size_t)begin_of(region, &size) * sizeof(uint64_t);
}

uint64_t *facs_region(const struct algo_run *run, enum cpu_facs_region region) {
  return (uint64_t *)(void *)(run->memory + facs_offset(run, region));
}

struct facs_parameters facs_parameters_of(const struct algo_run *run) {
  struct facs_parameters p;
  if (!facs_parse(run->parameters, &p)) abort();
  return p;
}

static unsigned usual_w(const struct facs_size *size,
                        const struct algo_data *references) {
  uint64_t longest = size->reference_letters / size->references;
  if (references) {
    struct cpu_dna dna = cpu_dna_of(references);
    longest = 0;
    for (uint64_t r = 0; r < dna.records; r++) {
      uint64_t letters = cpu_dna_record_end(&dna, r) - dna.begins[r];
      if (letters > longest) longest = letters;
    }
  }
  unsigned w = W_LEAST;
  while (w < CPU_FACS_W_MAX && UINT64_C(1) << 2 * w < 1000 * longest) w++;
  return w;
}

struct cpu_facs cpu_facs_of(const struct algo_run *run) {
  const struct facs_parameters p = facs_parameters_of(run);
  const struct facs_size size = facs_size_of(run->n, run->given);
  const struct facs_part part = facs_part_of(run);
  return (struct cpu_facs){
      .w = p.w ? (uint32_t)p.w
               : usual_w(&size, run->given ? run->given->next : NULL),
      .k = (uint32_t)p.k,
      .cover = (uint32_t)p.cover,
      .reads = (uint32_t)(part.end - part.first),
      .references = (uint32_t)size.references,
      .letters = facs_region(run, FACS_LETTERS),
      .starts = facs_region(run, FACS_STARTS),
      .begins = facs_region(run, FACS_BEGINS),
      .origin = facs_origin(&part),
      .vectors = (const void *)facs_region(run, FACS_VECTORS),
      .words = facs_region(run, FACS_WORDS),
      .classes = (void *)facs_region(run, FACS_CLASSES)};
}

uint64_t cpu_facs_key(uint64_t mer, unsigned w) {
  uint64_t other = cpu_dna_reverse(mer, w);
  return mer < other ? mer : other;
}

void cpu_facs_restore(struct algo_run *run) {
  uint64_t *begin = facs_region(run, FACS_CLASSES);
  uint64_t *end = facs_region(run, FACS_LETTERS);
  memset(begin, 0, (size_t)((char *)end - (char *)begin));
}

const char *const cpu_facs_counts[] = {"reads", "classified", "w_mers",
                                       "skipped_w_mers", NULL};

void cpu_facs_count(const struct algo_run *run, uint64_t values[ALGO_COUNTS]) {
  struct cpu_facs f = cpu_facs_of(run);
  const uint64_t *facts = facs_region(run, FACS_FACTS);
  values[0] = f.reads;
  values[1] = 0;
  for (uint32_t r = 0; r < f.reads; r++) values[1] += !!f.classes[r].reference;
  values[2] = facts[FACS_MERS];
  values[3] = facts[FACS_SKIPPED];
}

void cpu_facs_answer(const struct algo_run *run, struct algo_data *answer) {
  struct cpu_facs f = cpu_facs_of(run);
  *answer = (struct algo_data){.count = f.reads, .items = f.classes};
}
