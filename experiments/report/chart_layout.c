/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/chart_layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/human.h"
#include "experiments/cli/memory.h"

/* Of a row, between its first slot and its last, which others leave free; of
 * fewer slots each stands so far from the next. */
#define ALL_SLOTS 0.7
#define APART 0.14
/* Of a row, and for each slot in it; a digit is wider than letters are on
 * average. */
enum { ROW_PIXELS = 22, SLOT_PIXELS = 9, NAME_PIXELS = 8, NAME_APART = 20 };

enum { LINE_PIXELS = 20, FOOT_PIXELS = 22 };

double chart_place(enum chart_scale scale, double value) {
  if (scale == CHART_LOG || scale == CHART_POWERS) return log10(value);
  return scale == CHART_BYTES ? log2(value) : value;
}

/* By a point; NAN is none. */
static void widen(struct chart_range *range, double x, double y) {
  range->x_lo = fmin(range->x_lo, x);
  range->x_hi = fmax(range->x_hi, x);
  range->y_lo = fmin(range->y_lo, y);
  range->y_hi = fmax(range->y_hi, y);
}

/* Of all points as they are, with their intervals; on a logarithm intervals end
 * a decade below at least. */
static struct chart_range extent(const struct chart_panel *panel) {
  struct chart_range range = {NAN, NAN, NAN, NAN};
  const bool log = panel->y.scale != CHART_LINEAR;
  for (size_t i = 0; i < panel->count; i++)
    for (size_t j = 0; j < panel->series[i]->count; j++) {
      struct chart_point p = panel->series[i]->points[j];
      if (panel->row_count) {
        widen(&range, fmax(p.x, p.hi), NAN);
        continue;
      }
      double lo = fmin(p.y, p.lo);
      if (log) lo = fmax(lo, p.y / 10);
      widen(&range, chart_place(panel->x.scale, p.x),
            chart_place(panel->y.scale, lo));
      widen(&range, NAN, chart_place(panel->y.scale, fmax(p.y, p.hi)));
    }
  return range;
}

/* Widened to whole numbers, and a single point to an interval. */
static void round_x(struct chart_range *range) {
  range->x_lo = floor(range->x_lo);
  range->x_hi = ceil(range->x_hi);
  if (range->x_hi - range->x_lo >= 1) return;
  range->x_lo -= 1;
  range->x_hi += 1;
}

static double more(double hi, double room) {
  return hi > 0 ? (room ? room : 1.06) * hi : 1;
}

/* A logarithm has a decade at least, with room above the largest for labels
 * that are pushed up. */
static void usual_y(const struct chart_axis *y, struct chart_range *range) {
  double span = fmax(range->y_hi - range->y_lo, 1);
  switch (y->scale) {
    case CHART_LOG:
      range->y_lo -= 0.05 * span;
      range->y_hi = fmax(range->y_hi + 0.1 * span, range->y_lo + span);
      break;
    case CHART_POWERS:
      range->y_lo = floor(range->y_lo);
      range->y_hi = fmax(ceil(range->y_hi), range->y_lo + 1);
      break;
    default:
      range->y_lo = 0;
      range->y_hi = more(range->y_hi, y->room);
  }
}

static void usual(const struct chart_panel *panel, struct chart_range *range) {
  if (panel->row_count) {
    *range = (struct chart_range){0, more(range->x_hi, 0), 0.4,
                                  (double)panel->row_count + 0.6};
  } else {
    round_x(range);
    usual_y(&panel->y, range);
  }
}

struct chart_range chart_needs(const struct chart_panel *panel) {
  struct chart_range range = extent(panel);
  usual(panel, &range);
  return range;
}

/* Six at most: in steps of 1, 2 or 5 and zeros. */
static double round_tics(const struct chart_range *range) {
  const double least = (range->x_hi - range->x_lo) / 6;
  double tics = pow(10, floor(log10(least)));
  if (tics < least) tics *= 2;
  if (tics < least) tics *= 2.5;
  return tics < least ? 2 * tics : tics;
}

static void set(const struct chart_axis *axis, double *lo, double *hi) {
  if (!isnan(axis->lo)) *lo = chart_place(axis->scale, axis->lo);
  if (!isnan(axis->hi)) *hi = chart_place(axis->scale, axis->hi);
  if (axis->most > 0) *hi = fmin(*hi, axis->most);
}

static void set_ranges(struct chart *chart) {
  struct chart_range all = {NAN, NAN, NAN, NAN};
  for (size_t i = 0; i < chart->count; i++) {
    struct chart_range range = extent(&chart->panels[i]);
    chart->panels[i].range = range;
    widen(&all, range.x_lo, range.y_lo);
    widen(&all, range.x_hi, range.y_hi);
  }
  for (size_t i = 0; i < chart->count; i++) {
    struct chart_panel *panel = &chart->panels[i];
    struct chart_range *range = &panel->range;
    if (chart->same_x) range->x_lo = all.x_lo, range->x_hi = all.x_hi;
    if (chart->same_y) range->y_lo = all.y_lo, range->y_hi = all.y_hi;
    usual(panel, range);
    if (panel->x.tics == CHART_TICS_ROUND) panel->x.tics = round_tics(range);
    set(&panel->x, &range->x_lo, &range->x_hi);
    set(&panel->y, &range->y_lo, &range->y_hi);
  }
}

/* Measured values have more digits than these. */
static bool are_whole(const struct chart_panel *panel) {
  for (size_t i = 0; i < panel->count; i++)
    for (size_t j = 0; j < panel->series[i]->count; j++)
      if (panel->series[i]->points[j].y != rint(panel->series[i]->points[j].y))
        return false;
  return true;
}

bool chart_is_few(const struct chart *chart, const struct chart_panel *panel) {
  return panel->y.scale == CHART_LINEAR && !chart->compact && !panel->bare &&
         !panel->row_count && are_whole(panel) && panel->range.y_hi < 6;
}

const char *chart_label_text(const struct chart *chart,
                             const struct chart_panel *panel,
                             const struct chart_series *series,
                             char text[CHART_TEXT]) {
  char number[HUMAN_SIZE];
  double value = series->count ? series->points[series->count - 1].y : NAN;
  human_number(value, number);
  if (panel->y.scale == CHART_LINEAR && !chart->compact && are_whole(panel) &&
      fabs(value) < 1e7)
    snprintf(number, sizeof number, "%.0f", value);
  if (panel->bare || !*series->label)
    snprintf(text, CHART_TEXT, "%s", series->label);
  else
    snprintf(text, CHART_TEXT, "%s  %s%s%s", series->label, number,
             panel->unit ? " " : "", panel->unit ? panel->unit : "");
  return text;
}

static bool has_label(const struct chart_series *series) {
  return series->count && *series->label && !series->grey;
}

static size_t count_labels(const struct chart_panel *panel) {
  size_t count = 0;
  for (size_t i = 0; i < panel->count; i++)
    count += has_label(panel->series[i]);
  return count;
}

static size_t others_of(const struct chart_panel *panel) {
  size_t labels = count_labels(panel);
  return panel->more +
         (labels > CHART_LABELS_MOST ? labels - CHART_LABELS_MOST : 0);
}

const char *chart_end_text(const struct chart *chart,
                           const struct chart_panel *panel, size_t series,
                           char text[CHART_TEXT]) {
  if (series < panel->count)
    return chart_label_text(chart, panel, panel->series[series], text);
  snprintf(text, CHART_TEXT, "and %zu more in the CSV", others_of(panel));
  return text;
}

/* Of the longest label to the right, and of all below each other. */
static void make_room(struct chart *chart, const struct chart_panel *panel) {
  struct chart_box *box = &chart->box;
  size_t longest = 0, labels = count_labels(panel);
  char text[CHART_TEXT];
  if (!labels) return;
  for (size_t i = 0; i < panel->count; i++) {
    if (!has_label(panel->series[i])) continue;
    size_t length =
        strlen(chart_label_text(chart, panel, panel->series[i], text));
    if (length > longest) longest = length;
  }
  if (labels > CHART_LABELS_MOST) labels = CHART_LABELS_MOST;
  if (others_of(panel)) labels++;
  int right = (chart->compact ? 3 : 4) * CHART_LABEL_PIXELS +
              CHART_CHARACTER_PIXELS * (int)longest;
  int height = box->top + box->bottom + CHART_LABEL_PIXELS * (int)labels;
  if (height > box->height) box->height = height;
  if (right <= box->right) return;
  box->width += right - box->right;
  box->right = right;
}

static size_t slots_to(const struct chart_panel *panel, size_t series) {
  size_t used = 0;
  for (size_t i = 0; i < series; i++) used += panel->series[i]->count > 0;
  return used;
}

static void make_rows(struct chart *chart, const struct chart_panel *panel) {
  size_t longest = 0;
  int slots = (int)slots_to(panel, panel->count);
  for (size_t i = 0; i < panel->row_count; i++)
    if (strlen(panel->rows[i]) > longest) longest = strlen(panel->rows[i]);
  chart->box.left = NAME_APART + NAME_PIXELS * (int)longest;
  chart->box.width += chart->box.left;
  chart->box.height =
      chart->box.top + chart->box.bottom + 16 +
      (ROW_PIXELS + SLOT_PIXELS * slots) * (int)panel->row_count;
}

static double mark_at(const struct chart_panel *panel, size_t mark) {
  return chart_place(panel->x.scale, panel->marks[mark].at);
}

bool chart_mark_is_left(const struct chart_panel *panel, size_t mark) {
  const struct chart_range *range = &panel->range;
  return mark_at(panel, mark) - range->x_lo > (range->x_hi - range->x_lo) / 2;
}

/* Where its name is, in units of x. */
static double name_from(const struct chart *chart,
                        const struct chart_panel *panel, size_t mark,
                        double *to) {
  const struct chart_range *range = &panel->range;
  double x = mark_at(panel, mark);
  double pixel = (range->x_hi - range->x_lo) /
                 (chart->box.width - chart->box.left - chart->box.right);
  double width = pixel * CHART_CHARACTER_PIXELS *
                 ((double)strlen(panel->marks[mark].name) + 2);
  double from = chart_mark_is_left(panel, mark) ? x - width : x;
  *to = from + width;
  return from;
}

/* Each is in the first line where none of before is in its way. */
static void place_marks(const struct chart *chart, struct chart_panel *panel) {
  for (size_t mark = 0; mark < panel->mark_count; mark++) {
    double to, other_to, from = name_from(chart, panel, mark, &to);
    int *line = &panel->marks[mark].line;
    for (size_t i = 0; i < mark;) {
      double other = name_from(chart, panel, i, &other_to);
      bool meets =
          panel->marks[i].line == *line && from < other_to && to > other;
      *line += meets;
      i = meets ? 0 : i + 1;
    }
  }
}

void chart_finish(struct chart *chart) {
  set_ranges(chart);
  for (size_t i = 0; i < chart->count; i++) make_room(chart, &chart->panels[i]);
  if (chart->count && chart->panels->row_count) make_rows(chart, chart->panels);
  for (size_t i = 0; i < chart->count; i++)
    place_marks(chart, &chart->panels[i]);
  if (chart->legend == CHART_IN_LINES)
    chart->head = LINE_PIXELS * (int)chart->key_count + 8;
}

size_t chart_columns(const struct chart *chart) {
  return chart->columns ? chart->columns : chart->count;
}

int chart_width(const struct chart *chart) {
  return (int)chart_columns(chart) * chart->box.width;
}

bool chart_has_foot(const struct chart *chart) {
  for (size_t i = 0; i < chart->count; i++)
    if (!chart->panels[i].of_no_input) return *chart->foot;
  return false;
}

int chart_height(const struct chart *chart) {
  size_t places = chart->count + (chart->legend == CHART_IN_PANEL);
  size_t columns = chart_columns(chart);
  return chart->head +
         (int)((places + columns - 1) / columns) * chart->box.height +
         (chart_has_foot(chart) ? FOOT_PIXELS : 0);
}

static int compare_ends(const void *a, const void *b) {
  const struct chart_end *x = a, *y = b;
  return (x->y > y->y) - (x->y < y->y);
}

struct chart_end *chart_ends(const struct chart *chart,
                             const struct chart_panel *panel, size_t *count) {
  struct chart_end *ends = memory_zeroed(panel->count + 2, sizeof *ends);
  const struct chart_range *range = &panel->range;
  double top = range->y_hi - range->y_lo;
  double gap = CHART_LABEL_PIXELS * top /
               (chart->box.height - chart->box.top - chart->box.bottom);
  *count = 0;
  for (size_t i = 0; i < panel->count; i++) {
    const struct chart_series *series = panel->series[i];
    if (!has_label(series)) continue;
    double y = isnan(series->label_y) ? series->points[series->count - 1].y
                                      : series->label_y;
    ends[(*count)++] =
        (struct chart_end){i, chart_place(panel->y.scale, y) - range->y_lo};
  }
  qsort(ends, *count, sizeof *ends, compare_ends);
  if (others_of(panel)) { /* in the place of the lowest */
    size_t kept = *count < CHART_LABELS_MOST ? *count : CHART_LABELS_MOST;
    memmove(ends + 1, ends + *count - kept, kept * sizeof *ends);
    ends->series = panel->count;
    *count = kept + 1;
  }
  for (size_t i = 1; i < *count; i++)
    ends[i].y = fmax(ends[i].y, ends[i - 1].y + gap);
  for (size_t i = *count; i-- > 0; top = ends[i].y - gap)
    ends[i].y = fmin(ends[i].y, top);
  return ends;
}

double chart_row_height(const struct chart_panel *panel, size_t series,
                        double row) {
  double used = (double)slots_to(panel, panel->count);
  double apart = fmin(APART, ALL_SLOTS / fmax(1, used - 1));
  double aside = (double)slots_to(panel, series) - (used - 1) / 2;
  return (double)panel->row_count - row - apart * aside;
}

static int side_of(const struct chart_panel *panel, size_t series,
                   size_t point) {
  if (point >= panel->series[series]->count) return 0;
  double y = panel->series[series]->points[point].y;
  return (y > panel->range.y_hi) - (y < panel->range.y_lo);
}

int chart_beyond(const struct chart_panel *panel, size_t series, size_t point,
                 char text[32]) {
  int side = side_of(panel, series, point);
  *text = '\0';
  if (side && side_of(panel, series, point + 1) != side)
    snprintf(text, 32, "%.0f %%", panel->series[series]->points[point].y);
  return side;
}
