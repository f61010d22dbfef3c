/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/chart_layout.h -- where everything of a chart is: ranges
 * of axes, room for labels, and labels that do not lie on each other. */
#pragma once
#include "experiments/report/chart.h"

/* Sets the range of each panel, lets no name of a mark lie on another, and
 * grows the box for labels and rows; once, before all below. */
void chart_finish(struct chart *chart);

/* What the points of the panel need: x in whole numbers, y from 0. */
struct chart_range chart_needs(const struct chart_panel *panel);

/* Pixels of the whole picture. */
size_t chart_columns(const struct chart *chart);
int chart_width(const struct chart *chart);
int chart_height(const struct chart *chart);
bool chart_has_foot(const struct chart *chart); /* the machine, below */

/* On an axis of that scale: its logarithm, where it is one. */
double chart_place(enum chart_scale scale, double value);

/* Labels are 15 pixels high, so series may not end closer; a character is at
 * most 7 wide, on average. */
enum { CHART_LABEL_PIXELS = 15, CHART_CHARACTER_PIXELS = 7 };

/* "permute  12.0 ms": what stands at the end of a series. */
enum { CHART_TEXT = CHART_LABEL + 64 };
const char *chart_label_text(const struct chart *chart,
                             const struct chart_panel *panel,
                             const struct chart_series *series,
                             char text[CHART_TEXT]);

/* Of more series in a panel the highest have labels; the others share a row,
 * "and 12 more in the CSV". */
enum { CHART_LABELS_MOST = 24 };

struct chart_end {
  size_t series; /* the count of series: the row of the others */
  double y;      /* on the axis, from its beginning */
};
const char *chart_end_text(const struct chart *chart,
                           const struct chart_panel *panel, size_t series,
                           char text[CHART_TEXT]);
/* Where those labels stand: pushed apart upwards, then down from the top edge.
 * To free(). */
struct chart_end *chart_ends(const struct chart *chart,
                             const struct chart_panel *panel, size_t *count);

/* Does the name of the mark stand left of it? */
bool chart_mark_is_left(const struct chart_panel *panel, size_t mark);

/* Height of a point in rows: the first is the highest. */
double chart_row_height(const struct chart_panel *panel, size_t series,
                        double row);

/* 1: the point is above the axis, -1: below; and its percentage, where the next
 * one is not there, too. */
int chart_beyond(const struct chart_panel *panel, size_t series, size_t point,
                 char text[32]);

/* Are all values counts, and few? */
bool chart_is_few(const struct chart *chart, const struct chart_panel *panel);
