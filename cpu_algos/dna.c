/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/dna.h"

#include <string.h>

#include "cpu_algos/random.h"

/* Those of letters [begin, end). */
static uint64_t starts_of_record(const struct cpu_dna *dna, unsigned w,
                                 uint64_t begin, uint64_t end,
                                 uint64_t *starts) {
  uint64_t known = 0, skipped = 0; /* up to here without a gap */
  for (uint64_t i = begin; i < end; i++) {
    known = cpu_dna_known(dna, i) ? known + 1 : 0;
    if (i - begin + 1 < w) continue;
    uint64_t first = i + 1 - w;
    if (known >= w)
      starts[first / 64] |= UINT64_C(1) << first % 64;
    else
      skipped++;
  }
  return skipped;
}

uint64_t cpu_dna_starts(const struct cpu_dna *dna, unsigned w,
                        uint64_t *starts) {
  uint64_t skipped = 0;
  memset(starts, 0, cpu_dna_flags(dna->n) * sizeof *starts);
  if (!dna->begins) return starts_of_record(dna, w, 0, dna->n, starts);
  for (uint64_t r = 0; r < dna->records; r++) {
    uint64_t end = cpu_dna_record_end(dna, r);
    skipped += starts_of_record(dna, w, dna->begins[r], end, starts);
  }
  return skipped;
}

uint64_t cpu_dna_print(const uint64_t *words, uint64_t count) {
  uint64_t print = 0;
  for (uint64_t i = 0; i < count; i++) print = cpu_random_fold(print, words[i]);
  return print;
}
