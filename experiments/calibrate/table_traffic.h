/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/table_traffic.h -- which caches table lines are found
 * in, where random accesses bring lines of data and of page tables.
 *
 * Each access goes to one of data_lines lines and, if the TLB misses it, to one
 * of table_lines in each of `tables` tables, all as likely as any other.  LRU
 * keeps what was accessed within the last T accesses, where T is such that as
 * many lines are as the cache holds (H. Che, Y. Tung, Z. Wang: Hierarchical Web
 * Caching Systems, 2002): of n lines that each are one of n with chance p an
 * access, n (1 - exp(-p T / n)).  Caches that replace at random, as last levels
 * nearly do, keep n p T / (n + p T) (E. Gelenbe: A Unified Approach to the
 * Evaluation of a Class of Replacement Algorithms, 1973): more of what is used
 * seldom, and less of what is used often, as table lines are.
 */
#pragma once

enum table_replacement { REPLACE_LRU, REPLACE_RANDOM, REPLACEMENTS };

struct table_traffic {
  enum table_replacement replacement;
  double data_lines, table_lines; /* above 0 */
  double tables;
  double walks; /* share of accesses that the TLB misses; above 0 */
};

/* Share of accesses to table lines that a cache of `lines` lines misses. */
double table_traffic_missed(const struct table_traffic *traffic, double lines);
