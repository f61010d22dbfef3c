/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of a calibration: what an access waits over the memory that a
 * chase goes through, and the knees that were found in them.  Both axes are
 * logarithms.  And tau and W of each machine that has a calibration. */
#include <math.h>
#include <string.h>

#include "experiments/probe/calibration.h"
#include "experiments/report/figure.h"
#include "experiments/report/report_machine.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/size_text.h"

struct chase {
  const char *name, *title;
};
static const struct chase chases[] = {
    {"line_chase", "Every line of the memory"},
    {"page_chase", "One line of every 4 KiB"},
};
enum { CHASES = sizeof chases / sizeof *chases };

/* Knees nearer than this are one mark. */
#define SAME_KNEE 1.25

static const struct cal_curve *curve_of(const struct calibration *cal,
                                        const struct chase *chase,
                                        size_t pages) {
  const struct cal_curve *curve =
      calibration_curve(cal, chase->name, cal->pages[pages].kind, 1);
  return curve && curve->count ? curve : NULL;
}

/* The memory that a point goes through, between its first line and its last. */
static double bytes_of(const struct cal_curve *curve,
                       const struct cal_point *point) {
  return point->x * (curve->by_pages ? curve->step_bytes : 1);
}

static void add_series(struct chart_panel *panel, const struct calibration *cal,
                       const struct chase *chase) {
  for (size_t j = 0; j < cal->page_count; j++) {
    const struct cal_curve *curve = curve_of(cal, chase, j);
    struct chart_series *series =
        chart_series(panel, j ? j - 1 : CHART_BLACK, "%s", cal->pages[j].kind);
    for (size_t i = 0; curve && i < curve->count; i++)
      chart_point(series, bytes_of(curve, &curve->points[i]),
                  curve->points[i].ns);
  }
}

static void mark_caches(struct chart_panel *panel,
                        const struct calibration *cal) {
  for (size_t i = 0; i < cal->level_count; i++)
    chart_mark(panel, cal->levels[i].bytes_usable.value, "%s",
               cal->levels[i].name);
}

/* Of the TLBs, by what their entries map; kinds that agree share a mark, which
 * is the first's. */
static void mark_tlbs(struct chart_panel *panel,
                      const struct calibration *cal) {
  for (size_t i = 0; i < cal->page_count; i++) {
    const struct cal_pages *pages = &cal->pages[i];
    for (size_t j = 0; j < pages->tlbs; j++) {
      double entries = pages->tlb[j].entries.value;
      double x = entries * pages->granularity_bytes;
      bool again = false;
      for (size_t k = 0; k < panel->mark_count; k++)
        again |=
            fmax(x / panel->marks[k].at, panel->marks[k].at / x) < SAME_KNEE;
      if (!again)
        chart_mark(panel, x, j + 1 < pages->tlbs ? "%.0f" : "W = %.0f",
                   entries);
    }
  }
}

/* Of all panels, with room for the names of the marks. */
static void set_axes(struct chart *chart) {
  double lo = NAN, hi = NAN;
  chart_extent(chart, &lo, &hi);
  lo /= pow(10, 0.05);
  hi *= pow(10, 0.05) * pow(hi / lo, 0.1);
  for (size_t i = 0; i < chart->count; i++) {
    chart->panels[i].y.lo = lo;
    chart->panels[i].y.hi = hi;
  }
}

/* "4 KiB"; "-" for what is not known. */
static const char *bytes_text(double bytes, char text[HP_SIZE_TEXT]) {
  if (!(bytes >= 1 && bytes < 1e18)) return strcpy(text, "-");
  return hp_size_text((size_t)bytes, text);
}

/* tau and W of each kind, and the caches. */
static void calibration_tell(struct chart *chart, const struct survey *survey) {
  const struct calibration *cal = survey->calibration;
  char bytes[HP_SIZE_TEXT];
  chart_tell(chart, "Here tau, ");
  for (size_t i = 0; i < cal->page_count; i++) {
    const struct cal_pages *pages = &cal->pages[i];
    chart_tell(chart, "%s on %s %s ns, W %s entries of %s",
               i ? ";" : "what a miss of the translation cache costs, is",
               pages->kind, HUMAN_NUMBER(pages->tau_ns.value),
               HUMAN_NUMBER(pages->tc_nodes.value),
               bytes_text(pages->granularity_bytes, bytes));
  }
  for (size_t i = 0; i < cal->level_count; i++) {
    const struct cal_level *level = &cal->levels[i];
    bool known = isfinite(level->bytes_usable.value);
    chart_tell(chart, "%s%.31s%s%s %s ns",
               i ? ", " : ". Caches hold and take: ", level->name,
               known ? " " : "",
               known ? bytes_text(level->bytes_usable.value, bytes) : "",
               HUMAN_NUMBER(level->ns.value));
  }
  chart_tell(chart, ".%s",
             calibration_is_of(cal, survey->record)
                 ? ""
                 : " This is the calibration of another machine than that of "
                   "the measurements.");
}

static void calibration_fill(const struct survey *survey, struct chart *chart) {
  const struct calibration *cal = survey->calibration;
  if (!cal) return;
  chart->box = (struct chart_box){480, 380, 66, 60, 38, 48};
  chart->same_x = true;
  report_machine_title(cal->machine, chart->foot);
  for (size_t i = 0; i < CHASES; i++) {
    struct chart_panel *panel =
        chart_panel(chart, "memory spanned", i ? "" : "ns an access", "%s",
                    chases[i].title);
    panel->x.scale = CHART_BYTES;
    panel->y.scale = CHART_LOG;
    panel->bare = true;
    (i ? mark_tlbs : mark_caches)(panel, cal);
    add_series(panel, cal, &chases[i]);
  }
  set_axes(chart);
  calibration_tell(chart, survey);
}

static void calibration_write_lines(FILE *out, const struct survey *survey) {
  const struct calibration *cal = survey->calibration;
  for (size_t i = 0; i < CHASES; i++)
    for (size_t j = 0; j < cal->page_count; j++) {
      const struct cal_curve *curve = curve_of(cal, &chases[i], j);
      for (size_t k = 0; curve && k < curve->count; k++) {
        const struct cal_point *point = &curve->points[k];
        figure_csv(out, "|wwsuggg\n", "curve", chases[i].name, curve->pages,
                   (uint64_t)rint(bytes_of(curve, point)), point->ns, point->lo,
                   point->hi);
      }
    }
  for (size_t i = 0; i < cal->level_count; i++)
    figure_csv(out, "|ws-g---\n", "knee", cal->levels[i].name,
               cal->levels[i].bytes_usable.value);
  for (size_t i = 0; i < cal->page_count; i++)
    for (size_t j = 0; j < cal->pages[i].tlbs; j++) {
      char name[32];
      snprintf(name, sizeof name, "TLB %zu", j + 1);
      figure_csv(
          out, "|wssg---\n", "knee", name, cal->pages[i].kind,
          cal->pages[i].tlb[j].entries.value * cal->pages[i].granularity_bytes);
    }
}

const struct figure figure_calibration = {
    .name = "fig-calibration",
    .title = "Waiting time of an access, from the calibration",
    .caption =
        "x axis: the memory that the accesses are spread over. y axis: median "
        "time of an access in random order; each access waits for the one "
        "before. Both axes are logarithmic, and a line is a page kind. Left: "
        "the accesses use all cache lines of the memory, so each step is the "
        "end of a cache, marked in grey. Right: they use one cache line in "
        "each 4 KiB, so most steps are the ends of TLBs, marked with the "
        "number of entries. The last mark is W, the size of the translation "
        "cache in the VAT model. The rise behind it is tau, the cost of a "
        "translation, and then the cost of fetching page tables and data. "
        "Where the lines of two page kinds part, the difference is "
        "translation. If a huge page rises at the same size as a base page, "
        "the host of the virtual machine backs it with small pages.",
    .needs =
        "It needs the machine's calibration: vat calibrate -o MACHINE.json, "
        "then vat report FILE --machine MACHINE.json -o DIR. With several "
        "results files, the figure is drawn for the first file, and for every "
        "further file whose machine was calibrated.",
    .fill = calibration_fill,
    .head = "what,name,pages,bytes,ns,ns_least,ns_most",
    .write_lines = calibration_write_lines,
};

static const char *kind_name(size_t index) {
  const struct hp_kind *kind = hp_kind_at(index);
  return kind->base ? *kind->known_as : kind->name;
}

/* Of page kinds, as in the figure of one calibration. */
static size_t kind_colour(size_t index) {
  return index ? (index - 1) % CHART_BLACK : CHART_BLACK;
}

/* By the number of its results, where there are any. */
static void name_machine(const struct survey *survey, size_t index,
                         char name[MACHINES_LABEL]) {
  const struct calibration *cal = survey->calibrations[index];
  char title[REPORT_MACHINE_SIZE];
  for (size_t i = 0; i < machines_count(survey); i++)
    if (calibration_is_of(cal, survey_at(survey, i)->record)) {
      machines_label(survey, i, name);
      return;
    }
  report_machine_title(cal->machine, title);
  snprintf(name, MACHINES_LABEL, "%c  %.100s", (char)('a' + index % 26), title);
}

static void add_panel(struct chart *chart, const struct survey *survey,
                      const char *title, const char *axis, bool of_tau) {
  struct chart_panel *panel = chart_panel(chart, axis, "", "%s", title);
  for (size_t k = 0; k < hp_kind_count(); k++) {
    struct chart_series *series = chart_series(panel, kind_colour(k), "%s", "");
    series->apart = true;
    for (size_t i = 0; survey->calibrations[i]; i++) {
      const struct cal_pages *pages =
          calibration_pages(survey->calibrations[i], kind_name(k));
      char name[MACHINES_LABEL];
      name_machine(survey, i, name);
      double row = chart_row(panel, name);
      if (!pages) continue;
      struct cal_value value = of_tau ? pages->tau_ns : pages->tc_nodes;
      chart_interval(series, value.value, row, value.lo, value.hi);
    }
  }
}

static void add_keys(struct chart *chart, const struct survey *survey) {
  for (size_t k = 0; k < hp_kind_count(); k++) {
    bool any = false;
    for (size_t i = 0; survey->calibrations[i]; i++)
      any |= calibration_pages(survey->calibrations[i], kind_name(k)) != NULL;
    if (any) chart_key(chart, kind_colour(k), "%s", HUMAN_PAGES(kind_name(k)));
  }
}

/* Drawn once, of two at least. */
static void machines_tau_fill(const struct survey *survey,
                              struct chart *chart) {
  const struct calibration *const *all = survey->calibrations;
  if (!all || !all[0] || !all[1] || survey_at(survey, 0) != survey) return;
  *chart->foot = '\0';
  chart->box = (struct chart_box){780, 0, 0, 24, 34, 48};
  chart->columns = 1;
  chart->head = 40;
  add_keys(chart, survey);
  add_panel(chart, survey, "tau: a miss of the translation cache", "ns", true);
  add_panel(chart, survey, "W: what the translation cache holds", "entries",
            false);
}

static void machines_tau_write_lines(FILE *out, const struct survey *survey) {
  for (size_t i = 0; survey->calibrations[i]; i++) {
    const struct calibration *cal = survey->calibrations[i];
    char name[MACHINES_LABEL];
    name_machine(survey, i, name);
    for (size_t k = 0; k < cal->page_count; k++) {
      const struct cal_value tau = cal->pages[k].tau_ns,
                             nodes = cal->pages[k].tc_nodes;
      figure_csv(out, "|ssgggggg\n", name, cal->pages[k].kind, tau.value,
                 tau.lo, tau.hi, nodes.value, nodes.lo, nodes.hi);
    }
  }
}

const struct figure figure_machines_tau = {
    .name = "fig-machines-tau",
    .title =
        "Cost of a translation (tau) and size of the translation cache (W), "
        "for each machine",
    .caption =
        "The two numbers in which machines differ in the VAT model, as "
        "calibrated, with 95 % intervals where they are known. tau is the cost "
        "of a translation that the translation cache does not hold, while the "
        "page table is in a near cache. W is the number of translations that "
        "the cache holds. A number marks a machine with results, a letter a "
        "machine without. With a larger W, the lines of figure 2.5 fall at a "
        "larger n. With a larger tau, they fall further.",
    .needs =
        "It needs the calibrations of two machines at least: vat report "
        "--machine a.json --machine b.json.",
    .fill = machines_tau_fill,
    .head =
        "machine,pages,tau_ns,tau_lo,tau_hi,tc_nodes,tc_nodes_lo,tc_nodes_hi",
    .write_lines = machines_tau_write_lines,
};
