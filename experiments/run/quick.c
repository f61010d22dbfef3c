/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/quick.h"

#include <string.h>

#include "experiments/cli/command.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/page_kind.h"

/*
 * Two that gain much from larger pages and one that gains nothing, at 256 MiB:
 * far above what TLBs reach (some 12 MiB on 4 KiB pages), and a repetition
 * takes less than a second.
 */
static const struct {
  const char *algo;
  uint64_t n;
} programs[] = {
    {"random_scan", 1 << 24},
    {"permute", 1 << 25},
    {"sequential_scan", 1 << 25},
};
enum { PROGRAMS = sizeof programs / sizeof *programs, REPETITIONS = 5 };

static bool has_thp(void) {
  const struct hp_kind *thp = hp_kind_find("thp");
  struct hp_missing missing;
  return thp && !hp_kind_explain(thp, thp->bytes, &missing);
}

int quick_options(struct run_options *options) {
  static char *names[PROGRAMS + 1];
  if (options->algos.count)
    return fail(
        VAT_USAGE,
        "--quick: chooses the algorithms itself; leave out %s or --quick",
        *options->algos.at);
  for (size_t i = 0; i < PROGRAMS; i++) names[i] = (char *)programs[i].algo;
  options->algos = (struct option_words){names, PROGRAMS};
  /* Else those that there are, which may be 4k alone. */
  if (!options->pages && has_thp()) options->pages = "4k,thp";
  if (!options->reps) options->reps = REPETITIONS;
  return VAT_OK;
}

uint64_t quick_size(const struct algo *algo) {
  size_t i = 0;
  while (strcmp(programs[i].algo, algo->name) != 0) i++;
  uint64_t n = programs[i].n;
  while (n > 1 && algo->bytes(n) > hp_memory_available() / 8) n /= 2;
  return n;
}
