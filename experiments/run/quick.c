/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/quick.h"

#include <math.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/size_text.h"

/*
 * Two that gain much from larger pages and one that gains nothing, at 256 MiB:
 * far above what TLBs reach (some 12 MiB on 4 KiB pages), and a repetition
 * takes less than a second.
 */
static const struct quick {
  const char *algo, *does;
  uint64_t n;
} programs[] = {
    {"random_scan", "random reads", 1 << 24},
    {"permute", "random writes", 1 << 25},
    {"sequential_scan", "reads in order", 1 << 25},
};
enum { PROGRAMS = sizeof programs / sizeof *programs, REPETITIONS = 5 };

static const struct quick *find(const char *algo) {
  for (size_t i = 0; i < PROGRAMS; i++)
    if (!strcmp(programs[i].algo, algo)) return &programs[i];
  return NULL;
}

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
  uint64_t n = find(algo->name)->n;
  while (n > 1 && algo->bytes(n) > hp_memory_available() / 8) n /= 2;
  return n;
}

/* The row of larger pages that takes least of the time, of those that have an
 * interval. */
static const struct summary *telling(const struct summary *rows, size_t count,
                                     const char *algo) {
  const struct summary *best = NULL;
  for (size_t i = 0; i < count; i++) {
    const struct summary *row = &rows[i];
    if (row->base || strcmp(row->algo, algo) != 0 || isnan(row->ratio_lo))
      continue;
    if (!best || row->ratio_to_4k < best->ratio_to_4k) best = row;
  }
  return best;
}

static bool is_faster(const struct summary *row) {
  return row && summary_is_significant(row) && row->ratio_to_4k < 1;
}

/* Half an interval; above, a gain that matters may hide in it. */
static const double known = 0.1;

static bool is_unknown(const struct summary *row) {
  return row && !is_faster(row) && (row->ratio_hi - row->ratio_lo) / 2 > known;
}

static bool any_granted(const struct summary *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!rows[i].base && rows[i].reps) return true;
  return false;
}

static bool any_asked(const struct summary *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!rows[i].base) return true;
  return false;
}

static void print_gains(FILE *out, const struct summary *const *best) {
  const char *between = "";
  fputs("Huge pages help on this machine: they save ", out);
  for (size_t i = 0; i < PROGRAMS; i++) {
    if (!is_faster(best[i])) continue;
    fprintf(out, "%s%.0f %% of the time of %s", between,
            100 * (1 - best[i]->ratio_to_4k), programs[i].does);
    between = ", ";
  }
  between = ", and no measurable time of ";
  for (size_t i = 0; i < PROGRAMS; i++) {
    if (is_faster(best[i]) || !best[i]) continue;
    fprintf(out, "%s%s", between, programs[i].does);
    between = " and ";
  }
  fputs(".\n", out);
}

void quick_print(FILE *out, const struct summary *rows, size_t count) {
  const struct summary *best[PROGRAMS];
  size_t judged = 0, faster = 0, unknown = 0;
  for (size_t i = 0; i < PROGRAMS; i++) {
    best[i] = telling(rows, count, programs[i].algo);
    judged += best[i] != NULL;
    faster += is_faster(best[i]);
    unknown += is_unknown(best[i]);
  }
  if (faster)
    print_gains(out, best);
  else if (unknown || (!judged && any_granted(rows, count)))
    fputs(
        "Times are not known well enough to say whether huge pages help: "
        "repeat this while nothing else runs, or with more --reps.\n",
        out);
  else if (judged)
    fputs(
        "Huge pages save nothing measurable on this machine, even where memory "
        "is read at random.\n",
        out);
  else if (!any_asked(rows, count))
    fputs(
        "Only 4 KiB pages were measured, so nothing can be said of others: "
        "leave --pages out, or see vat doctor.\n",
        out);
  else
    fputs(
        "The kernel granted no huge pages, so they were not measured: see vat "
        "doctor.\n",
        out);
  fputs(
      "\nnext: vat compare -- ./prog     what they save in your own program\n"
      "      vat run                   more programs, all sizes, figures\n",
      out);
}
