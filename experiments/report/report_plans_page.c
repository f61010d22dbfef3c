/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plans.html: a page that a team can decide on. */
#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/report/chart_file.h"
#include "experiments/report/html.h"
#include "experiments/report/page_file.h"
#include "experiments/report/plan_figure.h"
#include "experiments/report/report_plans.h"
#include "huge_pages/size_text.h"

/* The smallest plan that saves nine tenths of what all memory would. */
static const struct page_plan *recommended(const struct plans *plans) {
  const struct page_plan *last = &plans->plan[plans->count - 1];
  double most = 1 - last->everything.ratio.user_ratio;
  for (size_t i = 0; i < plans->count; i++)
    if (1 - plans->plan[i].predicted.user_ratio >= 0.9 * most)
      return &plans->plan[i];
  return last;
}

static void print_lead(FILE *page, const struct plans *plans) {
  const struct page_plan *plan = recommended(plans);
  const double saves = 100 * (1 - plan->predicted.user_ratio);
  const double all = 100 * (1 - plan->everything.ratio.user_ratio);
  html_print(page, "<h1>%s: which memory on larger pages?</h1>\n",
             plans->program);
  fputs("<p class=\"lead\">", page);
  if (!isfinite(saves)) {
    fputs("No time is predicted: there is no calibration of the machine.",
          page);
  } else if (plan->verdict) {
    html_print(page, "Not worth it: %s.", plan->verdict);
  } else {
    html_print(page, "With %s on larger pages, user time falls by ",
               HP_SIZE_SHOWN(plan->used_bytes));
    fprintf(page, "%.0f %%", saves);
    if (isfinite(plan->predicted.lo + plan->predicted.hi))
      fprintf(page, " (%.0f to %.0f %%)", 100 * (1 - plan->predicted.hi),
              100 * (1 - plan->predicted.lo));
    html_print(page, ". With all memory that can be there, %s, it falls by ",
               HP_SIZE_SHOWN(plan->everything.bytes));
    fprintf(page, "%.0f %%.", all);
  }
  fputs("</p>\n</header>\n<main>\n", page);
}

static size_t measured_points(const struct plans *plans,
                              struct chart_point *points) {
  size_t count = 0;
  for (size_t i = 1; i < plans->rows; i++) {
    const struct plan_row *row = &plans->row[i];
    if (isfinite(row->measured.user_ratio))
      points[count++] =
          (struct chart_point){row->bytes, row->measured.user_ratio,
                               row->measured.lo, row->measured.hi};
  }
  return count;
}

static char *draw(const struct plans *plans) {
  struct chart chart;
  struct chart_point *points = memory_zeroed(plans->rows, sizeof *points);
  plan_figure_fill(&plans->plan[plans->count - 1], points,
                   measured_points(plans, points), &chart);
  char *svg = chart_svg(&chart);
  chart_fini(&chart);
  free(points);
  return svg;
}

/* Without gnuplot, the table has the same numbers. */
static void print_figure(FILE *page, const struct plans *plans) {
  char *svg = draw(plans);
  if (svg) {
    fputs("<figure>" HTML_WIDE "\n", page);
    html_svg(page, svg, "plan-", "Predicted user time over the budget");
    fputs(
        "</div>\n<figcaption>User time, divided by that on 4 KiB pages, if "
        "the best choice of that much memory is on larger pages.",
        page);
    if (plans->compared)
      fputs(" Points are measured, with 95 % intervals.", page);
    fputs("</figcaption></figure>\n", page);
  }
  free(svg);
}

static void print_cell(FILE *page, bool known, const char *text) {
  html_print(page, "<td>%s</td>", known ? text : "-");
}

static void print_ratio(FILE *page, double value, double lo, double hi) {
  char text[48];
  snprintf(text, sizeof text, "%.3f", value);
  print_cell(page, isfinite(value), text);
  snprintf(text, sizeof text, "%.3f\342\200\223%.3f", lo, hi);
  print_cell(page, isfinite(lo + hi), text);
}

static void print_costs(FILE *page, double peak, double faults) {
  char text[48];
  bool known = isfinite(peak);
  print_cell(page, known, HP_SIZE_SHOWN(known ? (size_t)peak : 0));
  snprintf(text, sizeof text, "%.0f", faults);
  print_cell(page, isfinite(faults), text);
}

static void print_row(FILE *page, const struct plans *plans,
                      const struct plan_row *row) {
  const struct plan_measured *seen = &row->measured;
  html_print(page, "<tr><td class=\"left\">%s</td><td>%s</td>", row->name,
             HP_SIZE_SHOWN((size_t)row->bytes));
  print_ratio(page, row->predicted.user_ratio, row->predicted.lo,
              row->predicted.hi);
  print_costs(page, row->peak_bytes, row->faults);
  if (plans->compared) {
    print_ratio(page, seen->user_ratio, seen->lo, seen->hi);
    print_costs(page, seen->peak_bytes, seen->faults);
  }
  fputs("</tr>\n", page);
}

#define COSTS \
  "<th>peak<small>memory</small></th><th>page<small>faults</small></th>"

static void print_table(FILE *page, const struct plans *plans) {
  fputs(HTML_WIDE
        "<table><thead><tr><th class=\"left\">plan</th>"
        "<th>memory<small>on larger pages</small></th>"
        "<th>predicted<small>user time / 4k</small></th>"
        "<th>interval<small></small></th>" COSTS,
        page);
  if (plans->compared)
    fputs(
        "<th>measured<small>user time / 4k</small></th>"
        "<th>95 %<small>interval</small></th>" COSTS,
        page);
  fputs("</tr></thead>\n<tbody>\n", page);
  for (size_t i = 0; i < plans->rows; i++)
    print_row(page, plans, &plans->row[i]);
  fputs("</tbody></table></div>\n", page);
}

static void print_choices(FILE *page, const struct page_plan *plan) {
  char text[48];
  fputs("<h2>What goes on larger pages</h2>\n" HTML_WIDE
        "<table><thead><tr><th class=\"left\">memory</th><th>size</th>"
        "<th>saves<small>s of user time</small></th>"
        "<th class=\"left\">in the source</th></tr></thead>\n<tbody>\n",
        page);
  for (size_t i = 0; i < plan->choice_count; i++) {
    const struct plan_choice *choice = &plan->choices[i];
    html_print(page, "<tr><td class=\"left\">%s</td><td>%s</td>",
               *choice->where ? choice->where : plan_what_names[choice->what],
               HP_SIZE_SHOWN(choice->bytes));
    snprintf(text, sizeof text, "%.3g", choice->saving_s);
    print_cell(page, isfinite(choice->saving_s), text);
    html_print(page, "<td class=\"left\">%s</td></tr>\n",
               choice->madvise ? choice->madvise : "-");
  }
  fputs("</tbody></table></div>\n", page);
}

static void print_ways(FILE *page, const struct page_plan *plan) {
  fputs("<h2>How to do it</h2>\n<ul>\n", page);
  for (size_t i = 0; i < plan->way_count; i++)
    html_print(page, "<li>%s: <code>%s</code></li>\n", plan->ways[i].name,
               plan->ways[i].text);
  fputs("</ul>\n", page);
}

static void print_page(FILE *page, const void *of) {
  const struct plans *plans = of;
  const struct page_plan *plan = recommended(plans);
  html_begin(page, plans->program, "");
  print_lead(page, plans);
  print_figure(page, plans);
  print_table(page, plans);
  print_choices(page, plan);
  print_ways(page, plan);
  fputs(
      "<p>Predicted by <code>vat plan</code> from one run in Valgrind and a "
      "calibration of the machine",
      page);
  if (plans->compared) fputs("; measured by <code>vat compare</code>", page);
  fputs(
      ".</p>\n</main>\n<p class=\"foot\">Made by vat.</p>\n</body>\n</html>\n",
      page);
}

int report_plans_write(const struct plans *plans, const char *dir,
                       char error[RESULTS_ERROR_SIZE]) {
  return page_file_write(dir, "plans.html", print_page, plans, error);
}
