/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many more nodes make up for an initial segment: d - 1, one less than
 * Lemma 2.15 and Theorem 2.16 say (Jurkiewicz, PhD thesis, section 2.3.5), and
 * no fewer.  The proofs are in doc/proofs.md; here they are followed step by
 * step, and what they rest on is tried against all there is. */
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"

enum { NODES_MAX = 64 };

/* A check of one stream at one W; false: it fails. */
typedef bool check_stream(const struct trace *t, unsigned nodes);

static bool every_w(const struct trace *t, check_stream *check,
                    const char *what) {
  unsigned d = t->tree.levels;
  for (unsigned nodes = d + 1; nodes < d + 8; nodes++) {
    bool fine = check(t, nodes);
    CU_ASSERT(fine);
    if (!fine) report(t, what, nodes);
    if (!fine) return false;
  }
  return true;
}

/* All streams of `length` pages on K = 2 and height d. */
static void all_streams(unsigned d, size_t length, check_stream *check,
                        const char *what) {
  for (uint64_t i = 0; i < UINT64_C(1) << d * length; i++) {
    struct trace t = {.tree = {1, 0, d}, .count = length};
    for (size_t at = 0; at < length; at++)
      t.pages[at] = i >> d * at & ((1u << d) - 1);
    if (!every_w(&t, check, what)) return;
  }
}

/* The same of random ones, of a height of at most 5. */
static void random_streams(unsigned seed, unsigned streams, check_stream *check,
                           const char *what) {
  struct trace t;
  random_state = seed;
  while (streams-- > 0) {
    random_trace(&t);
    t.tree = (struct vat_tree){1, 0, 1 + (unsigned)below(5)};
    for (size_t i = 0; i < t.count; i++)
      t.pages[i] &= (1u << t.tree.levels) - 1;
    if (!every_w(&t, check, what)) return;
  }
}

static bool is_enough(const struct trace *t, unsigned nodes) {
  unsigned more = nodes + t->tree.levels - 1;
  return misses_of(t, "lru", more) <= misses_of(t, "islru", nodes) &&
         misses_of(t, "ismin", more) <= misses_of(t, "min", nodes);
}

static void test_w_plus_d_minus_1_is_enough(void) {
  all_streams(1, 7, is_enough, "not enough");
  all_streams(2, 5, is_enough, "not enough");
  all_streams(3, check_is_brief() ? 3 : 4, is_enough, "not enough");
  random_streams(31, 200, is_enough, "not enough");
}

/* Pages x, 0, y: x and y have the root and the node below it in common, 0 and
 * they the root alone.  Pages 0, x, 0 in the least TC that ISMIN can have. */
static void test_and_one_less_is_not(void) {
  for (unsigned k = 1; k <= 3; k++) {
    for (unsigned d = 1; d <= 6; d++) {
      uint64_t x = UINT64_C(1) << k * (d - 1), y = d > 1 ? x + (x >> k) : x;
      struct trace lemma = trace_of(k, d, 3, (uint64_t[]){x, 0, y});
      CU_ASSERT_EQUAL(misses_of(&lemma, "islru", d + 2), 3 * d);
      CU_ASSERT_EQUAL(misses_of(&lemma, "lru", d + 2 + d - 2), 3 * d + 1);
      unsigned nodes = d > 1 ? d + 1 : 3;
      struct trace theorem = trace_of(k, d, 3, (uint64_t[]){0, x, 0});
      CU_ASSERT(misses_of(&theorem, "ismin", nodes + d - 2) >
                misses_of(&theorem, "min", nodes));
    }
  }
}

/* Nodes of a tree with K = 2 are numbered as in a heap, the root by 1: a node's
 * parent is n / 2.  A set of them is a word. */
static bool has(uint64_t set, unsigned node) { return set >> node & 1; }
static uint64_t only(unsigned node) { return UINT64_C(1) << node; }
static unsigned size_of(uint64_t set) {
  return (unsigned)__builtin_popcountll(set);
}

static unsigned node_at(const struct trace *t, size_t translation,
                        unsigned layer) {
  uint64_t leaf = (UINT64_C(1) << t->tree.levels) + t->pages[translation];
  return (unsigned)(leaf >> layer);
}

static bool is_segment(uint64_t set) {
  for (unsigned node = 2; node < NODES_MAX; node++)
    if (has(set, node) && !has(set, node / 2)) return false;
  return true;
}

static bool is_above(unsigned high, unsigned low) {
  while (low > high) low /= 2;
  return low == high;
}

/* One below `node`, or it, without children in the set. */
static unsigned lowest(uint64_t set, unsigned node) {
  for (; 2 * node < NODES_MAX; node = 2 * node + !has(set, 2 * node))
    if (!has(set, 2 * node) && !has(set, 2 * node + 1)) break;
  return node;
}

/* The proof of Theorem 2.16 in doc/proofs.md, with its names. */
struct proof {
  const struct trace *t;
  unsigned nodes;                              /* W */
  uint64_t m;                                  /* MIN's nodes */
  uint64_t r, q;                               /* the strategy's: R and Q */
  unsigned phi[NODES_MAX], witness[NODES_MAX]; /* M to R, and back; 0: none */
  unsigned min_loads, loads;
  unsigned a, l; /* of the last eviction in a regular phase: a and L */
  bool fine;
};

/* When MIN, having come to the layer of translation `at`, accesses it next. */
static size_t next_use(const struct trace *t, size_t at, unsigned layer,
                       unsigned node) {
  unsigned d = t->tree.levels, on = 0;
  while (!(node >> (d - on))) on++;
  for (size_t i = at + (on >= layer); i < t->count; i++)
    if (node_at(t, i, on) == node) return i * (d + 1) + d - on;
  return SIZE_MAX - on; /* never: the lower first */
}

static unsigned victim(const struct proof *p, size_t at, unsigned layer) {
  unsigned best = 0;
  for (unsigned node = 1; node < NODES_MAX; node++)
    if (has(p->m, node) && (!best || next_use(p->t, at, layer, node) >
                                         next_use(p->t, at, layer, best)))
      best = node;
  return best;
}

/* `last`: the node of the path accessed last, 0: none. */
static void follow_eviction(struct proof *p, unsigned a, unsigned last) {
  unsigned image = p->phi[a], leaf = lowest(p->r, image);
  unsigned b = p->witness[leaf];
  p->a = a;
  p->l = leaf;
  p->fine &= !last || !is_above(leaf, last);
  p->m &= ~only(a);
  p->phi[b] = image;
  p->witness[image] = b;
  p->phi[a] = p->witness[leaf] = 0;
  p->r &= ~only(leaf);
  if (lowest(p->r | p->q, leaf) == leaf) return;
  p->q |= only(leaf);
  if (size_of(p->q) == p->t->tree.levels)
    p->q &= ~only(lowest(p->r | p->q, leaf));
}

static void follow_load(struct proof *p, unsigned e) {
  unsigned g = e;
  p->m |= only(e);
  while (has(p->r, g)) {
    unsigned next = p->witness[g];
    p->phi[g] = p->witness[g] = g;
    g = next;
  }
  unsigned f = g;
  while (f > 1 && !has(p->r, f / 2)) f /= 2;
  p->phi[g] = f;
  p->witness[f] = g;
  p->loads += !has(p->q, f);
  p->q &= ~only(f);
  p->r |= only(f);
}

static void follow_round_robin(struct proof *p, unsigned a, unsigned g) {
  p->m = (p->m & ~only(a)) | only(g);
  p->phi[g] = p->phi[a];
  p->witness[p->phi[g]] = g;
  p->phi[a] = 0;
}

/* Returns whether MIN is in its round robin phase. */
static bool follow_miss(struct proof *p, size_t at, unsigned layer,
                        bool round_robin) {
  unsigned node = node_at(p->t, at, layer);
  p->min_loads++;
  if (size_of(p->m) < p->nodes) {
    follow_load(p, node);
    return false;
  }
  unsigned a = victim(p, at, layer);
  if (a == node / 2) {
    follow_round_robin(p, a, node);
    return true;
  }
  p->fine &= !round_robin && !is_above(a, node_at(p->t, at, 0));
  follow_eviction(p, a, node / 2);
  follow_load(p, node);
  return false;
}

/* In the round robin phase: what is neither in R nor in Q is put there. */
static void fetch(struct proof *p, size_t at, unsigned node) {
  unsigned leaf = node_at(p->t, at, 0), out = 1;
  if (size_of(p->q) == p->t->tree.levels - 1) {
    while (out < NODES_MAX && (!has(p->q, out) || is_above(out, leaf))) out++;
    p->fine &= out < NODES_MAX;
    if (!p->fine) return;
    p->q &= ~only(lowest(p->r | p->q, out));
  }
  p->q |= only(node);
  p->loads++;
}

/* Are `node` and all above it in the set? */
static bool has_path(uint64_t set, unsigned node) {
  while (node && has(set, node)) node /= 2;
  return !node;
}

static unsigned count_on_path(uint64_t set, unsigned node) {
  unsigned count = 0;
  for (; node; node /= 2) count += has(set, node);
  return count;
}

static bool holds(const struct proof *p) {
  bool fine = p->fine && is_segment(p->r) && is_segment(p->r | p->q);
  fine &= !(p->r & p->q) && size_of(p->r) == size_of(p->m);
  fine &= size_of(p->r) <= p->nodes && size_of(p->q) < p->t->tree.levels;
  for (unsigned a = 1; fine && a < NODES_MAX; a++) {
    fine &= has(p->m, a) == (p->phi[a] != 0);
    if (!has(p->m, a)) continue;
    fine &= is_above(p->phi[a], a) && has(p->r, p->phi[a]);
    fine &= !has_path(p->m, a) || p->phi[a] == a;
    fine &= count_on_path(p->m, a) <= count_on_path(p->r, a); /* 2.24 */
    fine &= p->witness[p->phi[a]] == a;
  }
  return fine;
}

static bool follow(struct proof *p, size_t at) {
  bool round_robin = false;
  for (unsigned layer = p->t->tree.levels + 1; layer-- > 0;) {
    unsigned node = node_at(p->t, at, layer);
    if (!has(p->m, node)) round_robin = follow_miss(p, at, layer, round_robin);
    if (round_robin && !has(p->r | p->q, node)) fetch(p, at, node);
    if (!holds(p) || !has(p->r | p->q, node)) return false;
  }
  return has_path(p->r | p->q, node_at(p->t, at, 0)) &&
         p->loads <= p->min_loads;
}

static bool is_proved(const struct trace *t, unsigned nodes) {
  struct proof p = {.t = t, .nodes = nodes, .fine = true};
  for (size_t at = 0; at < t->count; at++)
    if (!follow(&p, at)) return false;
  return p.min_loads == misses_of(t, "min", nodes) &&
         misses_of(t, "ismin", nodes + t->tree.levels - 1) <= p.loads;
}

static void test_theorem_2_16_by_its_proof(void) {
  all_streams(1, 7, is_proved, "no proof");
  all_streams(2, 5, is_proved, "no proof");
  all_streams(3, check_is_brief() ? 3 : 4, is_proved, "no proof");
  random_streams(32, 300, is_proved, "no proof");
}

/* L is no node of the path that was accessed, but it may be one that is still
 * to come.  K = 2, d = 2, W = 4, pages 0, 2, 0, 3: page 3 has the path 1, 3, 7.
 * MIN evicts 6 for 3; L = phi(6) = 3 has 6 below it in Q, so it moves to Q, 6
 * is dropped, and when MIN loads 3 it moves back.  Only 7, to which MIN goes on
 * from 3, is loaded. */
static void test_what_the_strategy_evicts_may_be_on_the_path(void) {
  struct trace t = trace_of(1, 2, 6, (uint64_t[]){0, 2, 0, 3, 0, 2});
  struct proof p = {.t = &t, .nodes = 4, .fine = true};
  for (size_t at = 0; at < 3; at++) CU_ASSERT(follow(&p, at));
  CU_ASSERT(has(p.r, 3) && has(p.q, 6) && !has(p.m, 3));
  unsigned loads = p.loads, min_loads = p.min_loads;
  CU_ASSERT(follow(&p, 3));
  CU_ASSERT_EQUAL(p.a, 6);
  CU_ASSERT_EQUAL(p.l, 3);
  CU_ASSERT(is_above(p.l, node_at(&t, 3, 0)));
  CU_ASSERT(has(p.r, 3) && p.phi[7] == 3);
  CU_ASSERT_EQUAL(p.loads - loads, 1);
  CU_ASSERT_EQUAL(p.min_loads - min_loads, 2);
}

/* The least that any strategy loads that loads what is missing and evicts only
 * when it must: all of them, by what they hold.  With `segments`, of those that
 * always hold an initial segment. */
static unsigned least_loads(const struct trace *t, unsigned nodes,
                            bool segments) {
  enum { SETS = 1 << 16, FAR = 255 };
  static unsigned char least[2][SETS];
  unsigned layers = t->tree.levels + 1, now = 0, sets = 1u << (1u << layers);
  memset(least[now], FAR, sets);
  least[now][0] = 0;
  for (size_t i = 0; i < t->count * layers; i++, now = !now) {
    unsigned node = node_at(t, i / layers, layers - 1 - i % layers);
    memset(least[!now], FAR, sets);
    for (unsigned set = 0; set < sets; set++) {
      unsigned char loads = least[now][set];
      if (loads == FAR) continue;
      bool there = has(set, node), full = size_of(set) == nodes;
      for (unsigned out = 0; out < (1u << layers); out++) {
        /* Node 0 is none: nothing is evicted. */
        if (out ? there || !full || !has(set, out) : !there && full) continue;
        unsigned next = (set & ~(unsigned)only(out)) | (unsigned)only(node);
        if (segments && !is_segment(next)) continue;
        if (least[!now][next] > loads + !there)
          least[!now][next] = (unsigned char)(loads + !there);
      }
    }
  }
  unsigned char best = FAR;
  for (unsigned set = 0; set < sets; set++)
    if (least[now][set] < best) best = least[now][set];
  return best;
}

static bool is_best(const struct trace *t, unsigned nodes) {
  return misses_of(t, "min", nodes) == least_loads(t, nodes, false) &&
         misses_of(t, "ismin", nodes) == least_loads(t, nodes, true);
}

/* Proposition 2.3: a path has d + 1 nodes, and when its leaf is accessed all of
 * them are there. */
static void test_segments_need_more_than_d_nodes(void) {
  for (unsigned d = 1; d <= 3; d++)
    for (uint64_t page = 0; page < 1u << d; page++) {
      struct trace t = trace_of(1, d, 1, &page);
      CU_ASSERT(least_loads(&t, d, true) > d + 1);
      CU_ASSERT_EQUAL(least_loads(&t, d + 1, true), d + 1);
      CU_ASSERT_EQUAL(least_loads(&t, d, false), d + 1);
    }
}

/* Theorem 2.13, and Belady's. */
static void test_min_and_ismin_are_best_in_their_classes(void) {
  all_streams(1, 6, is_best, "not the least");
  all_streams(2, 4, is_best, "not the least");
  struct trace t = {.tree = {1, 0, 3}, .count = 6};
  random_state = 33;
  for (unsigned stream = 0; stream < (check_is_brief() ? 2 : 12); stream++) {
    for (size_t i = 0; i < t.count; i++) t.pages[i] = below(8);
    for (unsigned nodes = 4; nodes < 8; nodes++) CU_ASSERT(is_best(&t, nodes));
  }
}

static const struct check_test tests[] = {
    {"W + d - 1 is enough", test_w_plus_d_minus_1_is_enough},
    {"and one less is not", test_and_one_less_is_not},
    {"Theorem 2.16 by its proof", test_theorem_2_16_by_its_proof},
    {"what the strategy evicts may be on the path",
     test_what_the_strategy_evicts_may_be_on_the_path},
    {"segments need more than d nodes", test_segments_need_more_than_d_nodes},
    {"MIN and ISMIN are the best in their classes",
     test_min_and_ismin_are_best_in_their_classes},
    {0}};

const struct check_suite suite_extra_nodes = {.name = "extra nodes",
                                              .tests = tests};
