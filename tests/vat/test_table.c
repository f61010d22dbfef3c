/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/reference.h"
#include "tests/vat/suites_vat.h"
#include "vat/table.h"

enum { PLACES = 1 << 11, LINES = 1 << 13 };

/* A table straight from the definition in vat/table.h, and the lines that it
 * accesses, each a number of its own. */
struct naive {
  unsigned block, line; /* pages an entry, entries a line */
  double load;
  unsigned places, used;
  uint64_t place[PLACES]; /* 1 + block */
  uint64_t generation;
  uint64_t probes;
  uint64_t lines[LINES];
  size_t count;
};

static uint64_t home_of(uint64_t block, unsigned places) {
  uint64_t h = block;
  unsigned lg = 0;
  while (1u << lg < places) lg++;
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdu;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53u;
  h ^= h >> 33;
  return h >> (64 - lg);
}

static void naive_put(struct naive *n, uint64_t block) {
  uint64_t at = home_of(block, n->places);
  while (n->place[at]) at = (at + 1) % n->places;
  n->place[at] = block + 1;
}

static bool naive_has(const struct naive *n, uint64_t block) {
  for (unsigned i = 0; i < n->places; i++)
    if (n->place[i] == block + 1) return true;
  return false;
}

static void naive_grow(struct naive *n) {
  uint64_t old[PLACES];
  unsigned places = n->places;
  memcpy(old, n->place, sizeof old);
  memset(n->place, 0, sizeof n->place);
  n->places *= 2;
  n->generation++;
  for (unsigned i = 0; i < places; i++)
    if (old[i]) naive_put(n, old[i] - 1);
}

static void naive_translate(struct naive *n, uint64_t page) {
  uint64_t block = page / n->block, last = UINT64_MAX;
  if (!naive_has(n, block)) {
    while (n->used + 1 > n->load * n->places) naive_grow(n);
    naive_put(n, block);
    n->used++;
  }
  for (uint64_t at = home_of(block, n->places);; at = (at + 1) % n->places) {
    uint64_t line = n->generation * PLACES + at / n->line;
    n->probes++;
    if (line != last) n->lines[n->count++] = line;
    last = line;
    if (n->place[at] == block + 1) break;
  }
}

static const unsigned shapes[][2] = {{1, 8}, {8, 1}, {16, 1}};

static struct vat_table_counts counts_of_table(
    const struct vat_table_options *o, const uint64_t *pages, size_t count) {
  struct vat_table *table = vat_table_create(o);
  CU_ASSERT_PTR_NOT_NULL_FATAL(table);
  for (size_t i = 0, n; i < count; i += n) {
    n = 1 + below(9) < count - i ? 1 : count - i;
    CU_ASSERT_EQUAL_FATAL(vat_table_addresses(table, &pages[i], n), 0);
  }
  CU_ASSERT_EQUAL(vat_table_finish(table), 0);
  struct vat_table_counts counts = vat_table_counts(table);
  vat_table_destroy(table);
  return counts;
}

static bool agrees(const struct vat_table_options *o, const uint64_t *pages,
                   size_t count) {
  static const struct vat_tree of_lines = {60, 0, 0};
  static struct naive n;
  uint64_t misses[VAT_LAYERS_MAX] = {0};
  memset(&n, 0, sizeof n);
  n.block = shapes[o->kind][0];
  n.line = shapes[o->kind][1];
  n.load = o->load;
  n.places = VAT_TABLE_PLACES;
  for (size_t i = 0; i < count; i++) naive_translate(&n, pages[i]);
  reference_of(o->policy->name)(&of_lines, n.lines, n.count, (unsigned)o->nodes,
                                misses);
  struct vat_table_counts c = counts_of_table(o, pages, count);
  return c.translations == count && c.probes == n.probes &&
         c.lines == n.count && c.entries == n.used && c.places == n.places &&
         c.growths == n.generation && c.misses == misses[0];
}

static void test_every_policy_agrees_with_the_definition(void) {
  uint64_t pages[200];
  random_state = 51;
  for (unsigned i = 0; i < 150; i++) {
    uint64_t span = 1 + below(400), base = below(2) ? 0 : UINT64_C(1) << 59;
    bool walk = below(2);
    size_t count = 1 + below(200);
    for (size_t at = 0; at < count; at++)
      pages[at] = at && walk ? pages[at - 1] + below(3) : base + below(span);
    for (size_t p = 0; vat_policies[p]; p++) {
      struct vat_table_options o = {.policy = vat_policies[p],
                                    .kind = (enum vat_table_kind)below(3),
                                    .nodes = 1 + below(40),
                                    .load = 0.1 + 0.8 * (double)below(10) / 9};
      if (o.policy->cells) continue;
      bool equal = agrees(&o, pages, count);
      CU_ASSERT(equal);
      if (!equal) printf("%s %u W=%u\n", o.policy->name, i, (unsigned)o.nodes);
    }
  }
}

/* 16 places are two lines: pages at home in place 7 lie at 7, 8 and 9, and four
 * at home in 14 go round, to 14, 15, 0 and 1. */
static void test_a_case_by_hand(void) {
  uint64_t sevens[3], fourteens[4], page = 0;
  for (unsigned found = 0; found < 3; page++)
    if (home_of(page, 16) == 7) sevens[found++] = page;
  for (unsigned found = 0; found < 4; page++)
    if (home_of(page, 16) == 14) fourteens[found++] = page;
  /* 8 places hold 3 entries, 16 hold all 7. */
  struct vat_table_options o = {.policy = vat_policy_find("lru"),
                                .kind = VAT_TABLE_HASHED,
                                .nodes = 2,
                                .load = 0.45};
  uint64_t pages[10];
  memcpy(pages, fourteens, sizeof fourteens);
  memcpy(pages + 4, sevens, sizeof sevens);
  memcpy(pages + 7, sevens, sizeof sevens);
  struct vat_table_counts c = counts_of_table(&o, pages, 10);
  /* In 8 places home is 7: places 7, 0, 1.  The fourth makes the table grow:
   * in the order of their places, 0, 1 and 7, the second goes to 14, the third
   * to 15, the first to 0, the fourth to 1. */
  CU_ASSERT_EQUAL(c.growths, 1);
  CU_ASSERT_EQUAL(c.places, 16);
  CU_ASSERT_EQUAL(c.entries, 7);
  CU_ASSERT_EQUAL(c.probes, 1 + 2 + 3 + 4 + 2 * (1 + 2 + 3));
  CU_ASSERT_EQUAL(c.lines, 3 * 1 + 2 + 2 * (1 + 2 + 2));
  /* The line of the small table, then both of the large one. */
  CU_ASSERT_EQUAL(c.misses, 3);
  o.nodes = 1;
  /* The small one; 1 0; then 0, 0 1, 0 1, which begins by a hit, and again. */
  CU_ASSERT_EQUAL(counts_of_table(&o, pages, 10).misses, 1 + 2 + 3 + 4);
}

/* Knuth, The Art of Computer Programming 3, section 6.4: a successful search
 * in a table of load a looks at (1 + 1 / (1 - a)) / 2 places. */
static void test_look_ups_look_at_few_places(void) {
  enum { COUNT = 50000 };
  for (unsigned tenth = 2; tenth <= 9; tenth++) {
    struct vat_table_options o = {.policy = vat_policy_find("lru"),
                                  .kind = VAT_TABLE_HASHED,
                                  .nodes = 64,
                                  .load = tenth / 10.0};
    struct vat_table *table = vat_table_create(&o);
    uint64_t entered = 0;
    for (unsigned twice = 0; twice < 2; twice++) {
      random_state = 52;
      entered = vat_table_counts(table).probes;
      for (unsigned i = 0; i < COUNT; i++) {
        uint64_t page = (below(1 << 30) << 20 | i) & ((UINT64_C(1) << 60) - 1);
        CU_ASSERT_EQUAL_FATAL(vat_table_addresses(table, &page, 1), 0);
      }
    }
    struct vat_table_counts c = vat_table_counts(table);
    double load = (double)c.entries / (double)c.places;
    double expected = (1 + 1 / (1 - load)) / 2;
    double probes = (double)(c.probes - entered) / COUNT;
    CU_ASSERT_EQUAL(c.entries, COUNT);
    CU_ASSERT(load <= o.load && 2 * load > o.load);
    CU_ASSERT_EQUAL(c.places >> c.growths, VAT_TABLE_PLACES);
    CU_ASSERT_DOUBLE_EQUAL(probes, expected, 0.02 * expected);
    vat_table_destroy(table);
  }
}

/* A scan of 8 n pages has n blocks, each of which is looked up 8 times in the
 * same lines. */
static void test_neighbours_share_a_line_of_a_clustered_table(void) {
  static uint64_t pages[1 << 12];
  for (size_t i = 0; i < 1 << 12; i++) pages[i] = i;
  struct vat_table_options o = {.policy = vat_policy_find("lru"),
                                .kind = VAT_TABLE_CLUSTERED_8,
                                .nodes = 1 << 12,
                                .load = 0.5};
  struct vat_table_counts c = counts_of_table(&o, pages, 1 << 12);
  CU_ASSERT_EQUAL(c.entries, 512);
  CU_ASSERT(c.misses < 2 * 512 + 512); /* some in smaller tables, too */
  o.kind = VAT_TABLE_HASHED;
  struct vat_table_counts scattered = counts_of_table(&o, pages, 1 << 12);
  CU_ASSERT_EQUAL(scattered.entries, 4096);
  CU_ASSERT(scattered.misses >= 1024);
}

static bool refused(const struct vat_table_options *o, int error) {
  errno = 0;
  return !vat_table_create(o) && errno == error;
}

static void test_what_cannot_be_simulated_is_refused(void) {
  struct vat_table_options good = {.policy = vat_policy_find("lru"),
                                   .page_bits = 12,
                                   .nodes = 1,
                                   .load = 0.5};
  struct vat_table_options bad = good;
  bad.policy = NULL;
  CU_ASSERT(refused(&bad, EINVAL));
  bad.policy = vat_policy_find("lis");
  CU_ASSERT(refused(&bad, ENOTSUP));
  bad = good, bad.load = 1;
  CU_ASSERT(refused(&bad, EINVAL));
  bad = good, bad.load = 0;
  CU_ASSERT(refused(&bad, EINVAL));
  bad = good, bad.nodes = 0;
  CU_ASSERT(refused(&bad, EINVAL));
  bad = good, bad.kind = (enum vat_table_kind)3;
  CU_ASSERT(refused(&bad, EINVAL));
  good.page_bits = 0;
  struct vat_table *table = vat_table_create(&good);
  uint64_t pages[] = {1, UINT64_C(1) << 60};
  errno = 0;
  CU_ASSERT_EQUAL(vat_table_addresses(table, pages, 2), -1);
  CU_ASSERT_EQUAL(errno, ERANGE);
  CU_ASSERT_EQUAL(vat_table_counts(table).translations, 1);
  CU_ASSERT_EQUAL(vat_table_finish(table), 0);
  CU_ASSERT_EQUAL(vat_table_addresses(table, pages, 1), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  vat_table_destroy(table);
  vat_table_destroy(NULL);
}

static const struct check_test tests[] = {
    {"every policy agrees with the definition",
     test_every_policy_agrees_with_the_definition},
    {"a case by hand", test_a_case_by_hand},
    {"look-ups look at few places", test_look_ups_look_at_few_places},
    {"neighbours share a line of a clustered table",
     test_neighbours_share_a_line_of_a_clustered_table},
    {"what cannot be simulated is refused",
     test_what_cannot_be_simulated_is_refused},
    {0}};

const struct check_suite suite_table = {.name = "table", .tests = tests};
