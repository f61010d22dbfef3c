/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of reads by Bloom filters on the processor: read by read, each w-mer
 * of which is hashed once for a group of references. */
#include "cpu_algos/bloom.h"
#include "cpu_algos/dna.h"
#include "cpu_algos/facs.h"
#include "cpu_algos/facs_layout.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/parts.h"
#include "cpu_algos/shares.h"

static bool passes(const struct cpu_facs *f,
                   const struct cpu_facs_vector *vector,
                   const struct cpu_bloom_hash *hash) {
  const uint64_t *words = f->words + vector->begin;
  for (unsigned j = 0; j < f->k; j++) {
    uint64_t place = cpu_bloom_place(hash, j, vector->bits);
    if (!(words[place / 64] >> place % 64 & 1)) return false;
  }
  return true;
}

/* Letters that are covered, and up to where. */
struct cover {
  uint32_t covered;
  uint64_t until;
};

static void add(struct cover *cover, uint64_t i, unsigned w) {
  uint64_t from = cover->until > i ? cover->until : i;
  cover->until = i + w;
  cover->covered += (uint32_t)(cover->until - from);
}

/* A read against references [first, first + count). */
static void look_up(const struct cpu_facs *f, uint32_t read, uint32_t first,
                    uint32_t count, struct cpu_facs_class *class) {
  struct cover cover[CPU_FACS_GROUP] = {{0, 0}}, all = {0, 0};
  for (uint64_t i = f->begins[read]; i < f->begins[read + 1]; i++) {
    if (!cpu_dna_has(f->starts, i)) continue;
    uint64_t mer = cpu_dna_mer(f->letters, i, f->w);
    struct cpu_bloom_hash hash = cpu_bloom_hash_of(cpu_facs_key(mer, f->w));
    add(&all, i, f->w);
    for (uint32_t r = 0; r < count; r++)
      if (passes(f, &f->vectors[first + r], &hash)) add(&cover[r], i, f->w);
  }
  class->letters = all.covered;
  for (uint32_t r = 0; r < count; r++)
    if (cover[r].covered > class->covered) {
      class->covered = cover[r].covered;
      class->reference = first + r + 1;
    }
}

static void classify_share(void *filter, uint32_t begin, uint32_t end) {
  const struct cpu_facs *f = filter;
  for (uint32_t read = begin; read < end; read++) {
    struct cpu_facs_class class = {0};
    for (uint32_t first = 0; first < f->references; first += CPU_FACS_GROUP) {
      uint32_t left = f->references - first;
      look_up(f, read, first, left < CPU_FACS_GROUP ? left : CPU_FACS_GROUP,
              &class);
    }
    if (!cpu_facs_enough(class.covered, class.letters, f->cover))
      class.reference = 0;
    f->classes[read] = class;
  }
}

static unsigned threads_of(const char *parameters) {
  struct facs_parameters p;
  return facs_parse(parameters, &p) ? (unsigned)p.threads : 1;
}

static const char *refuse_parameters(const char *parameters) {
  struct facs_parameters p;
  if (facs_parse(parameters, &p) && p.chunk == CPU_PARTS_ANY) return NULL;
  return "it takes k=1 to 16, bits=1 to 32 of a vector for each letter, "
         "cover=1 to 100 percent, w=8 to 31 and threads=1 to 256, as in "
         "k=6,threads=4";
}

static void classify(struct algo_run *run) {
  struct cpu_facs f = cpu_facs_of(run);
  cpu_shares_run(threads_of(run->parameters), f.reads, classify_share, &f);
}

const struct algo cpu_algo_facs_cpu = {
    .name = "facs_cpu",
    .title = "FACS",
    .summary = "find of which references reads are, by Bloom filters",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = cpu_facs_bytes,
    .setup = cpu_facs_setup,
    .restore = cpu_facs_restore,
    .run = classify,
    .check = cpu_facs_check,
    .data = "reads",
    .bytes_given = cpu_facs_bytes_given,
    .ops_given = cpu_facs_ops_given,
    .refuse = cpu_facs_refuse,
    .refuse_parameters = refuse_parameters,
    .threads = threads_of,
    .answer = cpu_facs_answer,
    .counts = cpu_facs_counts,
    .count = cpu_facs_count,
};
