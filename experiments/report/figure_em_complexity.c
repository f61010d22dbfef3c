/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.2: the time of random scan divided by its cost in the EM model, over
 * log2 n.  Sizes and access times of the caches are those that were calibrated:
 * none is fitted to the scan. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <string.h>

#include "experiments/report/em_scan.h"
#include "experiments/report/figure.h"
#include "experiments/report/report_machine.h"
#include "huge_pages/size_text.h"

/* Beyond so many times the last cache, three quarters of the reads come from
 * memory: what the ratio still grows by is not the edge of that cache. */
#define BEYOND_LAST 4

/* A slope with fewer points has no interval to speak of. */
enum { SLOPE_POINTS = 4 };

static bool is_drawn(const struct summary *row) {
  return survey_is_usual(row, "random_scan") && survey_has_time(row) &&
         row->ns_per_op_min > 0;
}

static bool is_of(const struct summary *row, const char *kind) {
  return is_drawn(row) && !strcmp(row->pages, kind);
}

/* The time is what it is; the model's interval is that of its times. */
static struct cal_value ratio_of(const struct em_levels *levels,
                                 const struct summary *row) {
  struct cal_value em = em_scan_ns(levels, (double)row->n);
  return (struct cal_value){row->ns_per_op_min / em.value,
                            row->ns_per_op_min / em.hi,
                            row->ns_per_op_min / em.lo};
}

static const struct summary *largest(const struct survey *survey,
                                     const char *kind) {
  const struct summary *last = NULL;
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (is_of(row, kind) && (!last || row->n > last->n)) last = row;
  return last;
}

/* Elements from which on a slope is taken. */
static double slope_from(const struct em_levels *levels) {
  return BEYOND_LAST * levels->level[levels->count - 2].elements;
}

/* What the ratio grows by with each doubling of n, beyond the last cache: least
 * squares, and Student's interval.  NAN: too few sizes. */
static struct cal_value slope_of(const struct survey *survey,
                                 const struct em_levels *levels,
                                 const char *kind) {
  enum { MOST = 64 };
  double x[MOST], y[MOST], c0, c1, v00, v01, v11, squares;
  size_t count = 0;
  for (const struct summary *row = survey->rows; row < survey->end; row++) {
    if (!is_of(row, kind) || count == MOST) continue;
    if ((double)row->n < slope_from(levels)) continue;
    x[count] = log2((double)row->n);
    y[count++] = ratio_of(levels, row).value;
  }
  if (count < SLOPE_POINTS) return (struct cal_value){NAN, NAN, NAN};
  gsl_fit_linear(x, 1, y, 1, count, &c0, &c1, &v00, &v01, &v11, &squares);
  double reach = gsl_cdf_tdist_Pinv(0.975, (double)count - 2) * sqrt(v11);
  return (struct cal_value){c1, c1 - reach, c1 + reach};
}

static const char *interval(struct cal_value value, char text[HUMAN_SIZE]) {
  *text = '\0';
  if (isfinite(value.lo) && isfinite(value.hi))
    snprintf(text, HUMAN_SIZE, " [%.3g, %.3g]", value.lo, value.hi);
  return text;
}
#define INTERVAL(value) interval((value), (char[HUMAN_SIZE]){""})

/* The table of the thesis' figure. */
static void tell_levels(const struct em_levels *levels, struct chart *chart) {
  for (size_t i = 0; i + 1 < levels->count; i++) {
    double elements = levels->level[i].elements;
    chart_tell(chart, "%s%s %s, 2^%.1f elements, %s ns",
               i ? "; " : "Sizes and access times as calibrated: ",
               levels->level[i].name,
               HP_SIZE_SHOWN((size_t)(elements * EM_ELEMENT_BYTES)),
               log2(elements), HUMAN_NUMBER(levels->level[i].ns.value));
  }
  chart_tell(chart, "; memory %s ns.",
             HUMAN_NUMBER(levels->level[levels->count - 1].ns.value));
}

static void tell_ratios(const struct survey *survey,
                        const struct em_levels *levels, struct chart *chart) {
  for (size_t k = 0, told = 0; k < survey->kind_count; k++) {
    const struct summary *row = largest(survey, survey->kinds[k]);
    if (!row) continue;
    struct cal_value ratio = ratio_of(levels, row);
    chart_tell(chart, "%s%s%s times on %s",
               told++ ? ", " : " At the largest n, the scan takes the EM time ",
               HUMAN_NUMBER(ratio.value), INTERVAL(ratio),
               HUMAN_PAGES(survey->kinds[k]));
  }
  chart_tell(chart, ".");
  size_t told = 0;
  for (size_t k = 0; k < survey->kind_count; k++) {
    struct cal_value slope = slope_of(survey, levels, survey->kinds[k]);
    if (isnan(slope.value)) continue;
    chart_tell(chart, "%s%s%s on %s",
               told++ ? ", "
                      : " With each doubling of n beyond four times the last "
                        "cache, the ratio changes by ",
               HUMAN_NUMBER(slope.value), INTERVAL(slope),
               HUMAN_PAGES(survey->kinds[k]));
  }
  if (told) chart_tell(chart, "; EM predicts 0.");
}

/* Do the largest pages need entries of a TLB for parts of them, too? */
static bool are_broken_up(const struct calibration *cal) {
  const struct cal_pages *largest = cal->pages;
  for (size_t i = 1; i < cal->page_count; i++)
    if (cal->pages[i].page_bytes > largest->page_bytes)
      largest = &cal->pages[i];
  return cal->page_count && largest->granularity_bytes < largest->page_bytes;
}

static void em_complexity_tell(const struct survey *survey,
                               const struct em_levels *levels,
                               struct chart *chart) {
  const struct calibration *cal = survey->calibration;
  tell_levels(levels, chart);
  tell_ratios(survey, levels, chart);
  if (are_broken_up(cal))
    chart_tell(chart,
               " The host backs huge pages with small ones, so the calibrated "
               "time of memory contains some translation: caches alone explain "
               "less than the figure shows.");
  if (!calibration_is_of(cal, survey->record))
    chart_tell(chart,
               " The calibration is that of another machine than the "
               "measurements.");
}

static bool levels_of(const struct survey *survey, struct em_levels *levels) {
  return survey->calibration && em_levels_measured(survey->calibration, levels);
}

static void em_complexity_fill(const struct survey *survey,
                               struct chart *chart) {
  struct em_levels levels;
  if (!levels_of(survey, &levels)) return;
  chart->box = (struct chart_box){640, 400, 64, 200, 38, 48};
  struct chart_panel *panel =
      chart_panel(chart, FIGURE_LOG2_N, "time / EM complexity", "random_scan");
  panel->level = 1;
  panel->y.room = 1.06 * 1.08; /* for the names of the marks */
  for (size_t i = 0; i + 1 < levels.count; i++)
    chart_mark(panel, log2(levels.level[i].elements), "%s",
               levels.level[i].name);
  for (size_t j = 0; j < survey->kind_count; j++) {
    struct chart_series *series = chart_series(
        panel, j ? j - 1 : CHART_BLACK, "%s", HUMAN_PAGES(survey->kinds[j]));
    for (const struct summary *row = survey->rows; row < survey->end; row++)
      if (is_of(row, survey->kinds[j]))
        chart_point(series, log2((double)row->n), ratio_of(&levels, row).value);
    chart_sort(series);
  }
  if (chart_panel_has_points(panel)) em_complexity_tell(survey, &levels, chart);
}

static void em_complexity_write_lines(FILE *out, const struct survey *survey) {
  struct em_levels levels;
  if (!levels_of(survey, &levels)) return;
  for (size_t i = 0; i < levels.count; i++) {
    const struct em_level *level = &levels.level[i];
    figure_csv(out, "|ws-ggg-ggg\n", "level", level->name, level->elements,
               log2(level->elements), NAN, level->ns.value, level->ns.lo,
               level->ns.hi);
  }
  for (const struct summary *row = survey->rows; row < survey->end; row++) {
    if (!is_drawn(row)) continue;
    struct cal_value ratio = ratio_of(&levels, row);
    figure_csv(out, "|w-sulggggg\n", "ratio", row->pages, row->n,
               log2((double)row->n), row->ns_per_op_min,
               em_scan_ns(&levels, (double)row->n).value, ratio.value, ratio.lo,
               ratio.hi);
  }
  for (size_t k = 0; k < survey->kind_count; k++) {
    struct cal_value slope = slope_of(survey, &levels, survey->kinds[k]);
    if (isfinite(slope.value))
      figure_csv(out, "|w-sgg--ggg\n", "slope", survey->kinds[k],
                 slope_from(&levels), log2(slope_from(&levels)), slope.value,
                 slope.lo, slope.hi);
  }
}

const struct figure figure_em_complexity = {
    .name = "fig-2.2",
    .title = "Random scan against the memory hierarchy",
    .caption =
        "x axis: log\342\202\202 n, where n is the number of elements of 8 "
        "bytes; the sizes of the caches are in grey. y axis: shortest time of "
        "random_scan per element, divided by the time that the external memory "
        "(EM) model predicts, by the formula in section 2.1.1 of T. "
        "Jurkiewicz's PhD thesis. The sizes and access times in the formula "
        "come from vat calibrate, and not from random_scan. The access times "
        "are those of random reads that do not wait for each other, as in "
        "random_scan, on the largest pages. A line at 1 means that caches "
        "explain the whole time. A line that keeps rising to the right of the "
        "last cache means that caches do not explain the growth. All page "
        "kinds use the same caches, so a gap between their lines is address "
        "translation. Peaks near the size of a cache have other causes: the "
        "permutation goes through the same caches, but the model counts only "
        "the array.",
    .needs =
        "It needs random_scan, and the machine's calibration, which has the "
        "access times of its caches: vat calibrate -o MACHINE.json, then vat "
        "report FILE --machine MACHINE.json -o DIR.",
    .fill = em_complexity_fill,
    .head =
        "what,level,pages,n,log2_n,ns_per_element_min,em_ns_per_element,"
        "value,lo,hi",
    .write_lines = em_complexity_write_lines,
};
