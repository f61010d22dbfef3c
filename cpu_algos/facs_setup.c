/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated reads and references, vectors, and what a run is to find. */
#include <string.h>

#include "cpu_algos/bloom.h"
#include "cpu_algos/dna.h"
#include "cpu_algos/facs.h"
#include "cpu_algos/facs_layout.h"
#include "cpu_algos/random.h"

/* Of letters at random; of letters of a read that are others, one in twenty. */
enum { LETTER_BITS = 62, ERRORS = 20 };

static struct cpu_random random_of(uint64_t seed, uint64_t read) {
  return (struct cpu_random){cpu_random_at(cpu_random_mix(seed), read)};
}

unsigned cpu_facs_source(uint64_t seed, uint64_t read) {
  struct cpu_random random = random_of(seed, read);
  return (unsigned)cpu_random_below(&random, CPU_FACS_FOREIGN + 1);
}

static struct cpu_dna generate_references(const struct algo_run *run,
                                          const struct facs_size *size) {
  uint64_t *letters = facs_region(run, FACS_REFERENCE);
  uint64_t *begins = facs_region(run, FACS_REFERENCE_BEGINS);
  struct cpu_random random = {~run->seed};
  memset(letters, 0,
         (cpu_dna_words(size->reference_letters) + 1) * sizeof *letters);
  for (uint64_t i = 0; i < size->reference_letters; i++)
    cpu_dna_put(letters, i, cpu_random_next(&random) >> LETTER_BITS);
  for (uint64_t r = 0; r < CPU_FACS_FOREIGN; r++)
    begins[r] = size->reference_letters / CPU_FACS_FOREIGN * r;
  return (struct cpu_dna){letters, NULL, begins, size->reference_letters,
                          CPU_FACS_FOREIGN};
}

/* One read, from either strand of its reference where it is of one. */
static void generate_read(uint64_t seed, uint64_t read, uint64_t *letters,
                          uint64_t begin, uint64_t end,
                          const struct cpu_dna *references) {
  struct cpu_random random = random_of(seed, read);
  uint64_t source = cpu_random_below(&random, CPU_FACS_FOREIGN + 1);
  uint64_t count = end - begin, length = references->n / CPU_FACS_FOREIGN;
  uint64_t from = cpu_random_below(&random, length - count + 1);
  bool other_strand = cpu_random_next(&random) & 1;
  from += source * length;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t at = other_strand ? from + count - 1 - i : from + i;
    uint64_t letter = cpu_random_next(&random) >> LETTER_BITS;
    bool error = !cpu_random_below(&random, ERRORS);
    if (source < CPU_FACS_FOREIGN) {
      uint64_t true_one = cpu_dna_letter(references->letters, at);
      if (other_strand) true_one = 3 - true_one;
      letter = error ? (true_one + 1 + letter % 3) % 4 : true_one;
    }
    cpu_dna_put(letters, begin + i, letter);
  }
}

static struct cpu_dna generate_reads(const struct algo_run *run,
                                     const struct facs_size *size,
                                     const struct cpu_dna *references) {
  uint64_t *letters = facs_region(run, FACS_LETTERS);
  uint64_t *begins = facs_region(run, FACS_BEGINS);
  memset(letters, 0, (cpu_dna_words(size->letters) + 1) * sizeof *letters);
  for (uint64_t r = 0; r < size->reads; r++) {
    uint64_t begin = r * FACS_READ, end = begin + FACS_READ;
    if (end > size->letters) end = size->letters;
    begins[r] = begin;
    generate_read(run->seed, r, letters, begin, end, references);
  }
  return (struct cpu_dna){letters, NULL, begins, size->letters, size->reads};
}

/* Letters, begins and starts of reads and references; the latter returned. */
static struct cpu_dna make_letters(const struct algo_run *run, unsigned w) {
  struct facs_size size = facs_size_of(run->n, run->given);
  struct cpu_dna references, reads;
  uint64_t *letters = facs_region(run, FACS_LETTERS);
  uint64_t *begins = facs_region(run, FACS_BEGINS);
  uint64_t *facts = facs_region(run, FACS_FACTS);
  if (run->given) {
    reads = cpu_dna_of(run->given);
    references = cpu_dna_of(run->given->next);
    memcpy(letters, reads.letters, cpu_dna_words(reads.n) * sizeof *letters);
    memcpy(begins, reads.begins, reads.records * sizeof *begins);
    letters[cpu_dna_words(reads.n)] = 0;
  } else {
    references = generate_references(run, &size);
    reads = generate_reads(run, &size, &references);
  }
  begins[size.reads] = size.letters;
  uint64_t *starts = facs_region(run, FACS_STARTS);
  facts[FACS_SKIPPED] = cpu_dna_starts(&reads, w, starts);
  facts[FACS_MERS] = 0;
  for (uint64_t i = 0; i < reads.n; i++)
    facts[FACS_MERS] += cpu_dna_has(starts, i);
  cpu_dna_starts(&references, w, facs_region(run, FACS_REFERENCE_STARTS));
  return references;
}

/* Of each reference, one behind the other. */
static void make_vectors(const struct algo_run *run, const struct cpu_facs *f,
                         const struct cpu_dna *references, uint64_t bits) {
  struct cpu_facs_vector *vectors = (void *)facs_region(run, FACS_VECTORS);
  uint64_t *words = facs_region(run, FACS_WORDS), begin = 0;
  const uint64_t *starts = facs_region(run, FACS_REFERENCE_STARTS);
  for (uint64_t r = 0; r < references->records; r++) {
    uint64_t end = cpu_dna_record_end(references, r);
    uint64_t full = facs_vector_words(end - references->begins[r], bits);
    uint64_t *vector = words + begin;
    vectors[r] = (struct cpu_facs_vector){begin, 64 * full};
    memset(vector, 0, full * sizeof *vector);
    for (uint64_t i = references->begins[r]; i < end; i++) {
      if (!cpu_dna_has(starts, i)) continue;
      uint64_t mer = cpu_dna_mer(references->letters, i, f->w);
      struct cpu_bloom_hash hash = cpu_bloom_hash_of(cpu_facs_key(mer, f->w));
      for (unsigned j = 0; j < f->k; j++) {
        uint64_t place = cpu_bloom_place(&hash, j, 64 * full);
        vector[place / 64] |= UINT64_C(1) << place % 64;
      }
    }
    begin += full;
  }
}

/* As it is defined, letter by letter, and all functions from the last to the
 * first: other loops than those that are measured. */
static bool passes(const struct cpu_facs *f, uint64_t reference, uint64_t i) {
  uint64_t there = 0, back = 0, all = 1;
  for (unsigned l = 0; l < f->w; l++) {
    uint64_t letter = cpu_dna_letter(f->letters, i + l);
    there |= letter << 2 * l;
    back |= (3 - letter) << 2 * (f->w - 1 - l);
  }
  struct cpu_facs_vector vector = f->vectors[reference];
  struct cpu_bloom_hash hash = cpu_bloom_hash_of(back < there ? back : there);
  for (unsigned j = f->k; j-- > 0;) {
    uint64_t place = cpu_bloom_place(&hash, j, vector.bits);
    all &= f->words[vector.begin + place / 64] >> place % 64;
  }
  return all;
}

/* Letters of a read in w-mers that pass; of references, one behind the last:
 * in any. */
static uint32_t covered_by(const struct cpu_facs *f, uint32_t read,
                           uint64_t reference) {
  uint64_t until = 0; /* the end of the last w-mer that passed */
  uint32_t covered = 0;
  for (uint64_t i = f->begins[read]; i < f->begins[read + 1]; i++) {
    if (cpu_dna_has(f->starts, i) &&
        (reference == f->references || passes(f, reference, i)))
      until = i + f->w;
    covered += i < until;
  }
  return covered;
}

static void expect(const struct cpu_facs *f) {
  for (uint32_t read = 0; read < f->reads; read++) {
    struct cpu_facs_class *class = &f->classes[read];
    class->letters = covered_by(f, read, f->references);
    for (uint32_t r = f->references; r-- > 0;) {
      uint32_t covered = covered_by(f, read, r);
      if (!covered || covered < class->covered) continue;
      class->covered = covered;
      class->reference = r + 1;
    }
    if (!cpu_facs_enough(class->covered, class->letters, f->cover))
      class->reference = 0;
  }
}

/* What stands in the answer. */
static uint64_t print_of(const struct algo_run *run) {
  const uint64_t *begin = facs_region(run, FACS_CLASSES);
  uint64_t words = (uint64_t)(facs_region(run, FACS_LETTERS) - begin);
  return cpu_dna_print(begin, words);
}

void cpu_facs_setup(struct algo_run *run) {
  struct cpu_facs f = cpu_facs_of(run);
  struct cpu_dna references = make_letters(run, f.w);
  make_vectors(run, &f, &references, facs_parameters_of(run).bits);
  cpu_facs_restore(run);
  expect(&f);
  run->fingerprint[0] = print_of(run);
  run->fingerprint[1] = 0;
  cpu_facs_restore(run);
}

const char *cpu_facs_check(const struct algo_run *run) {
  if (print_of(run) == run->fingerprint[0]) return NULL;
  return "reads are not of the references whose vectors cover most of them";
}
