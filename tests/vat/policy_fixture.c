/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/policy_fixture.h"

#include <string.h>

uint64_t random_state;

uint64_t below(uint64_t m) {
  random_state =
      random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (random_state >> 33) % m;
}

void random_trace(struct trace *t) {
  t->tree =
      (struct vat_tree){1 + (unsigned)below(3), 0, 1 + (unsigned)below(4)};
  uint64_t size = UINT64_C(1) << vat_tree_page_number_bits(&t->tree);
  unsigned kind = (unsigned)below(3);
  t->count = 1 + below(PAGES);
  for (size_t i = 0; i < t->count; i++) {
    uint64_t fresh = below(size), last = i ? t->pages[i - 1] : fresh;
    uint64_t walk = (last + below(3)) % size;
    uint64_t again = i && below(2) ? t->pages[below(i)] : fresh;
    t->pages[i] = kind == 0 ? fresh : kind == 1 ? walk : again;
  }
}

struct trace trace_of(unsigned k, unsigned d, size_t count,
                      const uint64_t *pages) {
  struct trace t = {.tree = {k, 0, d}, .count = count};
  memcpy(t.pages, pages, count * sizeof *pages);
  return t;
}

struct vat_tc_counts counts_with(const struct trace *t,
                                 const struct vat_policy *policy,
                                 uint64_t nodes,
                                 const struct vat_tc_options *options) {
  struct vat_tc *tc = vat_tc_create(policy, &t->tree, nodes, options);
  CU_ASSERT_PTR_NOT_NULL_FATAL(tc);
  for (size_t i = 0, n; i < t->count; i += n) {
    n = 1 + below(9);
    if (n > t->count - i) n = t->count - i;
    CU_ASSERT_EQUAL(vat_tc_pages(tc, &t->pages[i], n), 0);
  }
  CU_ASSERT_EQUAL(vat_tc_finish(tc), 0);
  struct vat_tc_counts counts = vat_tc_counts(tc);
  CU_ASSERT_EQUAL(counts.translations, t->count);
  vat_tc_destroy(tc);
  return counts;
}

struct vat_tc_counts counts_of(const struct trace *t,
                               const struct vat_policy *policy,
                               uint64_t nodes) {
  return counts_with(t, policy, nodes, NULL);
}

uint64_t misses_of(const struct trace *t, const char *policy, uint64_t nodes) {
  return counts_of(t, vat_policy_find(policy), nodes).misses;
}

void report(const struct trace *t, const char *what, uint64_t nodes) {
  printf("%s k=%u d=%u W=%llu:", what, t->tree.index_bits, t->tree.levels,
         (unsigned long long)nodes);
  for (size_t i = 0; i < t->count; i++)
    printf(" %llu", (unsigned long long)t->pages[i]);
  puts("");
}
