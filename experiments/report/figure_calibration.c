/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of a calibration: what an access waits over the memory that a
 * chase goes through, and the knees that were found in them.  Both axes are
 * logarithms. */
#include <math.h>
#include <string.h>

#include "experiments/probe/calibration.h"
#include "experiments/report/figure.h"
#include "experiments/report/plot_lines.h"
#include "experiments/report/plot_log.h"
#include "experiments/report/report_page.h"
#include "huge_pages/size_text.h"

static const struct plot_grid panels = {.columns = 2,
                                        .rows = 1,
                                        .width = 480,
                                        .height = 380,
                                        .left = 66,
                                        .right = 60,
                                        .top = 38,
                                        .bottom = 48};

struct chase {
  const char *name, *title;
};
static const struct chase chases[] = {
    {"line_chase", "Every line of the memory"},
    {"page_chase", "One line of every 4 KiB"},
};
enum { CHASES = sizeof chases / sizeof *chases };

/* Of base pages, the first kind; others are coloured as in figure 2.5. */
enum { BLACK = 6 };

/* Knees nearer than this are one mark. */
#define SAME_KNEE log2(1.25)

static const struct cal_curve *curve_of(const struct calibration *cal,
                                        const struct chase *chase,
                                        size_t pages) {
  const struct cal_curve *curve =
      calibration_curve(cal, chase->name, cal->pages[pages].kind, 1);
  return curve && curve->count ? curve : NULL;
}

static bool has_data(const struct survey *survey) {
  const struct calibration *cal = survey->calibration;
  for (size_t i = 0; cal && i < CHASES; i++)
    for (size_t j = 0; j < cal->page_count; j++)
      if (curve_of(cal, &chases[i], j)) return true;
  return false;
}

/* The memory that a point goes through, between its first line and its last. */
static double bytes_of(const struct cal_curve *curve,
                       const struct cal_point *point) {
  return point->x * (curve->by_pages ? curve->step_bytes : 1);
}

static void add_lines(const struct calibration *cal, const struct chase *chase,
                      struct plot_lines *lines) {
  lines->bare = true;
  for (size_t j = 0; j < cal->page_count; j++) {
    const struct cal_curve *curve = curve_of(cal, chase, j);
    struct plot_line *line =
        plot_lines_add(lines, cal->pages[j].kind, j ? j - 1 : BLACK, 0);
    for (size_t i = 0; curve && i < curve->count; i++)
      plot_line_point(line, log2(bytes_of(curve, &curve->points[i])),
                      log10(curve->points[i].ns));
  }
}

static void widen(struct plot_range *range, const struct plot_lines *lines) {
  for (size_t i = 0; i < lines->count; i++)
    for (size_t j = 0; j < lines->line[i]->count; j++) {
      const struct plot_point *point = &lines->line[i]->points[j];
      range->x_lo = fmin(range->x_lo, point->x);
      range->x_hi = fmax(range->x_hi, point->x);
      range->y_lo = fmin(range->y_lo, point->y);
      range->y_hi = fmax(range->y_hi, point->y);
    }
}

/* Of all panels, with room for the names of the marks. */
static struct plot_range range_of(const struct plot_lines lines[CHASES]) {
  struct plot_range range = {NAN, NAN, NAN, NAN};
  for (size_t i = 0; i < CHASES; i++) widen(&range, &lines[i]);
  range.y_lo -= 0.05;
  range.y_hi += 0.1 * (range.y_hi - range.y_lo) + 0.05;
  plot_round_x(&range);
  return range;
}

static void mark_caches(FILE *script, const struct calibration *cal,
                        const struct plot_grid *grid,
                        const struct plot_range *range) {
  struct plot_marks marks = {0};
  for (size_t i = 0; i < cal->level_count; i++)
    plot_mark_apart(script, grid, log2(cal->levels[i].bytes_usable.value),
                    cal->levels[i].name, range, &marks);
}

/* Of the TLBs, by what their entries map; kinds that agree share a mark, which
 * is the first's. */
static void mark_tlbs(FILE *script, const struct calibration *cal,
                      const struct plot_grid *grid,
                      const struct plot_range *range) {
  struct plot_marks marks = {0};
  double marked[CALIBRATION_KINDS * CALIBRATION_TLBS];
  size_t count = 0;
  for (size_t i = 0; i < cal->page_count; i++) {
    const struct cal_pages *pages = &cal->pages[i];
    for (size_t j = 0; j < pages->tlbs; j++) {
      double entries = pages->tlb[j].entries.value;
      double x = log2(entries * pages->granularity_bytes);
      bool again = !isfinite(x);
      for (size_t k = 0; k < count; k++)
        again |= fabs(x - marked[k]) < SAME_KNEE;
      if (again) continue;
      char name[48];
      snprintf(name, sizeof name, j + 1 < pages->tlbs ? "%.0f" : "W = %.0f",
               entries);
      plot_mark_apart(script, grid, x, name, range, &marks);
      marked[count++] = x;
    }
  }
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  const struct calibration *cal = survey->calibration;
  struct plot_grid grid = figure_grid(&panels, survey);
  struct plot_lines lines[CHASES] = {0};
  char machine[REPORT_MACHINE_SIZE];
  report_machine_title(cal->machine, machine);
  grid.foot = machine;
  for (size_t i = 0; i < CHASES; i++) add_lines(cal, &chases[i], &lines[i]);
  struct plot_range range = range_of(lines);
  plot_lines_make_room(&grid, &lines[0]);
  plot_begin(script, &grid, format);
  for (size_t i = 0; i < CHASES; i++) {
    plot_labels(script, "memory spanned", i ? "" : "ns an access");
    plot_panel(script, &grid, i, chases[i].title, &range);
    plot_log_bytes(script, range.x_lo, range.x_hi);
    plot_log_numbers(script, 'y', range.y_lo, range.y_hi);
    (i ? mark_tlbs : mark_caches)(script, cal, &grid, &range);
    plot_lines_draw(script, &grid, &range, &lines[i]);
    plot_lines_fini(&lines[i]);
  }
  plot_end(script);
}

static void write_csv(FILE *out, const struct survey *survey) {
  const struct calibration *cal = survey->calibration;
  fputs("what,name,pages,bytes,ns,ns_least,ns_most\n", out);
  for (size_t i = 0; i < CHASES; i++)
    for (size_t j = 0; j < cal->page_count; j++) {
      const struct cal_curve *curve = curve_of(cal, &chases[i], j);
      for (size_t k = 0; curve && k < curve->count; k++) {
        const struct cal_point *point = &curve->points[k];
        fprintf(out, "curve,%s", chases[i].name);
        figure_csv_text(out, curve->pages);
        fprintf(out, ",%.0f", bytes_of(curve, point));
        figure_csv_number(out, point->ns);
        figure_csv_number(out, point->lo);
        figure_csv_number(out, point->hi);
        fputc('\n', out);
      }
    }
  for (size_t i = 0; i < cal->level_count; i++) {
    fputs("knee", out);
    figure_csv_text(out, cal->levels[i].name);
    fputc(',', out);
    figure_csv_number(out, cal->levels[i].bytes_usable.value);
    fputs(",,,\n", out);
  }
  for (size_t i = 0; i < cal->page_count; i++)
    for (size_t j = 0; j < cal->pages[i].tlbs; j++) {
      fprintf(out, "knee,\"TLB %zu\"", j + 1);
      figure_csv_text(out, cal->pages[i].kind);
      figure_csv_number(out, cal->pages[i].tlb[j].entries.value *
                                 cal->pages[i].granularity_bytes);
      fputs(",,,\n", out);
    }
}

/* "4 KiB"; "-" for what is not known. */
static const char *bytes_text(double bytes, char text[HP_SIZE_TEXT]) {
  if (!(bytes >= 1 && bytes < 1e18)) return strcpy(text, "-");
  return hp_size_text((size_t)bytes, text);
}

/* tau and W of each kind. */
static size_t tell_pages(const struct calibration *cal, char *text,
                         size_t size) {
  size_t at = (size_t)snprintf(text, size, "Here tau, ");
  for (size_t i = 0; i < cal->page_count && at < size; i++) {
    const struct cal_pages *pages = &cal->pages[i];
    char tau[HUMAN_SIZE], nodes[HUMAN_SIZE], map[HP_SIZE_TEXT];
    at += (size_t)snprintf(
        text + at, size - at, "%s on %s %s ns, W %s entries of %s",
        i ? ";" : "what a miss of the translation cache costs, is", pages->kind,
        human_number(pages->tau_ns.value, tau),
        human_number(pages->tc_nodes.value, nodes),
        bytes_text(pages->granularity_bytes, map));
  }
  return at < size ? at : size - 1;
}

static size_t tell_levels(const struct calibration *cal, char *text,
                          size_t size) {
  size_t at = 0;
  for (size_t i = 0; i < cal->level_count && at < size; i++) {
    const struct cal_level *level = &cal->levels[i];
    char ns[HUMAN_SIZE], bytes[HP_SIZE_TEXT];
    at += (size_t)snprintf(text + at, size - at, "%s%.31s%s%s %s ns",
                           i ? ", " : ". Caches hold and take: ", level->name,
                           isfinite(level->bytes_usable.value) ? " " : "",
                           isfinite(level->bytes_usable.value)
                               ? bytes_text(level->bytes_usable.value, bytes)
                               : "",
                           human_number(level->ns.value, ns));
  }
  return at < size ? at : size - 1;
}

static void detail(const struct survey *survey, char text[FIGURE_DETAIL_SIZE]) {
  const struct calibration *cal = survey->calibration;
  size_t at = tell_pages(cal, text, FIGURE_DETAIL_SIZE);
  at += tell_levels(cal, text + at, FIGURE_DETAIL_SIZE - at);
  snprintf(text + at, FIGURE_DETAIL_SIZE - at, ".%s",
           calibration_is_of(cal, survey->record)
               ? ""
               : " This is the calibration of another machine than that of the "
                 "measurements.");
}

const struct figure figure_calibration = {
    .name = "fig-calibration",
    .title = "What an access waits, by calibration",
    .caption =
        "Median time of an access that must wait for the one before it, in "
        "random order, over the memory they are spread over, a line a page "
        "kind; both axes are logarithms. On the left all lines of that memory "
        "are used: each step is a cache that no longer holds them, marked in "
        "grey where it was found. On the right one line of each 4 KiB is used, "
        "64 times fewer, so that caches overflow that much later and the steps "
        "are those of the TLBs instead, marked with their number of entries. "
        "The last is W, the size of the translation cache of the VAT model, "
        "and the height of the climb behind it is tau and then what fetching "
        "lines of page tables and of data adds. Where lines of page kinds "
        "part, that is translation; where a huge page has its knee at that of "
        "base pages, a host below backs it with small ones.",
    .needs =
        "It needs the machine's calibration: vat calibrate -o MACHINE.json, "
        "then vat report --machine MACHINE.json. It is drawn with the first "
        "results file, and with each other one whose machine has one.",
    .detail = detail,
    .has_data = has_data,
    .draw = draw,
    .write_csv = write_csv,
};
