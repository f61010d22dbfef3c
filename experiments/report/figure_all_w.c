/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Misses per operation over the size W of the translation cache: a panel per
 * size of pages, a line per program; both axes are logarithms. */
#include <math.h>
#include <string.h>

#include "experiments/machine/counter_ladder.h"
#include "experiments/machine/cpu_id.h"
#include "experiments/report/figure.h"
#include "experiments/report/tc_curves.h"
#include "huge_pages/size_text.h"

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

/* Level from where all nodes fit. */
static void add_program(struct chart_panel *panel, const struct survey *survey,
                        size_t program, size_t page_bytes) {
  const struct tc_curve *curve = curve_of(survey, program, page_bytes);
  if (!curve) return;
  double here = misses_per_op(curve, machine_nodes(survey));
  struct chart_series *series =
      chart_series(panel, survey_place(survey, program), "%s  %.2g",
                   FIGURE_LABELED(survey->programs[program]), here);
  for (uint64_t at = 0; (at = next_nodes(curve, at));)
    chart_point(series, log2((double)at), misses_per_op(curve, at));
  series->extends = true;
  if (here > 0) series->label_y = here;
}

static void all_w_tell(const struct survey *survey, size_t page_bytes,
                       struct chart *chart) {
  chart_tell(
      chart,
      "The number beside each name is the misses per operation at W = %llu, "
      "which is the number of entries of a second-level TLB such as this "
      "processor's. A mark on the x axis shows this W, if the axis reaches it. "
      "Sizes:",
      (unsigned long long)machine_nodes(survey));
  const char *comma = " ";
  for (size_t i = 0; i < figure_programs(survey); i++) {
    const struct tc_curve *curve = curve_of(survey, i, page_bytes);
    if (!curve || strlen(chart->detail) > CHART_DETAIL - 80) continue;
    chart_tell(chart, "%s%.24s n = %llu", comma, curve->algo->name,
               (unsigned long long)curve->n);
    comma = ", ";
  }
  chart_tell(chart, ".");
}

static void all_w_fill(const struct survey *survey, struct chart *chart) {
  size_t sizes[TC_CURVES_SIZES], count = tc_curves_sizes(survey, sizes);
  if (!survey->curves || !count) return;
  chart->box = (struct chart_box){510, 400, 74, 150, 38, 48};
  chart->columns = count > 1 ? 2 : 1;
  chart->same_x = chart->same_y = true;
  for (size_t k = 0; k < count; k++) {
    struct chart_panel *panel =
        chart_panel(chart, "log\342\202\202 W", "misses per operation",
                    "Pages of %s", HP_SIZE_SHOWN(sizes[k]));
    panel->y.scale = CHART_POWERS;
    panel->bare = true;
    chart_mark(panel, log2((double)machine_nodes(survey)), "W = %llu",
               (unsigned long long)machine_nodes(survey));
    for (size_t i = 0; i < figure_programs(survey); i++)
      add_program(panel, survey, i, sizes[k]);
  }
  all_w_tell(survey, sizes[0], chart);
}

static void all_w_write_lines(FILE *out, const struct survey *survey) {
  size_t sizes[TC_CURVES_SIZES], count = tc_curves_sizes(survey, sizes);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < figure_programs(survey); i++) {
      const struct tc_curve *curve = curve_of(survey, i, sizes[k]);
      for (uint64_t at = 0; curve && (at = next_nodes(curve, at));)
        figure_csv(out, "|ssuuuug\n", curve->algo->name,
                   curve->generator ? curve->generator : "", curve->n,
                   (uint64_t)curve->page_bytes, at, tc_curve_misses(curve, at),
                   misses_per_op(curve, at));
    }
}

const struct figure figure_all_w = {
    .name = "fig-all-w",
    .title = "Misses of translation caches of every size",
    .caption =
        "Simulated, not measured. x axis: W, the number of nodes of the page "
        "table that a translation cache holds. y axis: misses per operation "
        "(policy ISLRU, 512 children in a node). Both axes are logarithmic. A "
        "line falls where W becomes large enough for the nodes that the "
        "program uses repeatedly. To the right of the last fall of a line, the "
        "cache holds all nodes of the program. On larger pages, the fall comes "
        "at a far smaller W. "
        "Larger pages help if the W of the machine lies between the fall on "
        "larger pages and the fall on 4 KiB pages. A "
        "line that is low from the first W on belongs to a program that reads "
        "memory in sequence. Each program is simulated at the largest power of "
        "two n that lies within the measured sizes and needs at most 32 MiB "
        "and 2^24 operations.",
    .needs =
        "It needs a program that this vat has, of generated input, and a vat "
        "with address streams, or else more than the 20 seconds that it is "
        "given.",
    .fill = all_w_fill,
    .head = "algo,generator,n,page_bytes,tc_nodes,misses,misses_per_op",
    .write_lines = all_w_write_lines,
};
