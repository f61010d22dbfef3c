/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/report_mosaics.h"

#include <math.h>
#include <stdlib.h>

#include "experiments/report/chart_file.h"
#include "experiments/report/html.h"
#include "experiments/report/mosaics_figure.h"
#include "experiments/report/page_file.h"
#include "huge_pages/size_text.h"

static void print_real(FILE *page, double value) {
  if (isfinite(value))
    fprintf(page, "<td>%.3f</td>", value);
  else
    fputs("<td>-</td>", page);
}

static void print_lead(FILE *page, const struct mosaics *mosaics) {
  static const char title[] = "Layouts: told and measured";
  const struct mosaic_score *vat = &mosaics->score[0];
  html_begin(page, title, "");
  html_print(page, "<h1>%s</h1>\n<p class=\"lead\">%zu layouts. ", title,
             mosaics->count);
  if (vat->rows)
    fprintf(page,
            "What vat tells of their user time differs from the measured ratio "
            "by %.3f in the median and by %.3f at most.",
            vat->median, vat->worst);
  if (mosaics->intervals)
    fprintf(page, " %zu of %zu lie in its interval, %zu in that and their own.",
            mosaics->inside, mosaics->intervals, mosaics->inside_both);
  fputs("</p>\n</header>\n<main>\n", page);
}

/* Without gnuplot, the tables have the same numbers. */
static void print_figure(FILE *page, const struct mosaics *mosaics) {
  struct chart chart;
  mosaics_figure_fill(mosaics, &chart);
  char *svg = chart_svg(&chart);
  chart_fini(&chart);
  if (svg) {
    fputs("<figure>" HTML_WIDE "\n", page);
    html_svg(page, svg, "mosaics-", "What models tell, over what was measured");
    fputs(
        "</div>\n<figcaption>User time, divided by that on 4 KiB pages: as "
        "each "
        "model tells it, over the measured one, and how far they are off in "
        "the median. On the grey line they are the "
        "same; what is told beyond the axis stands at its edge.</figcaption>"
        "</figure>\n",
        page);
  }
  free(svg);
}

static void print_score(FILE *page, const struct mosaic_score *score) {
  html_print(page,
             "<tr><td class=\"left\">%s</td><td class=\"left\">%s</td>"
             "<td>%zu</td>",
             score->title, score->from, score->rows);
  print_real(page, score->rows ? score->median : NAN);
  print_real(page, score->rows ? score->p95 : NAN);
  print_real(page, score->rows ? score->worst : NAN);
  fputs("</tr>\n", page);
}

static void print_scores(FILE *page, const struct mosaics *mosaics) {
  fputs("<h2>How far off they are</h2>\n" HTML_WIDE
        "<table><thead><tr><th class=\"left\">model</th><th class=\"left\">"
        "knows times of</th><th>layouts</th><th>median<small>of differences"
        "</small></th><th>95 %</th><th>worst</th></tr></thead>\n<tbody>\n",
        page);
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    print_score(page, &mosaics->score[m]);
  print_score(page, &mosaics->control);
  fputs("</tbody></table></div>\n", page);
}

static void print_program(FILE *page, const struct mosaics *mosaics,
                          const struct mosaic_program *program) {
  html_print(page, "<tr><td class=\"left\">%s</td><td>%zu</td>",
             mosaics->row[program->first].program, program->count);
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    print_real(page, program->median[m]);
  print_real(page, fabs(program->control));
  fputs("</tr>\n", page);
}

static void print_programs(FILE *page, const struct mosaics *mosaics) {
  fputs("<h2>Each program, in the median</h2>\n" HTML_WIDE
        "<table><thead><tr><th class=\"left\">program</th><th>layouts</th>",
        page);
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    html_print(page, "<th>%s</th>", mosaics->score[m].title);
  html_print(page, "<th>%s</th></tr></thead>\n<tbody>\n",
             mosaics->control.title);
  for (size_t i = 0; i < mosaics->programs; i++)
    print_program(page, mosaics, &mosaics->program[i]);
  fputs("</tbody></table></div>\n", page);
}

static void print_row(FILE *page, const struct mosaic *row) {
  const bool sized = row->bytes >= 0 && row->bytes < 0x1p62;
  html_print(page,
             "<tr><td class=\"left\">%s</td><td class=\"left\">%s</td>"
             "<td>%s</td>",
             row->program, row->layout,
             sized ? HP_SIZE_SHOWN((size_t)row->bytes) : "-");
  print_real(page, row->measured);
  for (size_t m = 0; m < MOSAIC_MODELS; m++) print_real(page, row->told[m]);
  fputs("</tr>\n", page);
}

static void print_rows(FILE *page, const struct mosaics *mosaics) {
  fputs("<h2>All layouts</h2>\n" HTML_WIDE
        "<table><thead><tr><th class=\"left\">program</th>"
        "<th class=\"left\">layout</th><th>larger<small>pages</small></th>"
        "<th>measured<small>user time / 4k</small></th>",
        page);
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    html_print(page, "<th>%s</th>", mosaics->score[m].title);
  fputs("</tr></thead>\n<tbody>\n", page);
  for (size_t i = 0; i < mosaics->count; i++) print_row(page, &mosaics->row[i]);
  fputs("</tbody></table></div>\n", page);
}

static void print_page(FILE *page, const void *of) {
  const struct mosaics *mosaics = of;
  print_lead(page, mosaics);
  print_figure(page, mosaics);
  print_scores(page, mosaics);
  print_programs(page, mosaics);
  print_rows(page, mosaics);
  fputs(
      "<p>A layout has some of a program's memory on 2 MiB pages. "
      "<code>vat compare --layouts</code> draws and measures them.</p>\n"
      "</main>\n<p class=\"foot\">Made by vat.</p>\n</body>\n</html>\n",
      page);
}

int report_mosaics_write(const struct mosaics *mosaics, const char *dir,
                         char error[RESULTS_ERROR_SIZE]) {
  return page_file_write(dir, "mosaics.html", print_page, mosaics, error);
}
