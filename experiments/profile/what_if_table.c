/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/what_if_table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/record.h"
#include "experiments/probe/calibration.h"
#include "experiments/profile/what_if_fault_time.h"
#include "experiments/profile/what_if_terms.h"
#include "experiments/results/machine_record.h"
#include "experiments/results/ratio.h"
#include "huge_pages/region.h"

/* Instructions under way: what processors of the last ten years have lies
 * between these, whose geometric mean is taken. */
static const double window = 320, window_least = 200, window_most = 512;

static const char *const names[] = {"2m", "1g"};

_Static_assert((int)PROFILE_MACHINES <= (int)WALK_COSTS_MOST, "joined");

bool what_if_is_timed_here(const struct profile_request *request) {
  return !request->from && !request->timed && !(request->user_s > 0);
}

static void warn(const struct calibration *cal, const char *path) {
  json_t *here = path ? machine_record(NULL) : NULL;
  if (here && !calibration_is_of(cal, here))
    fail(VAT_OK,
         "warning: %s was calibrated on another machine; fix: vat calibrate "
         "here",
         path);
  json_decref(here);
  for (size_t i = 0; i < cal->warning_count; i++)
    fail(VAT_OK, "%s: warning: %s", path ? path : "this machine",
         cal->warnings[i]);
}

/* What each calibration tells of larger pages by this name; NULL, or what one
 * of them does not have. */
static const char *add_row(struct what_if_table *table, const char *name,
                           size_t *without_it) {
  struct walk_costs costs;
  struct what_if_row row = {.name = name, .pages = name};
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

int what_if_take_measured(struct what_if_table *table,
                          const struct profile_request *request) {
  bool known = !request->measured;
  for (size_t i = 0; request->measured && i < table->count; i++) {
    struct what_if_row *row = &table->row[i];
    int code = what_if_measured_read(&row->correction, request->measured,
                                     row->pages, request->program);
    if (code) return code;
    known |= row->correction.known;
  }
  return known ? VAT_OK
               : fail(VAT_USAGE,
                      "--measured %s: it has no larger pages; fix: vat compare "
                      "--pages 4k,thp --json -- PROG >FILE",
                      request->measured);
}

int what_if_begin(struct what_if_table *table,
                  const struct profile_request *request) {
  const char *missing = NULL;
  size_t without_it = 0;
  int code = table->here ? VAT_OK : read_all(table, request);
  table->without = request->without;
  if (code) return code;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t here;
    const char *without = add_row(table, names[i], &here);
    if (missing || !without) continue;
    missing = without;
    without_it = here;
  }
  if (!table->count && table->here)
    return fail(VAT_ABSENT,
                "the calibration of this machine has %s; fix: vat doctor shows "
                "how to get transparent huge pages, or --machine FILE",
                missing);
  if (!table->count)
    return fail(VAT_USAGE,
                "%s: it has %s; fix: vat calibrate --pages 4k,thp -o %s",
                request->machine.at[without_it], missing,
                request->machine.at[without_it]);
  for (size_t i = 0; i < table->cals && !table->saved; i++)
    warn(&table->cal[i], table->here ? NULL : request->machine.at[i]);
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
double what_if_cycle_ns(const struct what_if_table *table) {
  double ns[PROFILE_MACHINES];
  for (size_t i = 0; i < table->cals; i++) {
    ns[i] = table->cal[i].noise.canary_ns / 4;
    if (!isfinite(ns[i])) ns[i] = 0;
  }
  return ratio_median(ns, table->cals);
}

static void price(struct walk_costs *costs, const struct what_if_table *table,
                  const char *name, double pages, double traffic) {
  struct walk_costs *each = memory_zeroed(table->cals, sizeof *each);
  for (size_t i = 0; i < table->cals; i++) {
    const struct calibration *cal = &table->cal[i]; /* as add_row() found it */
    walk_costs_make(&each[i], cal, walk_costs_base(cal),
                    calibration_page_for(cal, name)->kind, pages, traffic);
  }
  walk_costs_join(costs, each, table->cals);
  free(each);
}

double what_if_repetitions(const struct what_if_table *table) {
  double least = INFINITY;
  for (size_t i = 0; i < table->cals; i++)
    least = fmin(least, table->cal[i].noise.repetitions);
  return least;
}

/* What is left of an interval would be that of the native runs. */
static void forget_interval(struct what_if_value *value) {
  value->lo = value->hi = NAN;
}

static void forget_intervals(struct what_if *what, struct what_if_code *code,
                             size_t sites) {
  forget_interval(&what->ratio);
  forget_interval(&what->translation);
  forget_interval(&what->saved_s);
  forget_interval(&code->ratio);
  forget_interval(&code->saved_s);
  for (size_t i = 0; i < sites; i++) forget_interval(&what->sites[i]);
}

/* What is done of all rows. */
struct telling {
  struct progress progress;
  size_t row, rows;
};

static void tell(void *context, double done) {
  struct telling *t = context;
  progress_draw_part(&t->progress, ((double)t->row + done) / (double)t->rows,
                     t->progress.start_s, "computing what is saved");
}

/* The pages of the profile's plan, as far as they were calibrated: behind all
 * others.  A size between follows with these. */
static void add_plan(struct what_if_table *table,
                     const struct profile *profile) {
  char name[HP_NAME_SIZE];
  if (!profile_plan_is_there(profile)) return;
  hp_page_name((size_t)1 << profile->plan.page_bits, name);
  for (size_t i = 0; i < table->count; i++) {
    if (strcmp(table->row[i].name, name)) continue;
    table->row[table->count] = table->row[i];
    table->row[table->count++].name = "plan";
    return;
  }
  bool largest = !strcmp(name, names[1]);
  snprintf(table->plan_why, sizeof table->plan_why,
           "the calibration has no pages of %s; fix: vat calibrate --pages "
           "4k,thp%s -o MACHINE.json, then --machine MACHINE.json",
           largest ? "1 GiB" : "2 MiB", largest ? ",1g" : "");
}

struct what_if_input what_if_input_of(const struct what_if_table *table,
                                      const struct profile *profile) {
  const struct native *native = &table->native;
  unsigned count = walkers(table);
  double cycle_ns = what_if_cycle_ns(table);
  double faults = native->runs ? (double)native->faults : 0;
  if (!what_if_has(table->without, WHAT_IF_PAGE_FAULTS)) faults = 0;
  return (struct what_if_input){
      .profile = profile,
      .given = table->given,
      .time = native->time,
      .faults =
          what_if_fault_time(profile, cycle_ns, faults, native->time.user_s),
      .without = table->without,
      .traffic = what_if_has(table->without, WHAT_IF_TRAFFIC)
                     ? what_if_traffic(profile)
                     : 1,
      .cycle_ns = cycle_ns,
      .machine = {window, count},
      .machine_lo = {window_most, count},
      .machine_hi = {window_least, count}};
}

static void make(struct what_if *what, const struct what_if_input *input) {
  struct what_if_input walks = *input;
  walks.time = what_if_without_faults(input);
  what_if_make(what, &walks);
  what_if_add_fault_time(what, input);
}

/* Of "2m" or "thp-64k". */
static double page_bytes_of(const char *name) {
  const struct hp_kind *kind = hp_kind_find(name);
  return kind ? (double)kind->bytes : 1 << 21;
}

void what_if_by_curves(struct what_if *what, const struct what_if_table *table,
                       const struct profile *profile, const char *name,
                       bool planned) {
  struct what_if_input input = what_if_input_of(table, profile);
  struct what_if_code none = what_if_code_unknown;
  input.planned = planned;
  input.page_bytes = page_bytes_of(name);
  price(&input.costs, table, name, (double)profile_pages(profile, 0),
        input.traffic);
  make(what, &input);
  if (what_if_repetitions(table) < CALIBRATION_REPETITIONS)
    forget_intervals(what, &none, profile->sites.count);
  if (!strcmp(table->row[0].pages, names[0]))
    what_if_correct(what, &table->row[0].correction, &table->native.time,
                    profile->sites.count);
}

/* A plan's row has the correction of its pages', which is made by then. */
static void correct(const struct what_if_table *table, struct what_if_row *row,
                    const struct profile *profile) {
  const struct what_if_time *time = &table->native.time;
  if (strcmp(row->name, "plan") != 0) {
    what_if_correct_all(&row->what, &row->correction, time,
                        profile->sites.count);
    return;
  }
  for (size_t i = 0; i < table->count; i++)
    if (!strcmp(table->row[i].name, row->pages))
      what_if_correct(&row->what, &table->row[i].correction, time,
                      profile->sites.count);
}

void what_if_predict(struct what_if_table *table, const struct profile *profile,
                     const struct what_if_row *only) {
  struct telling telling = {0};
  if (!only) add_plan(table, profile);
  telling.rows = only ? 1 : table->count;
  struct what_if_input input = what_if_input_of(table, profile);
  input.tick = tell;
  input.context = &telling;
  progress_init(&telling.progress);
  for (size_t i = 0; i < table->count; i++) {
    struct what_if_row *row = &table->row[i];
    if (only && row != only) continue;
    price(&input.costs, table, row->pages, (double)profile_pages(profile, 0),
          input.traffic);
    telling.row = only ? 0 : i;
    input.planned = !strcmp(row->name, "plan");
    input.page_bytes = page_bytes_of(row->pages);
    make(&row->what, &input);
    row->code = what_if_code_unknown;
    if (!strcmp(row->name, "2m"))
      what_if_code_make(&row->code, &input, &row->what);
    if (what_if_repetitions(table) < CALIBRATION_REPETITIONS)
      forget_intervals(&row->what, &row->code, profile->sites.count);
    correct(table, row, profile);
  }
  progress_clear(&telling.progress);
}

struct what_if_faults what_if_faults(const struct what_if_table *table,
                                     double page_bytes) {
  const struct native *n = &table->native;
  const double base = 4096, gib = 1 << 30;
  if (!n->runs || !table->count) return (struct what_if_faults){NAN, NAN};
  double there = (double)n->faults * table->row[0].what.covered;
  double a_gib = n->touch.base_again - first_touch_again(&n->touch, page_bytes);
  return (struct what_if_faults){
      there * (1 - base / page_bytes),
      n->touch.known ? fmax(0, there * base / gib * a_gib) : NAN};
}

void what_if_end(struct what_if_table *table) {
  for (size_t i = 0; i < table->count; i++) what_if_fini(&table->row[i].what);
  for (size_t i = 0; i < table->sizes; i++) what_if_fini(&table->size[i].what);
  for (size_t i = 0; i < table->cals; i++) calibration_fini(&table->cal[i]);
  free(table->cal);
}

/* null where fetches were not looked at. */
static json_t *code_to_json(const struct what_if_code *code) {
  return isnan(code->ratio.value)
             ? json_null()
             : json_of_reals("user_ratio", code->ratio.value, "lo",
                             code->ratio.lo, "hi", code->ratio.hi, "saved_s",
                             code->saved_s.value);
}

static json_t *value_to_json(const struct what_if_value *ratio) {
  return json_of_reals("user_ratio", ratio->value, "lo", ratio->lo, "hi",
                       ratio->hi);
}

/* null: by prediction alone. */
static json_t *correction_to_json(const struct what_if_correction *by) {
  return by->known ? json_of_reals("user_ratio", by->measured.value, "lo",
                                   by->measured.lo, "hi", by->measured.hi,
                                   "predicted", 1 - by->told)
                   : json_null();
}

static json_t *row_to_json(const struct what_if_row *row) {
  const struct what_if *w = &row->what;
  json_t *object =
      json_of_reals("user_ratio", w->ratio.value, "lo", w->ratio.lo, "hi",
                    w->ratio.hi, "saved_s", w->saved_s.value, "covered",
                    w->covered, "alone_s", w->alone_s, "exposed", w->overlap,
                    "base_ns", w->base_ns, "placement_most", what_if_placement);
  json_object_set_new(object, "translation", value_to_json(&w->translation));
  json_object_set_new(object, "code", code_to_json(&row->code));
  json_object_set_new(object, "corrected_by",
                      correction_to_json(&row->correction));
  json_object_set_new(object, "calibrated", json_string(row->stand));
  json_object_set_new(object, "base", json_string(row->base));
  return object;
}

static json_t *faults_to_json(const struct what_if_table *table) {
  const struct first_touch *touch = &table->native.touch;
  struct what_if_faults saved = what_if_faults(table, 1 << 21);
  return json_of_reals(
      "saved", saved.count, "sys_saved_s", saved.sys_s,
      "first_touch_4k_s_per_gib", touch->known ? touch->base_again : NAN,
      "first_touch_2m_s_per_gib", touch->known ? touch->huge_again : NAN);
}

static json_t *without_to_json(unsigned without) {
  json_t *left_out = json_array();
  for (int i = 0; what_if_terms[i].name; i++)
    if (!what_if_has(without, (enum what_if_term)i))
      json_array_append_new(left_out, json_string(what_if_terms[i].name));
  return left_out;
}

json_t *what_if_to_json(const struct what_if_table *table) {
  const struct native *n = &table->native;
  json_t *object = json_object();
  for (size_t i = 0; i < table->count; i++)
    json_object_set_new(object, table->row[i].name,
                        row_to_json(&table->row[i]));
  bool short_of = what_if_repetitions(table) < CALIBRATION_REPETITIONS;
  json_object_update_new(
      object,
      json_pack("{so ss? ss? sI s{sI so so so so so}}", "faults",
                faults_to_json(table), "plan_why",
                *table->plan_why ? table->plan_why : NULL, "interval_why",
                short_of ? "too few repetitions of a calibration; fix: vat "
                           "calibrate with a longer --time-budget"
                         : NULL,
                "calibrations", (json_int_t)table->cals, "native", "runs",
                (json_int_t)n->runs, "user_s", json_of_real(n->time.user_s),
                "user_s_least", json_of_real(n->time.lo_s), "user_s_most",
                json_of_real(n->time.hi_s), "sys_s", json_of_real(n->sys_s),
                "minor_faults",
                n->runs ? json_integer((json_int_t)n->faults) : json_null()));
  json_object_set_new(object, "without", without_to_json(table->without));
  return object;
}

/* Shares of the user time. */
json_t *what_if_site_to_json(const struct what_if_table *table, size_t site) {
  double all = table->native.time.user_s;
  json_t *object = json_object();
  for (size_t i = 0; i < table->count; i++) {
    const struct what_if_value *s = &table->row[i].what.sites[site];
    json_object_set_new(object, table->row[i].name,
                        json_of_reals("predicted", s->value / all, "lo",
                                      s->lo / all, "hi", s->hi / all));
  }
  return object;
}
