/* SPDX-License-Identifier: BSD-2-Clause */
#include <math.h>
#include <stdbool.h>

#include "vat/bounds_parts.h"

/* Sums over 1, 2, ... n are made in parts of which each is less than a share of
 * 1 / STEPS of what is before it: each is at most that much off. */
enum { STEPS = 256 };

static double part_of(double left, double n) {
  return fmin(fmax(1, floor(left / STEPS)), n - left + 1);
}

/* And what follows; no more where both are too large to be added. */
static double next_left(double left, double part) {
  return left + part > left ? left + part : INFINITY;
}

/*
 * The next access is to any of `left` keys, whatever is in the TC.  A cached
 * node of a layer spares its miss for so many of them, `below(span, context)`.
 * So it is best to cache the highest layers ("Random Access"), and what they
 * leave uncovered is missed.  The root needs one cell, layer i as many as it
 * has nodes; cells in parts only lower the bound.
 */
static double uncovered(const struct vat_bounds_case *c, double left,
                        double (*below)(double span, double context),
                        double context) {
  double missed = 0, cells = (double)c->nodes;
  for (unsigned i = c->tree.levels + 1; i-- > 0;) {
    double keys = below(vat_bounds_span(c, i), context);
    double part = fmin(1, keys / left); /* by one cell */
    double used = fmin(cells, 1 / part);
    missed += 1 - used * part;
    cells -= used;
  }
  return missed;
}

static double whole_span(double span, double unused) {
  (void)unused;
  return span;
}

/* Of nodes of a layout whose keys are drawn by eights. */
static double eights(double span, double unused) {
  (void)unused;
  return fmax(8, span);
}

/* Of a random order: keys that are not yet drawn when that is a share of all.
 * By chance more, which Hoeffding's inequality leaves to 1e-6 of all orders,
 * for less than 2^50 nodes and parts of the sum together. */
static double not_yet_drawn(double span, double share) {
  return fmin(span, span * share + sqrt(span * log(0x1p50 * 1e6) / 2));
}

/* The text draws from n keys each time; permute draws from a prefix that
 * shrinks. */
static double prefixes(const struct vat_bounds_case *c) {
  double sum = 0, n = (double)c->n, part;
  for (double left = 1; left <= n; left = next_left(left, part)) {
    part = part_of(left, n);
    sum += part * uncovered(c, left, whole_span, 0);
  }
  return sum;
}

/* And the next place of a permutation is one of those not yet seen. */
static double unseen(const struct vat_bounds_case *c) {
  double sum = 0, n = (double)c->n, part;
  for (double left = 1; left <= n; left = next_left(left, part)) {
    part = part_of(left, n);
    double share = (left + part - 1) / n;
    sum += part * uncovered(c, left, not_yet_drawn, share);
  }
  return sum;
}

double vat_bounds_random_scan_lower(const struct vat_bounds_case *c) {
  double n = (double)c->n;
  if (!c->n) return 0;
  return fmax(vat_bounds_all(c, 2 * n),
              vat_bounds_online(c, unseen, n, c->tree.levels + 1));
}

/* The last swap is that of the first key with itself, and may be left out. */
double vat_bounds_permute_lower(const struct vat_bounds_case *c) {
  struct vat_bounds_case moved = *c;
  moved.base += VAT_BOUNDS_WORD;
  if (c->n < 2) return 0;
  return fmax(vat_bounds_all(&moved, (double)c->n - 1),
              vat_bounds_online(c, prefixes, (double)c->n, c->tree.levels + 1));
}

static double last_places(const struct vat_bounds_case *c) {
  return (double)c->n * uncovered(c, (double)c->n, eights, 0);
}

/* Different nodes of the layout, 8 keys each, where n searches end, and what is
 * above so many at least. */
static double last_nodes(const struct vat_bounds_case *c) {
  double n = (double)c->n, sum = 0;
  double nodes = floor(n / 8) * (1 - pow(1 - fmin(1, 8 / n), n));
  nodes = fmax(1, nodes - vat_bounds_deviation(n, 1));
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += ceil(nodes * 8 / fmax(8, vat_bounds_span(c, i)));
  return sum;
}

/* The last place of a search is as random as a random access: it is in one of
 * the nodes of the layout, each of 8 words, below 8 of the n keys. */
double vat_bounds_veb_lower(const struct vat_bounds_case *c) {
  double range = c->tree.levels + 1, n = (double)c->n;
  if (!c->n) return 0;
  return fmax(last_nodes(c), vat_bounds_online(c, last_places, n, range));
}

/* A random access of either program, to one of the first `left` keys, with one
 * more in each round before it; or, where a key is drawn once only, of all. */
struct draw {
  double words; /* of the workspace that it may touch */
  double left;
  bool once;
};

/*
 * Nodes that so many rounds of a random access and a step of a scan touch, but
 * once in a million: no more than there are, or than are drawn, or than is
 * expected to be hit, each by 1 - (1 - B / left)^rounds, and chance
 * (McDiarmid's inequality: a draw changes it by one).
 */
static double touched(const struct vat_bounds_case *c, const void *arg,
                      double rounds) {
  const struct draw *draw = arg;
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double words = draw->once ? draw->words : draw->left + rounds;
    double all = vat_bounds_above(c, i, fmin(words, draw->words));
    double left = fmax(1, draw->once ? draw->left - rounds : draw->left);
    double part = fmin(1, vat_bounds_span(c, i) / left);
    double hit = all * (1 - pow(1 - part, rounds));
    hit = fmin(rounds, hit + vat_bounds_deviation(rounds, 1));
    sum += fmin(all, hit + vat_bounds_at_most(c, i, rounds + 1));
  }
  return sum;
}

/*
 * Under LRU a node is missed, but for the first time, only if none of the last
 * s rounds has touched it, where s rounds and this one touch at most W nodes. A
 * node above B of `left` keys is drawn with probability B / left, and was with
 * no less than B / (left + s) in each of the rounds before; one above a part of
 * B keys at the end of the prefix is on the path of the scan.  Where keys are
 * drawn that were not yet, a node that is drawn has B - 1 others among n - 1 to
 * have been drawn before.  Two nodes at the ends may have less than B keys in
 * the array: x (1 - x)^s is at most 1 / (e s).  Layers of one node are missed
 * once.
 */
static double recent(const struct vat_bounds_case *c, const struct draw *draw) {
  double sum = 0, rounds = vat_bounds_remembered(c, touched, draw),
         less = draw->once;
  double left = draw->once ? fmax(1, draw->left - 1) : draw->left + rounds;
  if (rounds >= draw->words) return 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double drawn = fmin(1, (vat_bounds_span(c, i) - less) / left);
    double ends = 2 * fmin(drawn, 1 / left + exp(-1) / fmax(1, rounds));
    if (vat_bounds_above(c, i, draw->words) > 1)
      sum += fmin(1, pow(1 - drawn, rounds) + ends + 1e-6);
  }
  return sum;
}

/* Besides, each node once.  A draw changes what it misses itself, and when its
 * old and its new path are missed next; two draws change where two keys of a
 * permutation do. */
static double upper(const struct vat_bounds_case *c, double words, bool once) {
  double n = (double)c->n, path = vat_bounds_several(c, words), part;
  double all = vat_bounds_all(c, words), sum = 0;
  if (all <= (double)c->nodes) return all;
  if (c->nodes < 2 * (c->tree.levels + 1)) /* each access a whole path */
    return (once ? 2 : 4) * n * (c->tree.levels + 1);
  for (double left = 1; left <= n; left = next_left(left, part)) {
    part = once ? n : part_of(left, n);
    const struct draw draw = {words, left + part - 1, once};
    sum += part * recent(c, &draw);
  }
  sum += vat_bounds_deviation(n, (once ? 6 : 3) * path);
  return all + fmin(sum, n * path);
}

double vat_bounds_random_scan_upper(const struct vat_bounds_case *c) {
  return c->n ? upper(c, 2 * (double)c->n, true) : 0;
}

double vat_bounds_permute_upper(const struct vat_bounds_case *c) {
  return c->n ? upper(c, (double)c->n, false) : 0;
}

/* Lemma 2.27: n log_K(n / (P W)). */
double vat_bounds_random_printed_lower(const struct vat_bounds_case *c) {
  double n = (double)c->n;
  double lg = log2(n / (vat_bounds_span(c, 0) * (double)c->nodes));
  return c->n && lg > 0 ? n * lg / c->tree.index_bits : 0;
}

/* Lemma 2.27: n / k (1 + log2(n / P)). */
double vat_bounds_random_printed_upper(const struct vat_bounds_case *c) {
  double n = (double)c->n;
  if (!c->n) return 0;
  return n / c->tree.index_bits * fmax(0, 1 + log2(n / vat_bounds_span(c, 0)));
}

/* The same of LRU and ISLRU; of MIN and ISMIN by theorem 2.14. */
double vat_bounds_random_scan_closed_lower(const struct vat_bounds_case *c) {
  return vat_bounds_online(c, vat_bounds_random_printed_lower, 0, 0);
}

/* The sum of log_K(left / (P W)) over prefixes of PW to n keys, which grows: it
 * is no less than the integral. */
static double prefixes_closed(const struct vat_bounds_case *c) {
  double n = (double)c->n;
  double held = vat_bounds_span(c, 0) * (double)c->nodes;
  if (n <= held) return 0;
  return (n * log2(n / held) - (n - held) / log(2)) / c->tree.index_bits;
}

double vat_bounds_permute_closed_lower(const struct vat_bounds_case *c) {
  return vat_bounds_online(c, prefixes_closed, 0, 0);
}

/* Accesses to random keys take turns with a scan.  2 d + 1 nodes hold the last
 * two paths, so that the scan misses each node once, and a random access all
 * but the root. */
static double closed_upper(const struct vat_bounds_case *c, double words) {
  if (c->nodes <= 2 * c->tree.levels) return INFINITY;
  return c->tree.levels * (double)c->n + vat_bounds_all(c, words);
}

double vat_bounds_random_scan_closed_upper(const struct vat_bounds_case *c) {
  return closed_upper(c, 2 * (double)c->n);
}

double vat_bounds_permute_closed_upper(const struct vat_bounds_case *c) {
  return closed_upper(c, (double)c->n);
}
