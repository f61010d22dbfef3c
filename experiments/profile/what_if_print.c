/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `vat profile --what-if` predicts, for people. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "experiments/profile/what_if_table.h"
#include "experiments/profile/what_if_terms.h"
#include "experiments/results/summary.h"
#include "huge_pages/size_text.h"

enum { TOP = 5 };

static void print_native(const struct native *n, FILE *to) {
  fprintf(to, "\nwhat if: user time is %.3g s", n->time.user_s);
  if (!n->runs)
    fputs(", as given\n", to);
  else
    fprintf(to,
            " (%.3g-%.3g in %u runs), system time %.3g s, %llu page faults\n",
            n->time.lo_s, n->time.hi_s, n->runs, n->sys_s,
            (unsigned long long)n->faults);
}

static void print_without(unsigned without, FILE *to) {
  const char *before = "without the terms ";
  for (int i = 0; what_if_terms[i].name; i++) {
    if (what_if_has(without, (enum what_if_term)i)) continue;
    fprintf(to, "%s%s", before, what_if_terms[i].name);
    before = ", ";
  }
  if (without) fputc('\n', to);
}

/* Beside its own row. */
static void print_added(const struct profile_added *added, FILE *to) {
  if (isnan(added->user_ratio)) return;
  fprintf(to,
          "%-6s %9.3f (%.3f-%.3f) %9.1f %%  by adding up what each choice "
          "saves, says the plan\n",
          "", added->user_ratio, added->lo, added->hi,
          100 * (1 - added->user_ratio));
}

static void print_row(const struct what_if_row *row, FILE *to) {
  const struct what_if *w = &row->what;
  char interval[32] = "(unknown)";
  if (!isnan(w->ratio.lo))
    snprintf(interval, sizeof interval, "(%.3f-%.3f)", w->ratio.lo,
             w->ratio.hi);
  fprintf(
      to,
      "%-6s %9.3f %-13s %9.1f %% %32.0f %% %15.0f %%  %12.1f %%  up to %.0f "
      "%% more\n",
      row->name, w->ratio.value, interval, 100 * (1 - w->ratio.value),
      100 * w->covered, isnan(w->overlap) ? 100 : 100 * w->overlap,
      100 * (1 - w->translation.value), 100 * what_if_placement);
}

/* What the rows above were before. */
static void print_correction(const struct what_if_row *row, FILE *to) {
  const struct what_if_correction *by = &row->correction;
  if (!by->known) return;
  fprintf(to,
          "%s pages were measured at %.3f [%.3f, %.3f] and predicted at %.3f",
          row->name, by->measured.value, by->measured.lo, by->measured.hi,
          1 - by->told);
  if (!isnan(by->factor))
    fprintf(to, "; so all savings on them are multiplied by %.2f", by->factor);
  fputc('\n', to);
}

/* Largest first; `at` begins with -1. */
static long next_site(const struct what_if *what, size_t count, long last) {
  long best = -1;
  for (size_t i = 0; i < count; i++) {
    double value = what->sites[i].value;
    if (last >= 0 && (value > what->sites[last].value ||
                      (value == what->sites[last].value && (long)i <= last)))
      continue;
    if (best < 0 || value > what->sites[best].value) best = (long)i;
  }
  return best;
}

/* No saving was found that vat compare would tell from noise.  Where 5 % may be
 * saved all the same, nothing is known. */
static void print_none(const struct what_if_table *table, FILE *to) {
  static const double room = 0.05;
  double user_s = table->native.time.user_s;
  double sys_s = what_if_faults(table, 1 << 21).sys_s;
  const struct what_if *w = &table->row[0].what;
  if (isnan(w->ratio.lo))
    fputs("user time: the saving is not known\n", to);
  else if (w->saved_s.hi > room * user_s)
    fprintf(to,
            "user time: the saving is not known; it may be up to %.0f %%; fix: "
            "measure it with vat compare, or calibrate while nothing else "
            "runs\n",
            100 * w->saved_s.hi / user_s);
  else
    fprintf(to, "user time: nothing measurable (less than %.3g %% is noise)%s",
            100 * SUMMARY_NOISE_FLOOR, isfinite(sys_s) ? "; " : "\n");
  if (isfinite(sys_s))
    fprintf(to, "system time: %.3g s of %.3g s less\n",
            fmin(sys_s, table->native.sys_s), table->native.sys_s);
}

static bool heap_saves(const struct what_if *what,
                       const struct profile *profile) {
  for (size_t i = 0; i < profile->sites.count; i++)
    if (what->sites[i].value > 0 &&
        !strcmp(profile->sites.site[i].kind, "heap"))
      return true;
  return false;
}

static void print_advice(const struct profile *profile, FILE *to) {
  struct heap_advice heap;
  heap_advice_of(profile, &heap);
  fprintf(to, "without changing the program: %s (%s)%s%s\n", heap.advice,
          heap.name, *heap.besides ? ", and " : "", heap.besides);
}

static void print_sites(const struct what_if_table *table,
                        const struct profile *profile, FILE *to) {
  double user_s = table->native.time.user_s;
  char where[PROFILE_WHERE];
  const struct what_if *w = &table->row[0].what;
  bool heap = false;
  if (w->saved_s.value < SUMMARY_NOISE_FLOOR * user_s) {
    print_none(table, to);
    return;
  }
  long site = -1;
  for (int i = 0; i < TOP; i++) {
    site = next_site(w, profile->sites.count, site);
    if (site < 0 || w->sites[site].value < 0.005 * user_s) {
      if (!i) fputs("many places save a little each\n", to);
      if (!i) heap = heap_saves(w, profile);
      break;
    }
    heap = heap || !strcmp(profile->sites.site[site].kind, "heap");
    const struct what_if_value *s = &w->sites[site];
    fprintf(to, "%s of %s on %s pages: user time falls by %.0f %%",
            HP_SIZE_SHOWN((size_t)profile->sites.site[site].peak),
            profile_site_where(&profile->sites.site[site], where),
            table->row[0].name, 100 * s->value / user_s);
    if (!isnan(s->lo))
      fprintf(to, " (%.0f to %.0f %%)", 100 * s->lo / user_s,
              100 * s->hi / user_s);
    fputc('\n', to);
  }
  if (w->ratio.hi >= 1)
    fputs(
        "the interval contains 1, so there may be no saving; vat compare "
        "measures it\n",
        to);
  if (heap) print_advice(profile, to);
}

/* Of code, beside what data save. */
static void print_code(const struct what_if_table *table, FILE *to) {
  const struct what_if_code *code = &table->row[0].code;
  double all = table->native.time.user_s;
  if (isnan(code->saved_s.value)) return;
  fprintf(to,
          "code on 2m pages where it has whole blocks of them: user time "
          "falls by %.1f %%",
          100 * code->saved_s.value / all);
  if (!isnan(code->saved_s.lo))
    fprintf(to, " (%.1f to %.1f %%)", 100 * code->saved_s.lo / all,
            100 * code->saved_s.hi / all);
  fputc('\n', to);
}

/* The warnings of calibrations are on another page than what comes of them. */
static void print_doubt(const struct what_if_table *table, FILE *to) {
  double least = what_if_repetitions(table);
  if (least < CALIBRATION_REPETITIONS)
    fprintf(to,
            "\nnot reliable: calibrated with %.0f repetition%s, which give "
            "no intervals; fix: %s\n",
            least, least > 1 ? "s" : "",
            table->here ? "an idle machine, or more --calibrate SECONDS"
                        : "vat calibrate with a longer --time-budget, or "
                          "less --memory");
}

void what_if_print(const struct what_if_table *table,
                   const struct profile *profile, FILE *to) {
  print_native(&table->native, to);
  print_without(table->without, to);
  fprintf(to, "\n%-6s %23s %11s %34s %17s  %14s  placement\n", "pages",
          "user time / 4k", "saved", "misses on memory that can be huge",
          "time not hidden", "by translation");
  for (size_t i = 0; i < table->count; i++) print_row(&table->row[i], to);
  if (table->count && !strcmp(table->row[table->count - 1].name, "plan"))
    print_added(&profile->plan.added, to);
  else if (*table->plan_why)
    fprintf(to, "plan: user time is not known: %s\n", table->plan_why);
  for (size_t i = 0; i < table->count; i++)
    print_correction(&table->row[i], to);
  print_doubt(table, to);
  struct what_if_faults faults = what_if_faults(table, 1 << 21);
  if (isfinite(faults.count))
    fprintf(to, "\n2m pages: %.0f fewer page faults", faults.count);
  if (isfinite(faults.sys_s))
    fprintf(to, ", %.3g s less system time", faults.sys_s);
  fputs(isfinite(faults.count) ? "\n\n" : "\n", to);
  if (!table->count) return;
  print_sites(table, profile, to);
  print_code(table, to);
  what_if_sizes_print(table, to);
}
