/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Misses per operation over the size W of the translation cache: a panel per
 * size of pages, a line per program; both axes are logarithms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/machine/cpu_id.h"
#include "experiments/machine/tlb_entries.h"
#include "experiments/report/figure.h"
#include "experiments/report/plot_lines.h"
#include "experiments/report/tc_curves.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/size_text.h"

static const struct plot_grid panels = {.width = 510,
                                        .height = 400,
                                        .left = 74,
                                        .right = 150,
                                        .top = 38,
                                        .bottom = 48};

enum { KINDS_MOST = 8 };

/* Sizes of pages, each once. */
static size_t page_sizes(const struct survey *survey,
                         size_t sizes[KINDS_MOST]) {
  size_t count = 0;
  for (size_t i = 0; i < survey->kind_count && count < KINDS_MOST; i++) {
    size_t bytes = hp_kind_usual_bytes(survey->kinds[i]), j = 0;
    while (j < count && sizes[j] != bytes) j++;
    if (j == count) sizes[count++] = bytes;
  }
  return count;
}

static double misses_per_op(const struct tc_curve *curve, uint64_t nodes) {
  return (double)tc_curve_misses(curve, nodes) / curve->ops;
}

/* Programs that differ in where their nodes came from have one stream.  One of
 * no operation has no misses an operation, and one without misses no logarithm
 * of them. */
static const struct tc_curve *curve_of(const struct survey *survey,
                                       size_t program, size_t page_bytes) {
  const struct tc_curve *curve =
      tc_curves_find(survey->curves, survey, program, page_bytes);
  if (curve &&
      !(curve->ops > 0 && misses_per_op(curve, curve->points[0].nodes) > 0))
    return NULL;
  for (size_t i = 0; curve && i < program; i++)
    if (tc_curves_find(survey->curves, survey, i, page_bytes) == curve)
      return NULL;
  return curve;
}

static bool has_data(const struct survey *survey) {
  size_t sizes[KINDS_MOST], count = page_sizes(survey, sizes);
  for (size_t i = 0; i < figure_programs(survey); i++)
    for (size_t j = 0; j < count; j++)
      if (curve_of(survey, i, sizes[j])) return true;
  return false;
}

/* The W drawn behind `nodes`, 0 being before the first: a power of the square
 * root of two, or one of the curve's ends.  0 behind the last. */
static uint64_t next_nodes(const struct tc_curve *curve, uint64_t nodes) {
  uint64_t first = curve->points[0].nodes;
  uint64_t last = curve->points[curve->count - 1].nodes, next = 0;
  if (!nodes) return first;
  if (nodes >= last) return 0;
  for (double power = 1; next <= nodes; power *= sqrt(2))
    next = (uint64_t)(power + 0.5);
  return next < last ? next : last;
}

/* Entries of the second-level TLB that the machine's processor has. */
static uint64_t machine_nodes(const struct survey *survey) {
  const json_t *cpu = json_object_get(survey->record, "cpu");
  const char *vendor = json_string_value(json_object_get(cpu, "vendor"));
  struct cpu_id id = {0};
  snprintf(id.vendor, sizeof id.vendor, "%s", vendor ? vendor : "");
  id.family = (unsigned)json_integer_value(json_object_get(cpu, "family"));
  id.model = (unsigned)json_integer_value(json_object_get(cpu, "model_number"));
  return tlb_entries(&id);
}

static void add_line(const struct survey *survey, size_t program,
                     size_t page_bytes, struct plot_lines *lines) {
  const struct tc_curve *curve = curve_of(survey, program, page_bytes);
  char name[SURVEY_LABEL_SIZE], label[PLOT_LINE_LABEL];
  uint64_t nodes = machine_nodes(survey);
  if (!curve) return;
  survey_label(survey->programs[program], name);
  snprintf(label, sizeof label, "%.32s  %.2g", name,
           misses_per_op(curve, nodes));
  struct plot_line *line =
      plot_lines_add(lines, label, survey_place(survey, program), 0);
  for (uint64_t at = 0; (at = next_nodes(curve, at));)
    plot_line_point(line, log2((double)at), log10(misses_per_op(curve, at)));
  if (line && misses_per_op(curve, nodes) > 0)
    line->label_y = log10(misses_per_op(curve, nodes));
}

static void add_lines(const struct survey *survey, size_t page_bytes,
                      struct plot_lines *lines) {
  lines->bare = true;
  for (size_t i = 0; i < figure_programs(survey); i++)
    add_line(survey, i, page_bytes, lines);
}

/* All panels have the range of all lines. */
static struct plot_range range_of(const struct plot_lines *panel,
                                  size_t count) {
  struct plot_range range = {NAN, NAN, NAN, NAN};
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < panel[k].count; i++)
      for (size_t j = 0; j < panel[k].line[i]->count; j++) {
        const struct plot_point *point = &panel[k].line[i]->points[j];
        range.x_lo = fmin(range.x_lo, point->x);
        range.x_hi = fmax(range.x_hi, point->x);
        range.y_lo = fmin(range.y_lo, point->y);
        range.y_hi = fmax(range.y_hi, point->y);
      }
  plot_round_x(&range);
  range.y_lo = floor(range.y_lo);
  range.y_hi = fmax(ceil(range.y_hi), range.y_lo + 1);
  return range;
}

/* "10" and a power of one digit or two, set high. */
static void print_power(FILE *script, int power) {
  static const char *const digits[] = {
      "\342\201\260", "\302\271",     "\302\262",     "\302\263",
      "\342\201\264", "\342\201\265", "\342\201\266", "\342\201\267",
      "\342\201\270", "\342\201\271"};
  int size = abs(power);
  fprintf(script, "'10%s%s%s' %d", power < 0 ? "\342\201\273" : "",
          size > 9 ? digits[size / 10 % 10] : "", digits[size % 10], power);
}

static void print_powers(FILE *script, const struct plot_range *range) {
  fputs("set ytics (", script);
  for (int power = (int)range->y_lo; power <= (int)range->y_hi; power++) {
    if (power > (int)range->y_lo) fputs(", ", script);
    print_power(script, power);
  }
  fputs(")\n", script);
}

/* Level from where all nodes fit. */
static void extend(const struct plot_lines *lines, double x_hi) {
  for (size_t i = 0; i < lines->count; i++) {
    struct plot_line *line = lines->line[i];
    if (line->count)
      plot_line_point(line, x_hi, line->points[line->count - 1].y);
  }
}

static void print_mark(FILE *script, const struct survey *survey,
                       const struct plot_range *range) {
  char text[64];
  uint64_t nodes = machine_nodes(survey);
  snprintf(text, sizeof text, "W = %llu", (unsigned long long)nodes);
  plot_mark(script, log2((double)nodes), text, range);
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  struct plot_grid grid = figure_grid(&panels, survey);
  struct plot_lines lines[KINDS_MOST] = {{0}};
  size_t sizes[KINDS_MOST], count = page_sizes(survey, sizes);
  for (size_t k = 0; k < count; k++) add_lines(survey, sizes[k], &lines[k]);
  struct plot_range range = range_of(lines, count);
  for (size_t k = 0; k < count; k++) {
    extend(&lines[k], range.x_hi);
    plot_lines_make_room(&grid, &lines[k]);
  }
  grid.columns = count > 1 ? 2 : 1;
  grid.rows = ((int)count + grid.columns - 1) / grid.columns;
  plot_begin(script, &grid, format);
  plot_labels(script, "log\342\202\202 W", "misses per operation");
  print_powers(script, &range);
  for (size_t k = 0; k < count; k++) {
    char title[HP_SIZE_TEXT + 8], size[HP_SIZE_TEXT];
    snprintf(title, sizeof title, "Pages of %s", hp_size_text(sizes[k], size));
    plot_panel(script, &grid, k, title, &range);
    print_mark(script, survey, &range);
    plot_lines_draw(script, &grid, &range, &lines[k]);
    plot_lines_fini(&lines[k]);
  }
  plot_end(script);
}

static void write_curve(FILE *out, const struct tc_curve *curve) {
  for (uint64_t nodes = 0; (nodes = next_nodes(curve, nodes));) {
    figure_csv_first(out, curve->algo->name);
    figure_csv_text(out, curve->generator ? curve->generator : "");
    fprintf(out, ",%llu,%zu,%llu,%llu,%.6g\n", (unsigned long long)curve->n,
            curve->page_bytes, (unsigned long long)nodes,
            (unsigned long long)tc_curve_misses(curve, nodes),
            misses_per_op(curve, nodes));
  }
}

static void write_csv(FILE *out, const struct survey *survey) {
  size_t sizes[KINDS_MOST], count = page_sizes(survey, sizes);
  fputs("algo,generator,n,page_bytes,tc_nodes,misses,misses_per_op\n", out);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < figure_programs(survey); i++) {
      const struct tc_curve *curve = curve_of(survey, i, sizes[k]);
      if (curve) write_curve(out, curve);
    }
}

static void detail(const struct survey *survey, char text[FIGURE_DETAIL_SIZE]) {
  size_t sizes[KINDS_MOST], at = 0;
  if (!page_sizes(survey, sizes)) return;
  at = (size_t)snprintf(text, FIGURE_DETAIL_SIZE,
                        "Numbers beside names, and the mark where the axis "
                        "goes as far, are at the %llu entries of a "
                        "second-level TLB such as this processor's. Sizes:",
                        (unsigned long long)machine_nodes(survey));
  const char *comma = " ";
  for (size_t i = 0; i < figure_programs(survey); i++) {
    const struct tc_curve *curve = curve_of(survey, i, sizes[0]);
    if (!curve || at > FIGURE_DETAIL_SIZE - 80) continue;
    at += (size_t)snprintf(text + at, FIGURE_DETAIL_SIZE - at,
                           "%s%.24s n = %llu", comma, curve->algo->name,
                           (unsigned long long)curve->n);
    comma = ", ";
  }
  snprintf(text + at, FIGURE_DETAIL_SIZE - at, ".");
}

const struct figure figure_all_w = {
    .name = "fig-all-w",
    .title = "Misses of translation caches of every size",
    .caption =
        "Simulated, not measured: the nodes of the translation tree that each "
        "program misses in a translation cache of W nodes (ISLRU, K = 512), "
        "divided by its RAM complexity; W and misses grow by factors. The "
        "programs ran anew when this page was made, at the largest power of "
        "two that was measured, is of at most 32 MiB, and takes at most 2^24 "
        "operations. A line falls where W reaches what the program comes back "
        "to, and is level where all its nodes fit. On larger pages that is at "
        "a far smaller W: the gain that the measurements show, where the "
        "machine's W lies between the two. A line that is low from the first W "
        "on belongs to a program that goes through memory in sequence. "
        "vat sim --algo NAME --n N --all-w --json has each W.",
    .needs =
        "It needs a program that this vat has, of generated input, and a vat "
        "with address streams, or else more than the 20 seconds that it is "
        "given.",
    .detail = detail,
    .has_data = has_data,
    .draw = draw,
    .write_csv = write_csv,
};
