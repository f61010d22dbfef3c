/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/what_if_table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/record.h"
#include "experiments/probe/calibration.h"
#include "experiments/results/machine_record.h"
#include "experiments/results/ratio.h"
#include "experiments/results/summary.h"
#include "huge_pages/size_text.h"

/* Instructions under way: what processors of the last ten years have lies
 * between these, whose geometric mean is taken. */
static const double window = 320, window_least = 200, window_most = 512;

static const char *const names[] = {"2m", "1g"};

_Static_assert((int)PROFILE_MACHINES <= (int)WALK_COSTS_MOST, "joined");

static void warn(const struct calibration *cal, const char *path) {
  json_t *here = machine_record(NULL);
  if (here && !calibration_is_of(cal, here))
    fail(VAT_OK,
         "warning: %s was calibrated on another machine; fix: vat calibrate "
         "here",
         path);
  json_decref(here);
  for (size_t i = 0; i < cal->warning_count; i++)
    fail(VAT_OK, "%s: warning: %s", path, cal->warnings[i]);
}

/* What each calibration tells of larger pages by this name; NULL, or what one
 * of them does not have. */
static const char *add_row(struct what_if_table *table, const char *name,
                           size_t *without_it) {
  struct walk_costs costs;
  struct what_if_row row = {.name = name};
  for (size_t i = 0; i < table->cals; i++) {
    const struct calibration *cal = &table->cal[i];
    const struct cal_pages *pages = calibration_page_for(cal, name);
    *without_it = i;
    if (!pages) return "no pages of 2 MiB";
    row.stand = pages->kind;
    row.base = walk_costs_base(cal);
    const char *missing =
        walk_costs_make(&costs, cal, row.base, row.stand, 1, 1);
    if (missing) return missing;
  }
  table->row[table->count++] = row;
  return NULL;
}

static int read_all(struct what_if_table *table,
                    const struct profile_request *request) {
  char why[PATH_MAX + CALIBRATION_TEXT];
  table->cal = memory_zeroed(request->machine.count, sizeof *table->cal);
  for (; table->cals < request->machine.count; table->cals++)
    if (calibration_read(&table->cal[table->cals],
                         request->machine.at[table->cals], why, sizeof why))
      return fail(fail_code(errno), "%s", why);
  return VAT_OK;
}

int what_if_begin(struct what_if_table *table,
                  const struct profile_request *request) {
  const char *missing = NULL;
  size_t without_it = 0;
  *table = (struct what_if_table){0};
  int code = read_all(table, request);
  if (code) return code;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t here;
    const char *without = add_row(table, names[i], &here);
    if (missing || !without) continue;
    missing = without;
    without_it = here;
  }
  if (!table->count)
    return fail(VAT_USAGE,
                "%s: it has %s; fix: vat calibrate --pages 4k,thp -o %s",
                request->machine.at[without_it], missing,
                request->machine.at[without_it]);
  for (size_t i = 0; i < table->cals; i++)
    warn(&table->cal[i], request->machine.at[i]);
  return VAT_OK;
}

/* Of all calibrations, medians. */
static unsigned walkers(const struct what_if_table *table) {
  double count[PROFILE_MACHINES];
  for (size_t i = 0; i < table->cals; i++) {
    double value = walk_costs_walkers(&table->cal[i]);
    count[i] = value >= 1 ? value : 1;
  }
  return (unsigned)round(ratio_median(count, table->cals));
}

/* The loop of the canary multiplies and adds: 3 cycles and 1 on all these
 * processors. */
static double cycle_ns(const struct what_if_table *table) {
  double ns[PROFILE_MACHINES];
  for (size_t i = 0; i < table->cals; i++) {
    ns[i] = table->cal[i].noise.canary_ns / 4;
    if (!isfinite(ns[i])) ns[i] = 0;
  }
  return ratio_median(ns, table->cals);
}

static void price(struct walk_costs *costs, const struct what_if_table *table,
                  const struct what_if_row *row, double pages, double traffic) {
  struct walk_costs *each = memory_zeroed(table->cals, sizeof *each);
  for (size_t i = 0; i < table->cals; i++) {
    const struct calibration *cal = &table->cal[i]; /* as add_row() found it */
    walk_costs_make(&each[i], cal, walk_costs_base(cal),
                    calibration_page_for(cal, row->name)->kind, pages, traffic);
  }
  walk_costs_join(costs, each, table->cals);
  free(each);
}

/* The fewest of any calibration.  Where they are under CALIBRATION_REPETITIONS
 * there are no intervals: lo and hi are NAN. */
static double least_repetitions(const struct what_if_table *table) {
  double least = INFINITY;
  for (size_t i = 0; i < table->cals; i++)
    least = fmin(least, table->cal[i].noise.repetitions);
  return least;
}

/* What is left of an interval would be that of the native runs. */
static void forget_intervals(struct what_if *what, size_t sites) {
  what->ratio.lo = what->ratio.hi = NAN;
  what->saved_s.lo = what->saved_s.hi = NAN;
  for (size_t i = 0; i < sites; i++)
    what->sites[i].lo = what->sites[i].hi = NAN;
}

void what_if_predict(struct what_if_table *table,
                     const struct profile *profile) {
  struct what_if_input input = {.profile = profile,
                                .time = table->native.time,
                                .traffic = what_if_traffic(profile),
                                .cycle_ns = cycle_ns(table)};
  unsigned count = walkers(table);
  input.machine = (struct overlap_machine){window, count};
  input.machine_lo = (struct overlap_machine){window_most, count};
  input.machine_hi = (struct overlap_machine){window_least, count};
  for (size_t i = 0; i < table->count; i++) {
    struct what_if_row *row = &table->row[i];
    price(&input.costs, table, row, (double)profile_pages(profile, 0),
          input.traffic);
    what_if_make(&row->what, &input);
    if (least_repetitions(table) < CALIBRATION_REPETITIONS)
      forget_intervals(&row->what, profile->sites.count);
  }
}

/* System time, and faults, that pages of 2 MiB save: those of the share of
 * memory that misses are in where there can be such pages, at what the first
 * touch of memory that was just used takes.  NAN: not measured. */
struct what_if_faults {
  double count, sys_s;
};
static struct what_if_faults faults_of(const struct what_if_table *table) {
  const struct native *n = &table->native;
  const double base = 4096, huge = 1 << 21, gib = 1 << 30;
  if (!n->runs || !table->count) return (struct what_if_faults){NAN, NAN};
  double there = (double)n->faults * table->row[0].what.covered;
  double a_gib = n->touch.base_again - n->touch.huge_again;
  return (struct what_if_faults){
      there * (1 - base / huge),
      n->touch.known ? fmax(0, there * base / gib * a_gib) : NAN};
}

void what_if_end(struct what_if_table *table) {
  for (size_t i = 0; i < table->count; i++) what_if_fini(&table->row[i].what);
  for (size_t i = 0; i < table->cals; i++) calibration_fini(&table->cal[i]);
  free(table->cal);
}

static json_t *row_to_json(const struct what_if_row *row) {
  const struct what_if *w = &row->what;
  return json_pack(
      "{so so so so so so so so ss ss}", "user_ratio",
      json_of_real(w->ratio.value), "lo", json_of_real(w->ratio.lo), "hi",
      json_of_real(w->ratio.hi), "saved_s", json_of_real(w->saved_s.value),
      "covered", json_of_real(w->covered), "alone_s", json_of_real(w->alone_s),
      "exposed", json_of_real(w->overlap), "base_ns", json_of_real(w->base_ns),
      "calibrated", row->stand, "base", row->base);
}

static json_t *faults_to_json(const struct what_if_table *table) {
  const struct first_touch *touch = &table->native.touch;
  struct what_if_faults saved = faults_of(table);
  return json_pack("{so so so so}", "saved", json_of_real(saved.count),
                   "sys_saved_s", json_of_real(saved.sys_s),
                   "first_touch_4k_s_per_gib",
                   json_of_real(touch->known ? touch->base_again : NAN),
                   "first_touch_2m_s_per_gib",
                   json_of_real(touch->known ? touch->huge_again : NAN));
}

json_t *what_if_to_json(const struct what_if_table *table) {
  const struct native *n = &table->native;
  json_t *object = json_object();
  for (size_t i = 0; i < table->count; i++)
    json_object_set_new(object, table->row[i].name,
                        row_to_json(&table->row[i]));
  bool short_of = least_repetitions(table) < CALIBRATION_REPETITIONS;
  json_object_update_new(
      object,
      json_pack("{so ss? sI s{sI so so so so so}}", "faults",
                faults_to_json(table), "interval_why",
                short_of ? "too few repetitions of a calibration; fix: vat "
                           "calibrate with a longer --time-budget"
                         : NULL,
                "calibrations", (json_int_t)table->cals, "native", "runs",
                (json_int_t)n->runs, "user_s", json_of_real(n->time.user_s),
                "user_s_least", json_of_real(n->time.lo_s), "user_s_most",
                json_of_real(n->time.hi_s), "sys_s", json_of_real(n->sys_s),
                "minor_faults",
                n->runs ? json_integer((json_int_t)n->faults) : json_null()));
  return object;
}

/* Shares of the user time. */
json_t *what_if_site_to_json(const struct what_if_table *table, size_t site) {
  double all = table->native.time.user_s;
  json_t *object = json_object();
  for (size_t i = 0; i < table->count; i++) {
    const struct what_if_value *s = &table->row[i].what.sites[site];
    json_object_set_new(
        object, table->row[i].name,
        json_pack("{so so so}", "predicted", json_of_real(s->value / all), "lo",
                  json_of_real(s->lo / all), "hi", json_of_real(s->hi / all)));
  }
  return object;
}

enum { TOP = 5 };

static void print_native(const struct native *n, FILE *to) {
  fprintf(to, "\nwhat if: user time is %.3g s", n->time.user_s);
  if (!n->runs)
    fputs(", as told\n", to);
  else
    fprintf(to,
            " (%.3g-%.3g in %u runs), system time %.3g s, %llu page faults\n",
            n->time.lo_s, n->time.hi_s, n->runs, n->sys_s,
            (unsigned long long)n->faults);
}

static void print_row(const struct what_if_row *row, FILE *to) {
  const struct what_if *w = &row->what;
  char interval[32] = "(unknown)";
  if (!isnan(w->ratio.lo))
    snprintf(interval, sizeof interval, "(%.3f-%.3f)", w->ratio.lo,
             w->ratio.hi);
  fprintf(to, "%-6s %9.3f %-13s %9.1f %% %11.0f %% %15.0f %%\n", row->name,
          w->ratio.value, interval, 100 * (1 - w->ratio.value),
          100 * w->covered, isnan(w->overlap) ? 100 : 100 * w->overlap);
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
static void print_none(const struct what_if_row *row, double user_s, FILE *to) {
  static const double room = 0.05;
  const struct what_if *w = &row->what;
  if (isnan(w->ratio.lo))
    fputs("whether there is something to gain is not known\n", to);
  else if (w->saved_s.hi > room * user_s)
    fprintf(to,
            "whether there is something to gain is not known: it may be %.0f "
            "%%; fix: vat compare measures it, or vat calibrate while nothing "
            "else runs\n",
            100 * w->saved_s.hi / user_s);
  else
    fprintf(to, "nothing to gain: less than %.3g %% of user time is noise\n",
            100 * SUMMARY_NOISE_FLOOR);
}

static bool heap_saves(const struct what_if *what,
                       const struct profile *profile) {
  for (size_t i = 0; i < profile->sites.count; i++)
    if (what->sites[i].value > 0 &&
        !strcmp(profile->sites.site[i].kind, "heap"))
      return true;
  return false;
}

static void print_sites(const struct what_if_row *row, double user_s,
                        const struct profile *profile, FILE *to) {
  char where[PROFILE_WHERE];
  const struct what_if *w = &row->what;
  bool heap = false;
  if (w->saved_s.value < SUMMARY_NOISE_FLOOR * user_s) {
    print_none(row, user_s, to);
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
    fprintf(to, "%s pages for the %s of %s, and user time falls by %.0f %%",
            row->name, HP_SIZE_SHOWN((size_t)profile->sites.site[site].peak),
            profile_site_where(&profile->sites.site[site], where),
            100 * s->value / user_s);
    if (!isnan(s->lo))
      fprintf(to, " (%.0f..%.0f)", 100 * s->lo / user_s, 100 * s->hi / user_s);
    fputc('\n', to);
  }
  if (w->ratio.hi >= 1)
    fputs("runs differ by as much: whether it shows, vat compare measures\n",
          to);
  if (heap)
    fputs("without a change to it: GLIBC_TUNABLES=glibc.malloc.hugetlb=1\n",
          to);
}

/* The warnings of calibrations are on another page than what comes of them. */
static void print_doubt(const struct what_if_table *table, FILE *to) {
  double least = least_repetitions(table);
  if (least < CALIBRATION_REPETITIONS)
    fprintf(
        to,
        "\nnot to be relied on: calibrated by %.0f repetition%s, which give "
        "no intervals; fix: vat calibrate with a longer --time-budget, or "
        "less --memory\n",
        least, least > 1 ? "s" : "");
}

void what_if_print(const struct what_if_table *table,
                   const struct profile *profile, FILE *to) {
  double user_s = table->native.time.user_s;
  print_native(&table->native, to);
  fprintf(to, "\n%-6s %23s %11s %13s %17s\n", "pages", "user time, to 4k's",
          "saved", "misses there", "not overlapped");
  for (size_t i = 0; i < table->count; i++) print_row(&table->row[i], to);
  print_doubt(table, to);
  struct what_if_faults faults = faults_of(table);
  if (isfinite(faults.count))
    fprintf(to, "\n2m pages: %.0f page faults less", faults.count);
  if (isfinite(faults.sys_s))
    fprintf(to, ", which take %.3g s of system time more than large ones",
            faults.sys_s);
  fputs(isfinite(faults.count) ? "\n\n" : "\n", to);
  if (table->count) print_sites(&table->row[0], user_s, profile, to);
}
