/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/table_traffic.h"

#include <math.h>

/* Lines accessed within t accesses. */
static double touched(const struct table_traffic *traffic, double t) {
  double data = traffic->data_lines, table = traffic->table_lines;
  return data * -expm1(-t / data) +
         traffic->tables * table * -expm1(-traffic->walks * t / table);
}

double table_traffic_missed(const struct table_traffic *traffic, double lines) {
  double all = traffic->data_lines + traffic->tables * traffic->table_lines;
  if (all <= lines) return 0;
  double low = 0, high = lines;
  while (touched(traffic, high) < lines && high < 1e18) high *= 2;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    if (touched(traffic, middle) < lines)
      low = middle;
    else
      high = middle;
  }
  return exp(-traffic->walks * low / traffic->table_lines);
}
