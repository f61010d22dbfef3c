/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/table_traffic.h"

#include <math.h>

/* Share that is missed of lines of which each is accessed `often` times in the
 * time that the cache looks back. */
static double missed(const struct table_traffic *traffic, double often) {
  return traffic->replacement == REPLACE_LRU ? exp(-often) : 1 / (1 + often);
}

/* Lines kept that were accessed within t accesses. */
static double kept(const struct table_traffic *traffic, double t) {
  double data = traffic->data_lines, table = traffic->table_lines;
  return data * (1 - missed(traffic, t / data)) +
         traffic->tables * table *
             (1 - missed(traffic, traffic->walks * t / table));
}

double table_traffic_missed(const struct table_traffic *traffic, double lines) {
  double all = traffic->data_lines + traffic->tables * traffic->table_lines;
  if (all <= lines) return 0;
  double low = 0, high = lines;
  while (kept(traffic, high) < lines && high < 1e18) high *= 2;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    if (kept(traffic, middle) < lines)
      low = middle;
    else
      high = middle;
  }
  return missed(traffic, traffic->walks * low / traffic->table_lines);
}
