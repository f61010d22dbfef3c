/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.3: functions of a logarithmic flavour over log2 n, and beside them
 * the times that were measured; each as a part of its value at the largest n,
 * so that shapes can be compared. */
#include <math.h>
#include <string.h>

#include "experiments/report/em_scan.h"
#include "experiments/report/figure.h"

enum { SIZES_LEAST = 4, STEPS = 4 /* points an octave */ };

/* A time that has grown less has no shape to speak of. */
#define GROWTH_LEAST 1.5

#define FUNCTIONS_TITLE "Functions"

/* Elements of 8 bytes on the pages of a translation cache of 1536 nodes. */
#define TC_ELEMENTS (1536 * 512.0)

/* Where the functions are drawn, and what they are made of. */
struct flavour {
  double x_lo, x_hi;
  int early, middle; /* n is divided by 2 to these */
  struct em_levels levels;
};

/* As the thesis has it: at least 1, since times are positive. */
static double log_of(double lg) { return fmax(lg, 1); }

static const struct function {
  const char *label; /* %d: a power that n is divided by */
  size_t order;      /* of growth, by which it is coloured */
  int power;         /* of a logarithm; 0: a constant */
  bool early;        /* of n / 2^early */
  double part;       /* of n over so many; 0: of n */
  bool capped;       /* at 2^middle */
} functions[] = {
    {"log\302\263 n", 0, 3, false, 0, false},
    {"log\302\262 n", 1, 2, false, 0, false},
    {"log\302\262 (n / 2^%d)", 1, 2, true, 0, false},
    {"log n", 2, 1, false, 0, false},
    {"log (n / 2^%d)", 2, 1, true, 0, false},
    /* What misses a translation cache, a node a doubling. */
    {"VAT: log (2 n / W P)", 2, 1, false, TC_ELEMENTS / 2, false},
    {"constant: capped at 2^%d", 3, 0, false, 0, true},
    {"constant: EM", 3, 0, false, 0, false},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static double value_of(const struct function *function, const struct flavour *f,
                       double lg) {
  if (function->capped)
    return log_of(lg - f->early) - log_of(lg - f->middle) + 1;
  if (!function->power)
    return f->levels.count ? em_scan_ns(&f->levels, exp2(lg)).value : NAN;
  if (function->early) lg -= f->early;
  if (function->part > 0) lg -= log2(function->part);
  return pow(log_of(lg), function->power);
}

static bool is_drawn(const struct summary *row) {
  return survey_has_time(row) && row->base && row->ns_per_op_min > 0;
}

static struct flavour flavour_of(const struct survey *survey) {
  struct flavour flavour = {.x_lo = NAN, .x_hi = NAN};
  for (const struct summary *row = survey->rows; row < survey->end; row++) {
    if (!is_drawn(row)) continue;
    flavour.x_lo = fmin(flavour.x_lo, floor(log2((double)row->n)));
    flavour.x_hi = fmax(flavour.x_hi, ceil(log2((double)row->n)));
  }
  flavour.early = (int)fmax(0, flavour.x_lo - 2);
  flavour.middle = (int)((flavour.x_lo + flavour.x_hi) / 2);
  em_levels_of(survey->record, &flavour.levels);
  for (size_t i = 0; i < flavour.levels.count; i++)
    flavour.levels.level[i].ns.value = pow(4, (double)i);
  return flavour;
}

/* Divide by the last value; labels stand at the height of the middle. */
static void scale(struct chart_series *series) {
  if (!series->count) return;
  double last = series->points[series->count - 1].y;
  for (size_t i = 0; i < series->count; i++) {
    struct chart_point *p = &series->points[i];
    *p = (struct chart_point){p->x, p->y / last, p->lo / last, p->hi / last};
  }
  series->label_y = series->points[series->count * 2 / 3].y;
}

static void add_functions(struct chart_panel *panel,
                          const struct survey *survey) {
  struct flavour flavour = flavour_of(survey);
  for (size_t i = 0; i < FUNCTIONS; i++) {
    const struct function *function = &functions[i];
    int power = function->early ? flavour.early : flavour.middle;
    const char *number = strchr(function->label, '%');
    struct chart_series *series =
        number ? chart_series(panel, i, "%.*s%d%s",
                              (int)(number - function->label), function->label,
                              power, number + 2)
               : chart_series(panel, i, "%s", function->label);
    for (double x = flavour.x_lo; x <= flavour.x_hi; x += 1.0 / STEPS)
      chart_point(series, x, value_of(function, &flavour, x));
    scale(series);
    series->colour = function->order;
    series->every = 2 * STEPS;
  }
}

/* The program's line on base pages, if it climbs. */
static void add_program(struct chart_panel *panel, const struct survey *survey,
                        size_t program) {
  struct chart_series *series =
      chart_series(panel, survey_place(survey, program), "%s",
                   FIGURE_LABELED(survey->programs[program]));
  figure_mark_tuned(series, survey, program);
  for (const struct summary *row = survey->rows; row < survey->end; row++)
    if (survey_same_program(survey->programs[program], row) && is_drawn(row))
      chart_point(series, log2((double)row->n), survey_ns(row));
  bool climbs =
      series->count >= SIZES_LEAST &&
      series->points[series->count - 1].y >= GROWTH_LEAST * series->points[0].y;
  if (!climbs) series->count = 0;
  scale(series);
}

static void logarithms_fill(const struct survey *survey, struct chart *chart) {
  static const char axis[] = "part of the value at the largest n";
  chart->box = (struct chart_box){510, 400, 64, 190, 38, 48};
  chart->same_x = chart->same_y = true;
  struct chart_panel *asked =
      chart_panel(chart, FIGURE_LOG2_N, axis, FUNCTIONS_TITLE);
  struct chart_panel *measured =
      chart_panel(chart, FIGURE_LOG2_N, axis, "Measured time / RAM complexity");
  asked->bare = measured->bare = true;
  for (size_t i = 0; i < figure_programs(survey); i++)
    add_program(measured, survey, i);
  if (chart_panel_has_points(measured)) add_functions(asked, survey);
  figure_tell_thesis(chart, survey, FIGURE_TUNED_LINES);
}

static void write_point(FILE *out, const struct chart_panel *panel,
                        const struct chart_series *series,
                        const struct chart_point *point) {
  figure_csv(out, "|wslg\n",
             strcmp(panel->title, FUNCTIONS_TITLE) ? "measured" : "function",
             series->label, point->x, point->y);
}

const struct figure figure_logarithms = {
    .name = "fig-2.3",
    .title = "Which logarithm is it?",
    .caption =
        "Left: functions that look like logarithms, drawn from formulas. The "
        "colour shows the growth: blue log&sup3; n, red log&sup2; n, green log "
        "n, yellow constant. Logarithms below 1 are drawn as 1. Two yellow "
        "lines rise at first. One is log n up to some size and constant "
        "beyond. The other is a random scan in the EM model, in which "
        "each cache is four times as "
        "slow as the one before. The line named VAT shows the misses of a "
        "translation cache of 1536 nodes, with 512 elements in a page. Right: "
        "shortest measured times on 4 KiB pages, for the programs whose time "
        "per operation rises by half or more. x axis: log\342\202\202 n. y "
        "axis: time divided by its last value. A straight line means a time of "
        "c + a log (b n). The range of n is too small to prove an order of "
        "growth.",
    .needs =
        "It needs a program whose time an operation grows by half or more, at "
        "4 sizes or more on base pages.",
    .fill = logarithms_fill,
    .head = "what,name,log2_n,part_of_last",
    .write_point = write_point,
};
