/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/plot_dots.h"

#include <math.h>
#include <string.h>

#include "experiments/report/gnuplot.h"

/* Of a row, between the first slot and the last, which others leave free; of
 * fewer slots each stands so far from the next. */
#define ALL_SLOTS 0.7
#define APART 0.14

/* Of a row, and for each slot in it. */
enum { ROW_PIXELS = 22, SLOT_PIXELS = 9 };

/* A digit is wider than letters are on average. */
enum { NAME_PIXELS = 8, NAME_APART = 20 };

size_t plot_dots_row(struct plot_dots *dots, const char *name) {
  size_t row = 0;
  while (row < dots->row_count && strcmp(dots->rows[row], name)) row++;
  if (row < dots->row_count || row == PLOT_DOTS_ROWS) return row;
  snprintf(dots->rows[row], PLOT_DOTS_NAME, "%s", name);
  return dots->row_count++;
}

void plot_dots_add(struct plot_dots *dots, size_t row, size_t slot, double x,
                   double lo, double hi, size_t colour) {
  if (!isfinite(x) || row >= dots->row_count || dots->count == PLOT_DOTS_MOST)
    return;
  bool known = isfinite(lo) && isfinite(hi);
  dots->dots[dots->count++] = (struct plot_dot){
      .row = row,
      .slot = slot,
      .colour = colour,
      .x = x,
      .lo = known ? lo : x,
      .hi = known ? hi : x,
  };
}

static size_t colours_of(const struct plot_dots *dots) {
  size_t most = 0;
  for (size_t i = 0; i < dots->count; i++)
    if (dots->dots[i].colour >= most) most = dots->dots[i].colour + 1;
  return most;
}

static bool has_colour(const struct plot_dots *dots, size_t colour) {
  for (size_t i = 0; i < dots->count; i++)
    if (dots->dots[i].colour == colour) return true;
  return false;
}

static bool has_slot(const struct plot_dots *dots, size_t slot) {
  for (size_t i = 0; i < dots->count; i++)
    if (dots->dots[i].slot == slot) return true;
  return false;
}

/* Slots in use below `end`. */
static size_t slots_to(const struct plot_dots *dots, size_t end) {
  size_t used = 0;
  for (size_t slot = 0; slot < end; slot++) used += has_slot(dots, slot);
  return used;
}

/* From below: the first row is the highest, and so is the first slot. */
static double height_of(const struct plot_dots *dots,
                        const struct plot_dot *dot) {
  size_t used = slots_to(dots, PLOT_DOTS_MOST);
  double apart = fmin(APART, ALL_SLOTS / fmax(1, (double)used - 1));
  double aside = (double)slots_to(dots, dot->slot) - ((double)used - 1) / 2;
  return (double)(dots->row_count - dot->row) - apart * aside;
}

void plot_dots_write(FILE *script, const struct plot_dots *dots, size_t panel) {
  for (size_t c = 0; c < colours_of(dots); c++) {
    fprintf(script, "$p%zu_%zu << END\n", panel, c);
    for (size_t i = 0; i < dots->count; i++) {
      const struct plot_dot *dot = &dots->dots[i];
      if (dot->colour == c)
        fprintf(script, "%.6g %.4f %.6g %.6g\n", dot->x, height_of(dots, dot),
                dot->lo, dot->hi);
    }
    fputs("END\n", script);
  }
}

struct plot_range plot_dots_range(const struct plot_dots *dots) {
  struct plot_range range = {0, 0, 0.4, (double)dots->row_count + 0.6};
  for (size_t i = 0; i < dots->count; i++)
    range.x_hi = fmax(range.x_hi, dots->dots[i].hi);
  range.x_hi = range.x_hi > 0 ? 1.06 * range.x_hi : 1;
  return range;
}

int plot_dots_left(const struct plot_dots *dots) {
  size_t longest = 0;
  for (size_t i = 0; i < dots->row_count; i++)
    longest = longest < strlen(dots->rows[i]) ? strlen(dots->rows[i]) : longest;
  return NAME_APART + NAME_PIXELS * (int)longest;
}

int plot_dots_height(const struct plot_dots *dots) {
  int slots = (int)slots_to(dots, PLOT_DOTS_MOST);
  return 16 + (ROW_PIXELS + SLOT_PIXELS * slots) * (int)dots->row_count;
}

void plot_dots_draw(FILE *script, const struct plot_dots *dots, size_t panel,
                    const char *behind) {
  fputs(
      "set xtics autofreq\nset grid x lc rgb '#C0808080' lt 1 lw 0.5\n"
      "set ytics (",
      script);
  for (size_t i = 0; i < dots->row_count; i++) {
    if (i) fputs(", ", script);
    gnuplot_quote_tic(script, dots->rows[i]);
    fprintf(script, " %zu", dots->row_count - i);
  }
  fprintf(script, ")\nplot %s", behind ? behind : "NaN");
  for (size_t c = 0; c < colours_of(dots); c++)
    if (has_colour(dots, c))
      fprintf(script,
              ", $p%zu_%zu using 1:2:3:4 with xerrorbars lc rgb '%s' lw 1.5 "
              "pt %s ps 0.8",
              panel, c, plot_colour(c), plot_shape(c));
  fputc('\n', script);
}
