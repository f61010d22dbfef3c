/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A database larger than the memory of a device, in parts: what of the
 * workspace each of them needs.
 *
 * A part begins with a word of flags.  Its last w-mers end in the letters
 * behind it, which are w - 1 and lie in the one word more that a database has;
 * those that begin there are not flagged, so each w-mer is tested once.
 *
 * A workspace for parts has what they share, then its lanes.
 */
#include "cpu_algos/blastn.h"
#include "cpu_algos/blastn_layout.h"
#include "cpu_algos/dna.h"
#include "cpu_algos/parts.h"

enum { ALIGN = 64 }; /* words */

uint64_t blastn_part_letters(const struct algo_run *run) {
  const uint64_t all = blastn_letters(run);
  if (!run->chunk) return all;
  const uint64_t before = run->part ? (run->part - 1) * run->chunk : 0;
  const uint64_t left = before < all ? all - before : 0;
  return left < run->chunk ? left : run->chunk;
}

static bool is_shared(enum cpu_blastn_region region) {
  return region < BLASTN_HITS || region > BLASTN_STARTS;
}

static uint64_t words_of(const struct algo_run *run,
                         enum cpu_blastn_region region) {
  const struct blastn_parameters p = blastn_parameters_of(run);
  const struct cpu_blastn f = {.k = (uint32_t)p.k, .lg_m = (uint32_t)p.lg_m};
  const uint64_t n = blastn_letters(run);
  const uint64_t subs = blastn_subs(blastn_query_letters(n, run->given), &p);
  const uint64_t words[BLASTN_REGIONS] = {
      [BLASTN_COUNTS] = subs / 2 + 1,
      [BLASTN_HITS] = cpu_dna_flags(run->chunk),
      [BLASTN_LETTERS] = cpu_dna_words(run->chunk) + 1,
      [BLASTN_STARTS] = cpu_dna_flags(run->chunk),
      [BLASTN_TABLES] = subs * cpu_blastn_table(&f),
      [BLASTN_VECTORS] = subs * cpu_blastn_vector(&f) / 2};
  return (words[region] + ALIGN - 1) / ALIGN * ALIGN;
}

/* Of regions before `end`, either of those that are shared or of a lane. */
static uint64_t words_before(const struct algo_run *run,
                             enum cpu_blastn_region end, bool shared) {
  uint64_t words = 0;
  for (int r = 0; r < (int)end; r++)
    if (is_shared((enum cpu_blastn_region)r) == shared)
      words += words_of(run, (enum cpu_blastn_region)r);
  return words;
}

size_t blastn_part_offset(const struct algo_run *run,
                          enum cpu_blastn_region region) {
  uint64_t words = words_before(run, region, is_shared(region));
  if (!is_shared(region))
    words += words_before(run, BLASTN_REGIONS, true) +
             run->part % ALGO_LANES * words_before(run, BLASTN_REGIONS, false);
  return (size_t)words * sizeof(uint64_t);
}

size_t cpu_blastn_part_bytes(const struct algo_run *run) {
  const uint64_t lane = words_before(run, BLASTN_REGIONS, false);
  const uint64_t words =
      words_before(run, BLASTN_REGIONS, true) + ALGO_LANES * lane;
  return (size_t)words * sizeof(uint64_t);
}

uint64_t cpu_blastn_chunk(const struct algo_run *run, size_t room) {
  const struct cpu_parts parts = {.items = blastn_letters(run),
                                  .unit = BLASTN_CHUNK_UNIT,
                                  .asked = blastn_parameters_of(run).chunk,
                                  .bytes = cpu_blastn_part_bytes};
  return cpu_parts_chunk(&parts, run, room);
}

/* Bytes of a region, from byte `from` of the whole one on. */
static struct algo_span span(const struct algo_run *run,
                             enum cpu_blastn_region region, uint64_t from,
                             uint64_t bytes) {
  struct algo_run whole = *run;
  whole.chunk = 0;
  return (struct algo_span){
      .whole = blastn_offset(&whole, region) + (size_t)from,
      .part = blastn_offset(run, region),
      .bytes = (size_t)bytes,
      .there = true};
}

/* Counts add up there. */
static size_t shared_spans(const struct algo_run *run,
                           struct algo_span spans[ALGO_SPANS]) {
  const struct cpu_blastn f = cpu_blastn_of(run);
  const uint64_t table = cpu_blastn_table(&f) * sizeof *f.tables;
  const uint64_t vector = cpu_blastn_vector(&f) * sizeof *f.vectors;
  spans[0] = span(run, BLASTN_TABLES, 0, f.subs * table);
  spans[1] = span(run, BLASTN_VECTORS, 0, f.subs * vector);
  spans[2] = span(run, BLASTN_COUNTS, 0, f.subs * sizeof *f.counts);
  spans[2].back = true;
  return 3;
}

size_t cpu_blastn_part_spans(const struct algo_run *run,
                             struct algo_span spans[ALGO_SPANS]) {
  const uint64_t n = blastn_part_letters(run);
  if (!run->part) return shared_spans(run, spans);
  if (!n) return 0;
  const uint64_t words = (run->part - 1) * run->chunk / 32; /* before it */
  const uint64_t letter_bytes = (cpu_dna_words(n) + 1) * sizeof(uint64_t);
  const uint64_t flag_bytes = cpu_dna_flags(n) * sizeof(uint64_t);
  spans[0] = span(run, BLASTN_LETTERS, words * 8, letter_bytes);
  spans[1] = span(run, BLASTN_STARTS, words * 4, flag_bytes);
  spans[2] = span(run, BLASTN_HITS, words * 4, flag_bytes);
  spans[2].back = true;
  return 3;
}
