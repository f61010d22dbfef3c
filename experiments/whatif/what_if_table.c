/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/whatif/what_if_table.h"

#include <math.h>
#include <string.h>

#include "experiments/command.h"
#include "experiments/driver/machine.h"
#include "experiments/validate/machine_file.h"

/* Instructions under way: what processors of the last ten years have lies
 * between these, whose geometric mean is taken. */
static const double window = 320, window_least = 200, window_most = 512;

static const char *const names[] = {"2m", "1g"};

static void warn(const struct what_if_table *table, const char *path) {
  json_t *here = machine_record(NULL);
  if (here && !calibration_is_of(&table->cal, here))
    fail(VAT_OK,
         "warning: %s was calibrated on another machine; mend: vat calibrate "
         "here",
         path);
  json_decref(here);
  for (size_t i = 0; i < table->cal.warning_count; i++)
    fail(VAT_OK, "%s: warning: %s", path, table->cal.warnings[i]);
}

int what_if_begin(struct what_if_table *table,
                  const struct profile_request *request) {
  char why[PATH_MAX + CALIBRATION_TEXT];
  struct walk_costs costs;
  const char *path = request->machine, *lack = "no pages of 2 MiB";
  *table = (struct what_if_table){0};
  if (machine_file_read(&table->cal, path, why, sizeof why))
    return fail(VAT_USAGE, "%s", why);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const struct cal_pages *pages = calibration_page_for(&table->cal, names[i]);
    if (!pages) continue;
    lack = walk_costs_make(&costs, &table->cal, "4k", pages->kind, 1);
    if (lack) break;
    table->row[table->count++] =
        (struct what_if_row){.name = names[i], .stand = pages->kind};
  }
  if (!table->count)
    return fail(VAT_USAGE,
                "%s: it has %s; mend: vat calibrate --pages 4k,thp -o %s", path,
                lack, path);
  warn(table, path);
  return VAT_OK;
}

static double walkers(const struct calibration *cal, const char *kind) {
  const struct cal_pages *pages = calibration_pages(cal, kind);
  double count = pages ? pages->walks_in_flight.value : NAN;
  return count >= 1 ? round(count) : 1;
}

int what_if_predict(struct what_if_table *table,
                    const struct profile *profile) {
  struct what_if_input input = {.profile = profile, .time = table->native.time};
  unsigned count = (unsigned)walkers(&table->cal, "4k");
  /* Its loop multiplies and adds: 3 cycles and 1 on all these processors. */
  input.cycle_ns = table->cal.noise.canary_ns / 4;
  if (!isfinite(input.cycle_ns)) input.cycle_ns = 0;
  input.machine = (struct overlap_machine){window, count};
  input.machine_lo = (struct overlap_machine){window_most, count};
  input.machine_hi = (struct overlap_machine){window_least, count};
  for (size_t i = 0; i < table->count; i++) {
    struct what_if_row *row = &table->row[i];
    if (walk_costs_make(&input.costs, &table->cal, "4k", row->stand,
                        (double)profile_pages(profile, 0)) ||
        what_if_make(&row->what, &input))
      return fail(VAT_ABSENT, "out of memory");
  }
  return VAT_OK;
}

struct what_if_faults what_if_faults(const struct what_if_table *table) {
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
  calibration_fini(&table->cal);
}

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_to_json(const struct what_if_row *row) {
  const struct what_if *w = &row->what;
  return json_pack("{so so so so so so so so ss}", "user_ratio",
                   number(w->ratio.value), "lo", number(w->ratio.lo), "hi",
                   number(w->ratio.hi), "saved_s", number(w->saved_s.value),
                   "covered", number(w->covered), "alone_s", number(w->alone_s),
                   "exposed", number(w->overlap), "base_ns", number(w->base_ns),
                   "calibrated", row->stand);
}

static json_t *faults_to_json(const struct what_if_table *table) {
  const struct first_touch *touch = &table->native.touch;
  struct what_if_faults saved = what_if_faults(table);
  return json_pack("{so so so so}", "saved", number(saved.count), "sys_saved_s",
                   number(saved.sys_s), "first_touch_4k_s_per_gib",
                   number(touch->known ? touch->base_again : NAN),
                   "first_touch_2m_s_per_gib",
                   number(touch->known ? touch->huge_again : NAN));
}

json_t *what_if_to_json(const struct what_if_table *table) {
  const struct native *n = &table->native;
  json_t *object = json_object();
  for (size_t i = 0; i < table->count; i++)
    json_object_set_new(object, table->row[i].name,
                        row_to_json(&table->row[i]));
  json_object_set_new(object, "faults", faults_to_json(table));
  json_object_set_new(
      object, "native",
      json_pack("{sI so so so so so}", "runs", (json_int_t)n->runs, "user_s",
                number(n->time.user_s), "user_s_least", number(n->time.lo_s),
                "user_s_most", number(n->time.hi_s), "sys_s", number(n->sys_s),
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
        json_pack("{so so so}", "predicted", number(s->value / all), "lo",
                  number(s->lo / all), "hi", number(s->hi / all)));
  }
  return object;
}
