/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single steps of strategies (Jurkiewicz, PhD thesis): what those with initial
 * segments effectively evict (section 2.3.2), and what MIN does within a
 * translation (2.3.6), over all small streams.  MIN comes straight from its
 * definition, lower nodes first where none is needed again. */
#include "tests/vat/policy_fixture.h"
#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"

/* Nodes of a tree with K = 2 are numbered as in a heap, the root by 1: a node's
 * parent is n / 2.  A set of them is a word. */
enum { NODES = 32, ACCESSES = PAGES * VAT_LAYERS_MAX };

static bool has(uint64_t set, unsigned node) { return set >> node & 1; }
static uint64_t only(unsigned node) { return UINT64_C(1) << node; }

static bool is_above(unsigned high, unsigned low) {
  while (low > high) low /= 2;
  return low == high;
}

static bool is_segment(uint64_t set) {
  for (unsigned node = 2; node < NODES; node++)
    if (has(set, node) && !has(set, node / 2)) return false;
  return true;
}

static unsigned leaf_of(const struct trace *t, size_t at) {
  return (1u << t->tree.levels) + (unsigned)t->pages[at];
}

static unsigned first_of(uint64_t set) {
  return set ? (unsigned)__builtin_ctzll(set) : 0;
}

/* An access of MIN: what is accessed, what is in the TC before and after it. */
struct step {
  unsigned leaf, node, last; /* the path's leaf; accessed now, just before */
  uint64_t before, after;
  unsigned evicted; /* 0: nothing */
};

/* Is `node` still to be accessed in this translation, before the step's? */
static bool is_required(const struct step *s, unsigned node) {
  return is_above(node, s->leaf) && node >= s->node;
}

/* A check of one eviction; false: it fails. */
typedef bool check_step(const struct step *s);

static void each_step(const struct trace *t, unsigned nodes, check_step *check,
                      const char *what) {
  uint64_t after[ACCESSES], before = 0;
  unsigned layers = t->tree.levels + 1;
  reference_contents("min", &t->tree, t->pages, t->count, nodes, after);
  for (size_t i = 0; i < t->count * layers; i++) {
    unsigned leaf = leaf_of(t, i / layers);
    struct step s = {.leaf = leaf,
                     .node = leaf >> (layers - 1 - i % layers),
                     .before = before};
    s.last = i % layers ? s.node / 2 : 0;
    s.after = after[i] << 1; /* reference_bit() counts from 0 */
    s.evicted = first_of(s.before & ~s.after);
    before = s.after;
    bool fine = check(&s);
    CU_ASSERT(fine);
    if (!fine) report(t, what, nodes);
    if (!fine) return;
  }
}

/* All streams on K = 2 and d = 1, 2, 3, and random ones on d = 4, in a TC of d
 * + `from` nodes and more. */
static void all_steps(int from, check_step *check, const char *what) {
  static const size_t lengths[] = {0, 7, 5, 4};
  struct trace t;
  for (unsigned d = 1; d <= 3; d++) {
    size_t length = check_is_brief() && d == 3 ? 3 : lengths[d];
    for (uint64_t i = 0; i < UINT64_C(1) << d * length; i++) {
      t = (struct trace){.tree = {1, 0, d}, .count = length};
      for (size_t at = 0; at < length; at++)
        t.pages[at] = i >> d * at & ((1u << d) - 1);
      for (int more = from; more < 5; more++)
        if ((int)d + more > 0) each_step(&t, d + more, check, what);
    }
  }
  random_state = 219;
  for (unsigned stream = 0; stream < 200; stream++) {
    t = (struct trace){.tree = {1, 0, 4}, .count = 12};
    for (size_t at = 0; at < t.count; at++) t.pages[at] = below(16);
    for (int more = from; more < 12; more++)
      each_step(&t, 4 + more, check, what);
  }
}

/* Lemma 2.19, 1, of any W: a node stays while a node below it is there that is
 * not required. */
static bool keeps_what_is_above(const struct step *s) {
  for (unsigned low = 1; s->evicted && low < NODES; low++)
    if (has(s->before, low) && low != s->evicted && !is_required(s, low) &&
        is_above(s->evicted, low))
      return false;
  return true;
}

static void test_lemma_2_19_1(void) {
  all_steps(-2, keeps_what_is_above, "2.19, 1");
}

/* Lemma 2.19, 2 and 3, and Corollary 2.20: the root is loaded first, and stays,
 * and so does what is required. */
static bool keeps_root_and_required(const struct step *s) {
  return has(s->after, 1) && s->evicted != 1 &&
         (!s->evicted || !is_required(s, s->evicted));
}

static void test_lemma_2_19_2_and_3_and_corollary_2_20(void) {
  all_steps(1, keeps_root_and_required, "2.19, 2 and 3");
}

/* Lemma 2.21: evicted is the node just accessed, or one off the path without
 * anything below it. */
static bool evicts_lowest_or_last(const struct step *s) {
  if (!s->evicted || s->evicted == s->last) return true;
  for (unsigned low = s->evicted + 1; low < NODES; low++)
    if (has(s->before, low) && is_above(s->evicted, low)) return false;
  return !is_above(s->evicted, s->leaf);
}

static void test_lemma_2_21(void) {
  all_steps(1, evicts_lowest_or_last, "2.21");
}

/* Lemma 2.22 and Corollary 2.23, of any W: first what is missing is loaded for
 * others than the node just accessed, and all that was accessed is there; then
 * each node is loaded for the one just accessed, and as many nodes of the path
 * are there as before. */
static bool round_robin;

static unsigned count_on_path(uint64_t set, unsigned leaf) {
  unsigned count = 0;
  for (; leaf; leaf /= 2) count += has(set, leaf);
  return count;
}

static bool goes_on_round_robin(const struct step *s) {
  if (!s->last) round_robin = false;
  if (s->evicted && s->evicted == s->last) round_robin = true;
  if (!round_robin) {
    for (unsigned node = s->node; node; node /= 2)
      if (!has(s->after, node)) return false;
    return true;
  }
  return (!s->evicted || s->evicted == s->last) &&
         count_on_path(s->before, s->leaf) == count_on_path(s->after, s->leaf);
}

static void test_lemma_2_22_and_corollary_2_23(void) {
  all_steps(-2, goes_on_round_robin, "2.22");
}

/* An eager strategy with initial segments, at random: in a translation it makes
 * any evictions and insertions that leave a segment of at most `nodes` nodes,
 * but before a node is accessed it is there. */
struct eager {
  unsigned nodes, leaf;
  uint64_t set;
  unsigned evictions[NODES], insertions[NODES];
  bool tried; /* each of both has been made more than once */
};

static void evict(struct eager *e, unsigned node) {
  e->set &= ~only(node);
  e->tried |= e->evictions[node]++ > 0;
}

static void insert(struct eager *e, unsigned node) {
  e->set |= only(node);
  e->insertions[node]++;
}

static bool is_full(const struct eager *e) {
  return (unsigned)__builtin_popcountll(e->set) == e->nodes;
}

/* Is nothing of the set below it? */
static bool is_lowest(const struct eager *e, unsigned node) {
  return has(e->set, node) && !has(e->set, 2 * node) &&
         !has(e->set, 2 * node + 1);
}

static void move(struct eager *e, unsigned leaf_bit) {
  unsigned node = 1 + (unsigned)below(2 * leaf_bit - 1);
  if (is_lowest(e, node))
    evict(e, node);
  else if (!has(e->set, node) && !is_full(e) &&
           (node == 1 || has(e->set, node / 2)))
    insert(e, node);
}

/* Make room and insert what leads to `node`. */
static void require(struct eager *e, unsigned node) {
  if (has(e->set, node)) return;
  if (node > 1) require(e, node / 2);
  for (unsigned low = NODES / 2; is_full(e) && low-- > 1;)
    if (is_lowest(e, low) && !is_above(low, node)) evict(e, low);
  insert(e, node);
}

/* Propositions 2.5 and 2.6, after a translation. */
static bool is_as_proposed(const struct eager *e, uint64_t before) {
  uint64_t out = 0, in = 0;
  for (unsigned node = 1; node < NODES; node++) {
    if (e->evictions[node] > e->insertions[node]) out |= only(node);
    if (e->insertions[node] > e->evictions[node]) in |= only(node);
  }
  bool fine = ((before & ~out) | in) == e->set && !(out & in);
  for (unsigned node = e->leaf; node; node /= 2)
    fine &= !has(out, node) && (has(before, node) || has(in, node));
  for (unsigned high = 1; high < NODES; high++)
    for (unsigned low = high + 1; low < NODES; low++)
      if (is_above(high, low))
        fine &= !(has(in, high) && has(out, low)) &&
                !(has(in, low) && has(out, high));
  return fine;
}

static void test_propositions_2_5_and_2_6(void) {
  bool tried = false;
  random_state = 205;
  for (unsigned stream = 0; stream < 3000; stream++) {
    unsigned d = 1 + (unsigned)below(3);
    struct eager e = {.nodes = d + 1 + (unsigned)below(4)};
    for (unsigned at = 0; at < 6; at++) {
      uint64_t before = e.set;
      e = (struct eager){.nodes = e.nodes, .set = e.set};
      e.leaf = (1u << d) + (unsigned)below(UINT64_C(1) << d);
      for (unsigned layer = d + 1; layer-- > 0;) {
        for (uint64_t moves = below(6); moves > 0; moves--) move(&e, 1u << d);
        require(&e, e.leaf >> layer);
        CU_ASSERT(is_segment(e.set) && has(e.set, e.leaf >> layer));
      }
      CU_ASSERT(is_as_proposed(&e, before));
      tried |= e.tried;
    }
  }
  CU_ASSERT(tried);
}

static const struct check_test tests[] = {
    {"Propositions 2.5 and 2.6", test_propositions_2_5_and_2_6},
    {"Lemma 2.19, 1", test_lemma_2_19_1},
    {"Lemma 2.19, 2 and 3, and Corollary 2.20",
     test_lemma_2_19_2_and_3_and_corollary_2_20},
    {"Lemma 2.21", test_lemma_2_21},
    {"Lemma 2.22 and Corollary 2.23", test_lemma_2_22_and_corollary_2_23},
    {0}};

const struct check_suite suite_min_steps = {"steps of MIN", tests, NULL};
