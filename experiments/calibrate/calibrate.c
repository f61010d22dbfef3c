/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/calibrate.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/coalescing.h"
#include "experiments/calibrate/derivation.h"
#include "experiments/calibrate/measure.h"
#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "experiments/machine/caches.h"
#include "experiments/machine/process.h"
#include "experiments/memory/workspaces.h"
#include "experiments/probe/bench.h"
#include "experiments/results/machine_record.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/size_text.h"

/* More shows nothing new: table lines come from memory by then, and filling
 * takes its time. */
static const size_t memory_most = (size_t)4 << 30;

/* Of the time, for chases that go on for long: what-if needs little else. */
static const double steady_share = 0.2, steady_share_refresh = 0.7;

/* And for whether contiguous frames share entries of the TLB: a few seconds. */
static const double coalescing_share = 0.05;

struct session {
  const struct calibrate_options *options;
  struct calibration *cal;
  struct page_set pages;
  struct workspaces workspaces;
  struct recording recording;
  struct steady steady;
  struct progress progress;
  size_t bytes; /* of each kind */
};

/* `named` kinds were asked for. */
static int choose_memory(struct session *s, size_t named) {
  size_t free_bytes = hp_memory_available(), kinds = s->pages.count;
  s->bytes = s->options->memory_bytes;
  if (!s->bytes) {
    s->bytes = free_bytes / 4 / named;
    if (s->bytes > memory_most) s->bytes = memory_most;
    s->bytes -= s->bytes % ((size_t)2 << 20);
  }
  if (s->bytes >= 1 << 20 && s->bytes <= free_bytes / kinds) return VAT_OK;
  return fail(
      VAT_ABSENT,
      "too little memory: the calibration takes %zu times %s, and %s is "
      "free; choose a smaller --memory%s",
      kinds, HP_SIZE_SHOWN(s->bytes), HP_SIZE_SHOWN(free_bytes),
      named > 1 ? " or fewer --pages" : "");
}

/*
 * What programs have is measured beside base pages of whole blocks, or, where
 * what-if's curves are all that is asked for, in their place.
 */
static void add_given(struct session *s) {
  struct page_set *pages = &s->pages;
  const struct hp_kind *given = hp_kind_given();
  for (size_t i = 0; i < pages->count; i++) {
    if (pages->kinds[i] != hp_kind_base()) continue;
    if (!s->options->refresh && pages->count == PAGE_SET_MAX) return;
    pages->kinds[s->options->refresh ? i : pages->count++] = given;
    return;
  }
}

/* Caches of data, as reported, and memory. */
static void name_levels(struct calibration *cal) {
  struct cache caches[CACHES_MAX];
  size_t count = caches_read(caches);
  for (size_t i = 0; i < count; i++) {
    if (!strcmp(caches[i].type, "instruction")) continue;
    if (cal->level_count == CALIBRATION_LEVELS - 1) break;
    struct cal_level *level = &cal->levels[cal->level_count++];
    snprintf(level->name, sizeof level->name, "L%u", caches[i].level);
    level->bytes_reported = (double)caches[i].bytes;
  }
  struct cal_level *memory = &cal->levels[cal->level_count++];
  snprintf(memory->name, sizeof memory->name, "memory");
  memory->bytes_reported = NAN;
}

static void name_curves(struct session *s, const struct hp_kind *kind) {
  bool what_if = s->options->refresh || kind == hp_kind_given();
  bench_curves(s->cal, kind, s->bytes, what_if);
  if (what_if) return;
  struct cal_pages *pages = &s->cal->pages[s->cal->page_count++];
  *pages = (struct cal_pages){.page_bytes = (double)kind->bytes};
  snprintf(pages->kind, sizeof pages->kind, "%s", kind->name);
}

/* Curves of the kinds that are what they were asked to be. */
static int name_kinds(struct session *s) {
  for (size_t i = 0; i < s->workspaces.count; i++) {
    const struct hp_region *region = &s->workspaces.regions[i];
    struct hp_granted granted;
    if (hp_region_verify(region, s->bytes, &granted))
      return fail(VAT_ABSENT, "cannot check which pages back the memory: %s",
                  strerror(errno));
    if (!hp_granted_is(&granted, region->kind)) {
      quality_warn(s->cal,
                   "%s pages are left out: the kernel granted other pages",
                   region->kind->name);
      continue;
    }
    name_curves(s, region->kind);
    if (bench_fill(region)) return VAT_FAILED;
  }
  if (s->cal->curve_count) return VAT_OK;
  return fail(
      VAT_ABSENT,
      "the kernel granted no page kind that was asked for; see vat doctor");
}

/* The file, too, says why kinds are missing that nobody left out. */
static void name_absent(struct session *s) {
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    struct hp_missing missing = {0};
    if (kind->named || calibration_pages(s->cal, kind->name)) continue;
    if (!hp_kind_explain(kind, s->bytes, &missing)) continue;
    quality_warn(s->cal, "no %s pages: %s%s%s", kind->name, missing.why,
                 *missing.fix ? "; fix: --reserve, or " : "", missing.fix);
  }
}

static int on_fault(size_t done, void *context) {
  (void)done, (void)context;
  return interrupt_pending();
}

static int draw_all(struct session *s) {
  for (size_t i = 0; i < s->workspaces.count; i++) {
    struct hp_region *region = &s->workspaces.regions[i];
    if (region->kind != hp_kind_given()) continue;
    hp_region_unmap(region);
    *region = (struct hp_region){0};
    if (hp_region_map(region, hp_kind_given(), s->bytes, on_fault, NULL)) {
      *region = (struct hp_region){0};
      if (errno != EINTR) memory_exhausted();
      return -1;
    }
    if (bench_fill(region)) return -1;
  }
  return 0;
}

unsigned calibrate_rounds(double took_s, double left_s, double share) {
  double count = floor((took_s + left_s) * share / took_s);
  return (unsigned)fmin(fmax(1, count), STEADY_PASSES);
}

/*
 * Which physical pages a program has where the kernel gives them as it likes is
 * of chance, and what a walk costs depends on it: the same chase over 1 GiB
 * took 176 to 343 ns in calibrations some minutes apart.  So memory of such
 * pages is taken anew in each round, of which there are as many as the long
 * chases leave room for; the points of a round are those of one draw.  One
 * round at least.  -1 with errno EINTR: then the region of given pages may be
 * zeroed.
 */
static int run_rounds(struct session *s, const struct measure_time *time) {
  double start = progress_now_s(), end = time->end_s, took = 0;
  unsigned count = 1;
  for (unsigned round = 0; round < count; round++) {
    double now = progress_now_s();
    if (round && now + took > end) break;
    if (draw_all(s) || steady_pass(&s->steady)) return -1;
    took = progress_now_s() - now; /* with a draw, as all of them */
    if (!round && s->steady.count)
      count = calibrate_rounds(
          took, end - now - took,
          s->options->refresh ? steady_share_refresh : steady_share);
    double until = start + (end - start) * (round + 1) / count;
    if (measure(s->cal, &s->workspaces, until, time, &s->recording,
                &s->progress))
      return -1;
  }
  return 0;
}

static int run_benches(struct session *s) {
  bool optional = !page_set_is_named(s->options->pages);
  double start = progress_now_s();
  int code = pin_or_fail(s->options->pin);
  if (code) return code;
  const struct measure_time time = {start, start + s->options->time_budget_s};
  progress_init(&s->progress);
  if (!s->options->refresh &&
      coalescing_measure(s->cal, s->bytes,
                         start + coalescing_share * s->options->time_budget_s,
                         &time, &s->progress))
    return VAT_FAILED;
  code = workspaces_map(&s->workspaces, &s->pages, s->bytes,
                        s->options->reserve, optional, &s->progress);
  if (!code) code = name_kinds(s);
  if (!code && optional) name_absent(s);
  if (code) return code;
  s->cal->noise.timer_ns = bench_timer_ns();
  recording_init(&s->recording, s->cal);
  steady_begin(&s->steady, s->cal, &s->workspaces, s->bytes);
  if (run_rounds(s, &time)) return VAT_FAILED;
  s->cal->noise.seconds = progress_now_s() - start;
  return VAT_OK;
}

static void conclude(struct session *s) {
  size_t all[RECORDING_REPS];
  for (size_t i = 0; i < s->recording.reps; i++) all[i] = i;
  recording_curves(&s->recording, all, s->recording.reps, s->cal);
  recording_noise(&s->recording, s->cal);
  if (!s->options->refresh) {
    derive(s->cal);
    intervals(s->cal, &s->recording);
    quality_check(s->cal);
  }
  steady_add(&s->steady, s->cal);
  s->cal->machine = machine_record(NULL);
}

static int calibrate_all(const struct calibrate_options *options,
                         struct calibration *cal) {
  struct session s = {.options = options, .cal = cal};
  *cal = (struct calibration){0};
  int code = page_set_add(&s.pages, options->pages, options->reserve);
  size_t named = s.pages.count;
  if (!code) add_given(&s);
  if (!code) code = choose_memory(&s, named);
  if (code) return code;
  name_levels(cal);
  if (interrupt_arm()) return fail(VAT_ABSENT, "signals: %s", strerror(errno));
  code = run_benches(&s);
  progress_clear(&s.progress);
  workspaces_fini(&s.workspaces);
  bool interrupted = interrupt_pending();
  interrupt_disarm();
  if (interrupted) interrupt_die();
  if (!code) conclude(&s);
  steady_fini(&s.steady);
  recording_fini(&s.recording);
  return code;
}

/* Curves of `fresh` replace those of `cal` that have their name, kind of pages
 * and chains, or are added; its noise does, too.  `fresh` keeps no curve. */
static void merge(struct calibration *cal, struct calibration *fresh) {
  cal->curves =
      memory_grow(cal->curves, cal->curve_count + fresh->curve_count + 1,
                  sizeof *cal->curves);
  for (size_t i = 0; i < fresh->curve_count; i++) {
    const struct cal_curve *curve = &fresh->curves[i];
    struct cal_curve *old = (struct cal_curve *)calibration_curve(
        cal, curve->name, curve->pages, curve->chains);
    if (old)
      free(old->points);
    else
      old = &cal->curves[cal->curve_count++];
    *old = *curve;
  }
  fresh->curve_count = 0;
  cal->noise = fresh->noise;
  quality_check_noise(cal);
}

static int read_old(const char *path, struct calibration *cal) {
  char why[PATH_MAX + CALIBRATION_TEXT];
  if (calibration_read(cal, path, why, sizeof why))
    return fail(fail_code(errno), "%s", why);
  json_t *here = machine_record(NULL);
  bool same = calibration_is_of(cal, here);
  json_decref(here);
  if (same && cal->page_count) return VAT_OK;
  return fail(VAT_USAGE,
              "--refresh %s: the file is from %s; fix: vat calibrate -o %s",
              path, same ? "no pages" : "another machine", path);
}

static bool is_measured(const struct calibration *fresh, const char *kind) {
  for (size_t i = 0; i < fresh->curve_count; i++)
    if (!strcmp(fresh->curves[i].pages, kind)) return true;
  return false;
}

/* Prices are differences: curves of one hour with those of another are none. */
static int check_kinds(const struct calibration *cal,
                       const struct calibration *fresh) {
  for (size_t i = 0; i < cal->page_count; i++) {
    const char *kind = cal->pages[i].kind;
    bool base = !strcmp(kind, hp_kind_base()->name);
    if (is_measured(fresh, base ? hp_kind_given()->name : kind)) continue;
    return fail(
        VAT_ABSENT,
        "--refresh: the kernel did not grant %s pages, so they were not "
        "measured again; fix: choose a smaller --memory, or run vat calibrate",
        kind);
  }
  return VAT_OK;
}

/* What others take of the caches changes within minutes; what the processor is
 * made of does not.  So the curves that `vat profile --what-if` goes by can be
 * measured again in less than a minute, as near as can be to what is to be
 * predicted; all other numbers stay what they were in the file. */
static int refresh(const struct calibrate_options *options,
                   struct calibration *cal) {
  char kinds[CALIBRATION_KINDS * (HP_NAME_SIZE + 1)] = "";
  struct calibrate_options here = *options;
  int code = read_old(options->refresh, cal);
  if (code) return code;
  for (size_t i = 0, used = 0; i < cal->page_count; i++)
    used += (size_t)snprintf(kinds + used, sizeof kinds - used, "%s%s",
                             i ? "," : "", cal->pages[i].kind);
  here.pages = kinds;
  struct calibration *fresh = memory_get(sizeof *fresh);
  code = calibrate_all(&here, fresh);
  if (!code) code = check_kinds(cal, fresh);
  if (!code) merge(cal, fresh);
  calibration_fini(fresh);
  free(fresh);
  return code;
}

int calibrate(const struct calibrate_options *options,
              struct calibration *cal) {
  return (options->refresh ? refresh : calibrate_all)(options, cal);
}
