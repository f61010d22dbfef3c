/* SPDX-License-Identifier: GPL-3.0-or-later */
/* More reads than the memory of a device holds, in parts: what of the workspace
 * each of them needs.
 *
 * A part has whole reads, `chunk` of them, and so letters that begin and end
 * anywhere: it has all words that any of them is in.
 *
 * A workspace for parts has what they share, then its lanes; of those each has
 * what reads need first, and of the rest is as much as the longest part needs.
 */
#include "cpu_algos/dna.h"
#include "cpu_algos/facs.h"
#include "cpu_algos/facs_layout.h"
#include "cpu_algos/parts.h"

enum { ALIGN = 64, READ_WORDS = 2 }; /* words; of the class of a read */

/* Where a read begins, or the last one ends; from outside of the workspace,
 * which may be that of a device. */
static uint64_t begin_of(const struct algo_run *run,
                         const struct facs_size *size, uint64_t read) {
  if (read >= size->reads) return size->letters;
  return run->given ? cpu_dna_of(run->given).begins[read] : read * FACS_READ;
}

static struct facs_part part_at(const struct algo_run *run,
                                const struct facs_size *size, uint64_t first) {
  struct facs_part part = {.first = first < size->reads ? first : size->reads};
  const uint64_t left = size->reads - part.first;
  part.end = part.first + (left < run->chunk ? left : run->chunk);
  part.first_letter = begin_of(run, size, part.first);
  part.end_letter = begin_of(run, size, part.end);
  return part;
}

struct facs_part facs_part_of(const struct algo_run *run) {
  const struct facs_size size = facs_size_of(run->n, run->given);
  if (!run->chunk) return (struct facs_part){0, size.reads, 0, size.letters};
  return part_at(run, &size, run->part ? (run->part - 1) * run->chunk : 0);
}

/* Of the vectors, of all references. */
static uint64_t vector_words(const struct algo_run *run,
                             const struct facs_size *size) {
  const uint64_t bits = facs_parameters_of(run).bits;
  uint64_t words = 0;
  if (!run->given)
    return size->references *
           facs_vector_words(size->reference_letters / size->references, bits);
  const struct cpu_dna references = cpu_dna_of(run->given->next);
  for (uint64_t r = 0; r < references.records; r++)
    words += facs_vector_words(
        cpu_dna_record_end(&references, r) - references.begins[r], bits);
  return words;
}

/* Of a lane, what its reads need first. */
static const enum cpu_facs_region shared[] = {FACS_VECTORS, FACS_WORDS},
                                  of_lane[] = {FACS_CLASSES, FACS_BEGINS,
                                               FACS_LETTERS, FACS_STARTS};
enum {
  SHARED = sizeof shared / sizeof *shared,
  OF_LANE = sizeof of_lane / sizeof *of_lane
};

static uint64_t words_of(const struct algo_run *run, uint64_t letters,
                         enum cpu_facs_region region) {
  const struct facs_size size = facs_size_of(run->n, run->given);
  const uint64_t words[FACS_REGIONS] = {
      [FACS_VECTORS] = 2 * size.references,
      [FACS_WORDS] = region == FACS_WORDS ? vector_words(run, &size) : 0,
      [FACS_CLASSES] = READ_WORDS * run->chunk,
      [FACS_BEGINS] = run->chunk + 1,
      [FACS_LETTERS] = cpu_dna_words(letters) + 1,
      [FACS_STARTS] = cpu_dna_flags(letters)};
  return (words[region] + ALIGN - 1) / ALIGN * ALIGN;
}

/* Of the first `count` of some regions. */
static uint64_t words_before(const struct algo_run *run, uint64_t letters,
                             const enum cpu_facs_region *regions,
                             size_t count) {
  uint64_t words = 0;
  for (size_t r = 0; r < count; r++)
    words += words_of(run, letters, regions[r]);
  return words;
}

/* Letters of a part, from its origin on; 0: there is no such part. */
static uint64_t letters_of(const struct facs_part *part) {
  return part->end_letter - facs_origin(part);
}

size_t cpu_facs_part_bytes(const struct algo_run *run) {
  const struct facs_size size = facs_size_of(run->n, run->given);
  uint64_t most = 0;
  for (uint64_t first = 0; first < size.reads; first += run->chunk) {
    const struct facs_part part = part_at(run, &size, first);
    if (letters_of(&part) > most) most = letters_of(&part);
  }
  const uint64_t lane = words_before(run, most, of_lane, OF_LANE);
  const uint64_t words =
      words_before(run, 0, shared, SHARED) + ALGO_LANES * lane;
  return (size_t)words * sizeof(uint64_t);
}

/* run->bytes are those of above: lanes are as large as they leave. */
size_t facs_part_offset(const struct algo_run *run,
                        enum cpu_facs_region region) {
  const struct facs_part part = facs_part_of(run);
  const uint64_t begin = words_before(run, 0, shared, SHARED);
  const uint64_t lane = (run->bytes / sizeof(uint64_t) - begin) / ALGO_LANES;
  size_t r = 0;
  while (r < SHARED && shared[r] != region) r++;
  if (r < SHARED)
    return (size_t)words_before(run, 0, shared, r) * sizeof(uint64_t);
  for (r = 0; r < OF_LANE && of_lane[r] != region;) r++;
  const uint64_t words = begin + run->part % ALGO_LANES * lane +
                         words_before(run, letters_of(&part), of_lane, r);
  return (size_t)words * sizeof(uint64_t);
}

uint64_t cpu_facs_chunk(const struct algo_run *run, size_t room) {
  const struct cpu_parts parts = {
      .items = facs_size_of(run->n, run->given).reads,
      .unit = 1,
      .asked = facs_parameters_of(run).chunk,
      .bytes = cpu_facs_part_bytes};
  return cpu_parts_chunk(&parts, run, room);
}

/* Words of a region, from word `from` of the whole one on. */
static struct algo_span span(const struct algo_run *run,
                             enum cpu_facs_region region, uint64_t from,
                             uint64_t words) {
  struct algo_run whole = *run;
  whole.chunk = 0;
  return (struct algo_span){
      .whole = facs_offset(&whole, region) + (size_t)from * sizeof(uint64_t),
      .part = facs_part_offset(run, region),
      .bytes = (size_t)words * sizeof(uint64_t),
      .there = true};
}

static size_t shared_spans(const struct algo_run *run,
                           struct algo_span spans[ALGO_SPANS]) {
  const struct facs_size size = facs_size_of(run->n, run->given);
  spans[0] = span(run, FACS_VECTORS, 0, 2 * size.references);
  spans[1] = span(run, FACS_WORDS, 0, vector_words(run, &size));
  return 2;
}

size_t cpu_facs_part_spans(const struct algo_run *run,
                           struct algo_span spans[ALGO_SPANS]) {
  const struct facs_part part = facs_part_of(run);
  const uint64_t reads = part.end - part.first, origin = facs_origin(&part);
  const uint64_t letters = letters_of(&part);
  if (!run->part) return shared_spans(run, spans);
  if (!reads) return 0;
  spans[0] = span(run, FACS_BEGINS, part.first, reads + 1);
  spans[1] = span(run, FACS_LETTERS, origin / 32, cpu_dna_words(letters) + 1);
  spans[2] = span(run, FACS_STARTS, origin / 64, cpu_dna_flags(letters));
  spans[3] =
      span(run, FACS_CLASSES, READ_WORDS * part.first, READ_WORDS * reads);
  spans[3].there = false; /* all of them are written */
  spans[3].back = true;
  return 4;
}
