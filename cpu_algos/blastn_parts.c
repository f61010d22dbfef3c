/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A database larger than the memory of a device, in chunks: what of the
 * workspace each of them needs.
 *
 * A chunk begins with a word of flags.  Its last w-mers end in the letters
 * behind it, which are w - 1 and lie in the one word more that a database has;
 * those that begin there are not flagged, so each w-mer is tested once.
 */
#include "cpu_algos/blastn.h"
#include "cpu_algos/blastn_layout.h"
#include "cpu_algos/dna.h"

size_t cpu_blastn_part_bytes(const struct algo_run *run) {
  const uint64_t n = blastn_letters(run);
  struct blastn_parameters p;
  if (!blastn_parse(run->parameters, &p) || !p.chunk || p.chunk >= n) return 0;
  return blastn_bytes(p.chunk, blastn_query_letters(n, run->given));
}

/* Bytes of a region, from byte `from` of the whole one on. */
static struct algo_span span(const struct algo_run *run,
                             enum cpu_blastn_region region, uint64_t from,
                             uint64_t bytes) {
  struct algo_run whole = *run;
  whole.part = 0;
  return (struct algo_span){
      .whole = blastn_offset(&whole, region) + (size_t)from,
      .part = blastn_offset(run, region),
      .bytes = (size_t)bytes,
      .there = true};
}

size_t cpu_blastn_part_spans(const struct algo_run *run,
                             struct algo_span spans[ALGO_SPANS]) {
  struct blastn_parameters p;
  const uint64_t n = blastn_letters(run);
  if (!blastn_parse(run->parameters, &p) || (run->part - 1) * p.chunk >= n)
    return 0;
  const struct cpu_blastn f = cpu_blastn_of(run);
  const uint64_t words = (run->part - 1) * p.chunk / 32; /* before it */
  const size_t letter_bytes = (size_t)(cpu_dna_words(f.letters) + 1) * 8;
  const size_t flag_bytes = (size_t)cpu_dna_flags(f.letters) * 8;
  struct algo_span *at = spans;
  *at++ = span(run, BLASTN_LETTERS, words * 8, letter_bytes);
  *at++ = span(run, BLASTN_STARTS, words * 4, flag_bytes);
  *at = span(run, BLASTN_HITS, words * 4, flag_bytes);
  at++->back = true;
  /* These stay, and counts add up. */
  if (run->part == 1) {
    *at++ = span(run, BLASTN_TABLES, 0,
                 (uint64_t)f.subs * cpu_blastn_table(&f) * sizeof *f.tables);
    *at++ = span(run, BLASTN_VECTORS, 0,
                 (uint64_t)f.subs * cpu_blastn_vector(&f) * sizeof *f.vectors);
  }
  *at = span(run, BLASTN_COUNTS, 0, f.subs * sizeof *f.counts);
  at->there = run->part == 1;
  at++->back = run->part * p.chunk >= n;
  return (size_t)(at - spans);
}
