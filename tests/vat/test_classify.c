/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat/classify.h against its definitions, by hand and by linear scans. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"
#include "vat/classify.h"

enum { LONGEST = 2000 };

struct stream {
  struct vat_tree tree;
  uint64_t nodes;
  const char *policy;
  struct vat_classify_params params;
  uint64_t pages[LONGEST];
  size_t count;
};

static struct vat_classify_counts classify(const struct stream *s) {
  struct vat_classify *c = vat_classify_create(vat_policy_find(s->policy),
                                               &s->tree, s->nodes, &s->params);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  uint64_t addresses[LONGEST];
  for (size_t i = 0; i < s->count; i++)
    addresses[i] =
        (s->pages[i] << s->tree.page_bits) + (s->tree.page_bits ? i % 2 : 0);
  size_t first = s->count ? below(s->count + 1) : 0;
  CU_ASSERT_EQUAL(vat_classify_addresses(c, addresses, first), 0);
  CU_ASSERT_EQUAL(
      vat_classify_addresses(c, addresses + first, s->count - first), 0);
  CU_ASSERT_EQUAL(vat_classify_finish(c), 0);
  struct vat_classify_counts counts = vat_classify_counts(c);
  vat_classify_destroy(c);
  return counts;
}

/* Misses of each access, from a TC that is told of one at a time. */
static void misses_each(const struct stream *s, uint64_t *misses) {
  struct vat_tc *tc =
      vat_tc_create(vat_policy_find(s->policy), &s->tree, s->nodes, NULL);
  uint64_t before = 0;
  for (size_t i = 0; i < s->count; i++) {
    CU_ASSERT_EQUAL(vat_tc_pages(tc, &s->pages[i], 1), 0);
    misses[i] = vat_tc_counts(tc).misses - before;
    before += misses[i];
  }
  vat_tc_destroy(tc);
}

/* Definition 2.35: nothing of the part since W misses. */
static bool is_far(const struct stream *s, const uint64_t *misses, size_t i,
                   unsigned shift) {
  uint64_t since = 0;
  for (size_t k = i; k-- > 0; since += misses[k])
    if (s->pages[k] >> shift == s->pages[i] >> shift) return since >= s->nodes;
  return true;
}

/* A sequence as the numbers of its accesses. */
struct lane {
  size_t members[LONGEST], count;
};

static uint64_t away(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

static uint64_t span(const struct stream *s, const struct lane *lane,
                     size_t count) {
  return away(s->pages[lane->members[0]], s->pages[lane->members[count - 1]]) +
         1;
}

/* May access i to another page be the next of the lane? */
static bool may_follow(const struct stream *s, const struct lane *lane,
                       size_t i) {
  uint64_t from = s->pages[lane->members[0]], to = s->pages[i];
  uint64_t at = s->pages[lane->members[lane->count - 1]];
  bool turns = (at > from && to < at) || (at < from && to > at);
  return away(at, to) <= s->params.step && !turns &&
         lane->count >=
             s->params.tau * (span(s, lane, lane->count) + away(at, to) - 1);
}

/* Which lane takes access i, by the nearest, then the latest; `lanes`: none. */
static size_t taker(const struct stream *s, const struct lane *lanes,
                    size_t count, size_t i) {
  size_t best = count;
  uint64_t best_away = UINT64_MAX, best_last = 0;
  for (size_t k = 0; k < count; k++) {
    size_t last = lanes[k].members[lanes[k].count - 1];
    uint64_t far = away(s->pages[last], s->pages[i]);
    if (i - last - 1 > s->params.gap) continue;
    if (far && !may_follow(s, &lanes[k], i)) continue;
    if (far > best_away || (far == best_away && last < best_last)) continue;
    best = k;
    best_away = far;
    best_last = last;
  }
  return best;
}

/* Definition 2.33: the longest beginning that is long and dense enough. */
static size_t cat_length(const struct stream *s, const struct lane *lane) {
  for (size_t n = lane->count; n; n--)
    if (n >= s->params.tau * s->tree.levels &&
        n >= s->params.tau * span(s, lane, n))
      return n;
  return 0;
}

static uint64_t find_cats(const struct stream *s, bool *consecutive) {
  struct lane *lanes = calloc(s->count + 1, sizeof *lanes);
  size_t count = 0;
  uint64_t cats = 0;
  for (size_t i = 0; i < s->count; i++) {
    size_t lane = taker(s, lanes, count, i);
    count += lane == count;
    lanes[lane].members[lanes[lane].count++] = i;
  }
  memset(consecutive, 0, s->count * sizeof *consecutive);
  for (size_t k = 0; k < count; k++) {
    size_t length = cat_length(s, &lanes[k]);
    cats += length > 0;
    for (size_t i = 0; i < length; i++) consecutive[lanes[k].members[i]] = true;
  }
  free(lanes);
  return cats;
}

static void judge(const struct stream *s, const uint64_t *misses,
                  const bool *far, const size_t *members, size_t count,
                  struct vat_classify_counts *counts) {
  size_t fars = 0;
  for (size_t i = 0; i < count; i++) fars += far[members[i]];
  bool random = (double)fars >= s->params.fraction * (double)count;
  struct vat_class_counts *class =
      &counts->classes[random ? VAT_RANDOM : VAT_OTHER];
  class->translations += count;
  for (size_t i = 0; i < count; i++) class->misses += misses[members[i]];
}

static struct vat_classify_counts reference(const struct stream *s) {
  struct vat_classify_counts counts = {0};
  uint64_t misses[LONGEST];
  bool consecutive[LONGEST], far[LONGEST];
  size_t rest[LONGEST], count = 0;
  unsigned bits = s->tree.index_bits * s->tree.levels;
  unsigned shift = (unsigned)ceil(s->params.theta * (bits + s->tree.page_bits));
  if (shift > bits) shift = bits;
  misses_each(s, misses);
  counts.sequences = find_cats(s, consecutive);
  for (size_t i = 0; i < s->count; i++) {
    far[i] = is_far(s, misses, i, shift);
    counts.far += far[i];
    if (!consecutive[i]) {
      rest[count++] = i;
      continue;
    }
    counts.classes[VAT_CONSECUTIVE].translations++;
    counts.classes[VAT_CONSECUTIVE].misses += misses[i];
  }
  for (size_t at = 0; at < count; at += s->params.window)
    judge(s, misses, far, rest + at,
          count - at < s->params.window ? count - at : s->params.window,
          &counts);
  return counts;
}

static bool same(const struct vat_classify_counts *a,
                 const struct vat_classify_counts *b) {
  return !memcmp(a, b, sizeof *a);
}

static void report_stream(const struct stream *s, const char *what) {
  printf(
      "\n%s: %s, k %u, d %u, W %llu, tau %llu, gap %llu, step %llu, theta "
      "%g, window %llu, fraction %g:",
      what, s->policy, s->tree.index_bits, s->tree.levels,
      (unsigned long long)s->nodes, (unsigned long long)s->params.tau,
      (unsigned long long)s->params.gap, (unsigned long long)s->params.step,
      s->params.theta, (unsigned long long)s->params.window,
      s->params.fraction);
  for (size_t i = 0; i < s->count; i++)
    printf(" %llu", (unsigned long long)s->pages[i]);
  putchar('\n');
}

/* Some walks at once, forwards or backwards, each some accesses a page; and
 * pages at random between them. */
static void fill(struct stream *s) {
  uint64_t pages = UINT64_C(1) << s->tree.index_bits * s->tree.levels;
  uint64_t walks = 1 + below(3), at[3], stay = 1 + below(6), noise = below(6);
  bool up[3];
  for (uint64_t w = 0; w < walks; w++) {
    at[w] = below(pages);
    up[w] = below(2);
  }
  for (size_t i = 0; i < s->count; i++) {
    uint64_t w = below(walks);
    s->pages[i] = below(8) < noise ? below(pages) : at[w];
    if (!below(stay))
      at[w] = (at[w] + (up[w] ? 1 + !below(4) : pages - 1)) % pages;
    if (!below(40)) at[w] = below(pages);
  }
}

static void random_stream(struct stream *s, size_t most) {
  static const double thetas[] = {0, 0, 0.2, 0.5, 1};
  s->tree.index_bits = 1 + (unsigned)below(2);
  s->tree.levels = 1 + (unsigned)below(4);
  s->tree.page_bits = (unsigned)below(3);
  s->nodes = 1 + below(below(2) ? 12 : 60);
  s->policy = below(2) ? "lru" : "islru";
  s->params.tau = 1 + below(5);
  s->params.gap = below(8);
  s->params.step = 1 + below(3);
  s->params.theta = thetas[below(5)];
  s->params.window = 1 + below(20);
  s->params.fraction = (double)below(5) / 4;
  s->count = below(most);
  if (most == LONGEST) { /* many accesses wait to be settled */
    s->params.tau = 1 + below(600);
    s->params.gap = below(1000);
  }
  fill(s);
}

static void test_classes_are_those_of_the_definitions(void) {
  static struct stream s;
  uint64_t consecutive = 0, random = 0, other = 0;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    random_state = seed;
    random_stream(&s, seed % 100 ? 120 : LONGEST);
    struct vat_classify_counts expected = reference(&s);
    struct vat_classify_counts counts = classify(&s);
    consecutive += counts.classes[VAT_CONSECUTIVE].translations;
    random += counts.classes[VAT_RANDOM].translations;
    other += counts.classes[VAT_OTHER].translations;
    if (same(&expected, &counts)) continue;
    report_stream(&s, "classes differ");
    printf("seed %llu\n", (unsigned long long)seed);
    CU_FAIL_FATAL("classes");
  }
  /* The streams have some of each. */
  CU_ASSERT(consecutive > 10000 && random > 10000 && other > 10000);
}

/* Under a gap that fits W: a CAT's path is kept, so that its misses are those
 * of a counter that counts to its last page, and of a first path. */
static void test_lemma_2_34(void) {
  static struct stream s;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    random_state = seed;
    random_stream(&s, 400);
    s.nodes += s.tree.levels + 1;
    s.params.gap = VAT_CLASSIFY_GAP_FITTING;
    struct vat_classify_counts counts = classify(&s);
    const struct vat_class_counts *cats = &counts.classes[VAT_CONSECUTIVE];
    uint64_t steps = cats->translations / s.params.tau;
    uint64_t fanout = UINT64_C(1) << s.tree.index_bits;
    if (cats->misses <= counts.sequences * (2 * s.tree.levels + 1) +
                            steps * fanout / (fanout - 1))
      continue;
    report_stream(&s, "consecutive, but misses");
    CU_FAIL_FATAL("Lemma 2.34");
  }
}

/* Whatever is far misses all nodes that only its part has. */
static void test_lemma_2_36(void) {
  static struct stream s;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    random_state = seed;
    random_stream(&s, 400);
    s.nodes += s.tree.levels;
    unsigned layer = (unsigned)below(s.tree.levels + 1);
    unsigned bits = s.tree.index_bits * s.tree.levels + s.tree.page_bits;
    s.params.theta = (double)(layer * s.tree.index_bits) / bits;
    struct vat_classify_counts counts = classify(&s);
    uint64_t misses = 0;
    for (int i = 0; i < VAT_CLASSES; i++) misses += counts.classes[i].misses;
    const struct vat_class_counts *random = &counts.classes[VAT_RANDOM];
    if (misses >= counts.far * (layer + 1) &&
        (double)random->misses >=
            s.params.fraction * (double)random->translations * (layer + 1))
      continue;
    report_stream(&s, "far, but hits");
    CU_FAIL_FATAL("Lemma 2.36");
  }
}

static void test_classes_add_up_to_the_tc(void) {
  static struct stream s;
  for (uint64_t seed = 0; seed < 1000; seed++) {
    random_state = seed;
    random_stream(&s, 400);
    struct vat_classify_counts counts = classify(&s);
    uint64_t misses[LONGEST], all = 0, sum = 0, translations = 0;
    misses_each(&s, misses);
    for (size_t i = 0; i < s.count; i++) all += misses[i];
    for (int i = 0; i < VAT_CLASSES; i++) {
      sum += counts.classes[i].misses;
      translations += counts.classes[i].translations;
    }
    CU_ASSERT_EQUAL(sum, all);
    CU_ASSERT_EQUAL(translations, s.count);
  }
}

/* Trees of 16 pages, K = 2, d = 4: with tau = 2, eight accesses are enough. */
static void test_by_hand(void) {
  static const struct {
    const char *pages; /* a digit each, hexadecimal */
    uint64_t gap, step, consecutive, sequences;
  } cases[] = {
      {"00112233", 0, 1, 8, 1},         /* two a page, eight in all */
      {"33221100", 0, 1, 8, 1},         /* backwards */
      {"0011223", 0, 1, 0, 0},          /* too short */
      {"01234567", 0, 1, 0, 0},         /* one a page */
      {"00000000", 0, 1, 8, 1},         /* a page need not be left */
      {"000000002", 0, 1, 8, 1},        /* a step of two pages */
      {"0000000022", 0, 2, 10, 1},      /* which are allowed here, and paid */
      {"000000004", 0, 4, 8, 1},        /* 5 pages would take 10 accesses */
      {"0000000044", 0, 4, 10, 1},      /* which come */
      {"0001122332", 0, 1, 9, 1},       /* no way back */
      {"0112233445", 0, 1, 8, 1},       /* page 0 does not pay for itself */
      {"00f112233", 0, 1, 0, 0},        /* what comes between ends it */
      {"00f112233", 1, 1, 8, 1},        /* unless there may be others */
      {"0f0f1e1e2d2d3c3c", 1, 1, 16, 2} /* two at once */
      ,
      {"001122334", 0, 1, 8, 1}, /* a tenth access would pay for page 4 */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct stream s = {.tree = {1, 0, 4}, .nodes = 31, .policy = "lru"};
    s.params = vat_classify_defaults;
    s.params.tau = 2;
    s.params.gap = cases[i].gap;
    s.params.step = cases[i].step;
    for (const char *p = cases[i].pages; *p; p++)
      s.pages[s.count++] = (uint64_t)(*p < 'a' ? *p - '0' : *p - 'a' + 10);
    struct vat_classify_counts counts = classify(&s);
    uint64_t got = counts.classes[VAT_CONSECUTIVE].translations;
    if (got != cases[i].consecutive)
      printf("\n%s: %llu\n", cases[i].pages, (unsigned long long)got);
    CU_ASSERT_EQUAL(got, cases[i].consecutive);
    CU_ASSERT_EQUAL(counts.sequences, cases[i].sequences);
  }
}

/* K = 2, d = 2, W = 3 under lru: 0 2 1 3 0 2 miss 3, 2, 2, 2, 2, 2 nodes.  In
 * pages each is far; in halves, theta = 1/2, only the first of each is: since
 * 0 there were the misses of 2. */
static void test_far_by_hand(void) {
  struct stream s = {
      .tree = {1, 0, 2},
      .nodes = 3,
      .policy = "lru",
      .params = {.tau = 9, .step = 1, .window = 6, .fraction = 1},
      .pages = {0, 2, 1, 3, 0, 2},
      .count = 6};
  struct vat_classify_counts counts = classify(&s);
  CU_ASSERT_EQUAL(counts.far, 6);
  CU_ASSERT_EQUAL(counts.classes[VAT_RANDOM].translations, 6);
  CU_ASSERT_EQUAL(counts.classes[VAT_RANDOM].misses, 13);
  s.params.theta = 0.5;
  counts = classify(&s);
  CU_ASSERT_EQUAL(counts.far, 2);
  CU_ASSERT_EQUAL(counts.classes[VAT_OTHER].misses, 13);
  s.params.window = 2;
  counts = classify(&s);
  CU_ASSERT_EQUAL(counts.classes[VAT_RANDOM].translations, 2);
  CU_ASSERT_EQUAL(counts.classes[VAT_RANDOM].misses, 5);
  CU_ASSERT_EQUAL(counts.classes[VAT_OTHER].misses, 8);
}

static const struct check_test tests[] = {
    {"stretches by hand", test_by_hand},
    {"far parts by hand", test_far_by_hand},
    {"classes are those of the definitions",
     test_classes_are_those_of_the_definitions},
    {"classes add up to the TC", test_classes_add_up_to_the_tc},
    {"what is consecutive misses little (Lemma 2.34)", test_lemma_2_34},
    {"what is far misses (Lemma 2.36)", test_lemma_2_36},
    {0}};
const struct check_suite suite_classify = {"classify", tests, NULL};
