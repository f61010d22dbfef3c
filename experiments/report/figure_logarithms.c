/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.3: functions of a logarithmic flavour over log2 n, and beside them
 * the times that were measured; each as a part of its value at the largest n,
 * so that shapes can be compared. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/em_scan.h"
#include "experiments/report/figure.h"
#include "experiments/report/plot_lines.h"

static const struct plot_grid panels = {.rows = 1,
                                        .width = 510,
                                        .height = 400,
                                        .left = 64,
                                        .right = 190,
                                        .top = 38,
                                        .bottom = 48};
enum { SIZES_LEAST = 4, STEPS = 4 /* points an octave */ };

/* A time that has grown less has no shape to speak of. */
#define GROWTH_LEAST 1.5

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

static double log_3(const struct flavour *f, double lg) {
  (void)f;
  return pow(log_of(lg), 3);
}

static double log_2(const struct flavour *f, double lg) {
  (void)f;
  return pow(log_of(lg), 2);
}

static double log_2_early(const struct flavour *f, double lg) {
  return pow(log_of(lg - f->early), 2);
}

static double log_1(const struct flavour *f, double lg) {
  (void)f;
  return log_of(lg);
}

static double log_1_early(const struct flavour *f, double lg) {
  return log_of(lg - f->early);
}

/* What misses a translation cache, a node a doubling. */
static double vat(const struct flavour *f, double lg) {
  (void)f;
  return log_of(1 + lg - log2(TC_ELEMENTS));
}

static double level_off(const struct flavour *f, double lg) {
  return log_of(lg - f->early) - log_of(lg - f->middle) + 1;
}

static double em(const struct flavour *f, double lg) {
  return f->levels.count ? em_scan_ns(&f->levels, exp2(lg)) : NAN;
}

static const struct function {
  const char *label; /* %d: a power that n is divided by */
  size_t order;      /* of growth, by which it is coloured */
  bool early, middle;
  double (*value)(const struct flavour *flavour, double lg);
} functions[] = {
    {"log\302\263 n", 0, false, false, log_3},
    {"log\302\262 n", 1, false, false, log_2},
    {"log\302\262 (n / 2^%d)", 1, true, false, log_2_early},
    {"log n", 2, false, false, log_1},
    {"log (n / 2^%d)", 2, true, false, log_1_early},
    {"VAT: log (2 n / W P)", 2, false, false, vat},
    {"constant: capped at 2^%d", 3, false, true, level_off},
    {"constant: EM", 3, false, false, em},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool is_drawn(const struct summary *row) {
  return row && row->base && row->n && row->reps &&
         isfinite(row->ns_per_op_min) && row->ns_per_op_min > 0 &&
         survey_is_timed(row);
}

static struct flavour flavour_of(const struct survey *survey) {
  struct plot_range range = figure_x_range(&figure_logarithms, survey);
  struct flavour flavour = {.x_lo = range.x_lo,
                            .x_hi = range.x_hi,
                            .early = (int)fmax(0, range.x_lo - 2),
                            .middle = (int)((range.x_lo + range.x_hi) / 2)};
  em_levels_of(survey->record, &flavour.levels);
  for (size_t i = 0; i < flavour.levels.count; i++)
    flavour.levels.level[i].ns = pow(4, (double)i);
  return flavour;
}

/* Divide by the last value; labels stand at the height of the middle. */
static void scale(struct plot_line *line) {
  if (!line || !line->count) return;
  double last = line->points[line->count - 1].y;
  for (struct plot_point *p = line->points; p < line->points + line->count; p++)
    *p = (struct plot_point){p->x, p->y / last, p->lo / last, p->hi / last};
  line->label_y = line->points[line->count * 2 / 3].y;
}

static void add_functions(const struct survey *survey,
                          struct plot_lines *lines) {
  struct flavour flavour = flavour_of(survey);
  for (size_t i = 0; i < FUNCTIONS; i++) {
    const struct function *function = &functions[i];
    char label[PLOT_LINE_LABEL];
    const char *number = strchr(function->label, '%');
    snprintf(label, sizeof label, "%s", function->label);
    if (number)
      snprintf(label, sizeof label, "%.*s%d%s", (int)(number - function->label),
               function->label,
               function->early ? flavour.early : flavour.middle, number + 2);
    struct plot_line *line = plot_lines_add(lines, label, i, 0);
    for (double x = flavour.x_lo; x <= flavour.x_hi; x += 1.0 / STEPS)
      plot_line_point(line, x, function->value(&flavour, x));
    scale(line);
    if (!line) continue;
    line->colour = function->order;
    line->interval = 2 * STEPS;
  }
}

/* The program's line on base pages, if it climbs. */
static void add_program(const struct survey *survey, size_t program,
                        struct plot_lines *lines) {
  const struct summary *row;
  char label[SURVEY_LABEL_SIZE];
  survey_label(survey->programs[program], label);
  label[PLOT_LINE_LABEL / 2] = '\0';
  struct plot_line *line =
      plot_lines_add(lines, label, survey_place(survey, program), 0);
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));)
    for (size_t j = 0; j < survey->kind_count; j++)
      if (is_drawn(row = survey_row(survey, program, n, survey->kinds[j])))
        plot_line_point(line, log2((double)n), row->ns_per_op_min);
  if (!line) return;
  bool climbs =
      line->count >= SIZES_LEAST &&
      line->points[line->count - 1].y >= GROWTH_LEAST * line->points[0].y;
  if (!climbs) line->count = 0;
  scale(line);
}

static void add_programs(const struct survey *survey,
                         struct plot_lines *lines) {
  for (size_t i = 0; i < figure_programs(survey); i++)
    add_program(survey, i, lines);
}

static bool has_lines(const struct plot_lines *lines) {
  for (size_t i = 0; i < lines->count; i++)
    if (lines->line[i]->count) return true;
  return false;
}

static bool has_data(const struct survey *survey) {
  struct plot_lines measured = {0};
  add_programs(survey, &measured);
  bool any = has_lines(&measured);
  plot_lines_fini(&measured);
  return any;
}

static void draw_panel(FILE *script, const struct plot_grid *grid, size_t index,
                       const char *title, const struct plot_range *range,
                       const struct plot_lines *lines) {
  plot_panel(script, grid, index, title, range);
  plot_lines_draw(script, grid, range, lines);
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  struct plot_grid grid = figure_grid(&panels, survey);
  struct plot_range range = figure_x_range(&figure_logarithms, survey);
  struct plot_lines asked = {0}, measured = {0};
  add_functions(survey, &asked);
  add_programs(survey, &measured);
  range.y_hi = plot_lines_range(&measured).y_hi;
  grid.columns = 2;
  asked.bare = measured.bare = true;
  plot_lines_make_room(&grid, &asked);
  plot_lines_make_room(&grid, &measured);
  plot_begin(script, &grid, format);
  plot_labels(script, "log\342\202\202 n",
              "part of the value at the largest n");
  draw_panel(script, &grid, 0, "Functions", &range, &asked);
  draw_panel(script, &grid, 1, "Measured time / RAM complexity", &range,
             &measured);
  plot_end(script);
  plot_lines_fini(&asked);
  plot_lines_fini(&measured);
}

static void write_lines(FILE *out, const char *what,
                        const struct plot_lines *lines) {
  for (size_t i = 0; i < lines->count; i++)
    for (size_t j = 0; j < lines->line[i]->count; j++) {
      fputs(what, out);
      figure_csv_text(out, lines->line[i]->label);
      fprintf(out, ",%.5f,%.6g\n", lines->line[i]->points[j].x,
              lines->line[i]->points[j].y);
    }
}

static void write_csv(FILE *out, const struct survey *survey) {
  struct plot_lines asked = {0}, measured = {0};
  add_functions(survey, &asked);
  add_programs(survey, &measured);
  fputs("what,name,log2_n,part_of_last\n", out);
  write_lines(out, "function", &asked);
  write_lines(out, "measured", &measured);
  plot_lines_fini(&asked);
  plot_lines_fini(&measured);
}

const struct figure figure_logarithms = {
    .name = "fig-2.3",
    .title = "Which logarithm is it?",
    .caption =
        "Left, functions that all look like some logarithm, where log x is at "
        "least 1. Colours are orders of growth: blue is log&sup3; n, red "
        "log&sup2; n, green log n, and yellow constant: one line is cut off, "
        "one a random scan in the EM model, each level of this machine's "
        "caches four times as slow as the one before. VAT is what misses a "
        "translation cache of W = 1536 nodes, P = 512 elements a page. Right, "
        "least times on base pages of the programs whose time an operation "
        "grows by half or more. Each line is divided by its last value. Over "
        "so few doublings a shape tells no order of growth: look for lines of "
        "the same bend. A straight one is a log (b n) + c, what begins level "
        "and then climbs straight is a cost that sets in at a size.",
    .needs =
        "It needs a program whose time an operation grows by half or more, at "
        "4 sizes or more on base pages.",
    .has_data = has_data,
    .draw = draw,
    .write_csv = write_csv,
    .is_drawn = is_drawn,
};
