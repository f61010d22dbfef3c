/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes from each allocator: where they lie, what backs them, and that they are
 * gone afterwards. */
#include <config.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpu_algos/random.h"
#include "experiments/memory/alloc.h"
#include "experiments/run/plan.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

#define MIB ((size_t)1 << 20)

#define FOR_EACH_WAY(way)                                          \
  for (const struct alloc_way *way = alloc_ways; way->name; way++) \
    if (!way->missing())

static const struct algo *nodes_algo(void) {
  return cpu_algo_find("list_ranking_nodes");
}

/* A run on a region as the driver maps it. */
struct bench {
  struct hp_region region;
  struct algo_run run;
  struct alloc alloc;
};

static void bench_open(struct bench *b, const struct alloc_way *way,
                       uint64_t n) {
  size_t bytes = alloc_region_bytes(way, nodes_algo(), n, NULL);
  CU_ASSERT_EQUAL_FATAL(
      hp_region_map(&b->region, hp_kind_at(0), bytes, NULL, NULL), 0);
  b->run = (struct algo_run){.n = n,
                             .seed = 1,
                             .memory = b->region.base,
                             .bytes = nodes_algo()->bytes(n)};
  CU_ASSERT_EQUAL_FATAL(alloc_open(&b->alloc, way, &b->region, &b->run), 0);
}

static void bench_close(struct bench *b) {
  alloc_close(&b->alloc);
  hp_region_unmap(&b->region);
}

static bool inside(const struct bench *b, const void *node) {
  const unsigned char *at = node;
  return at >= b->region.base && at < b->region.base + b->region.bytes;
}

static void test_each_is_found(void) {
  for (const struct alloc_way *way = alloc_ways; way->name; way++)
    CU_ASSERT_PTR_EQUAL(alloc_find(way->name), way);
  CU_ASSERT_PTR_NULL(alloc_find("malloc"));
  CU_ASSERT_PTR_NULL(alloc_find(""));
#ifdef HAVE_JEMALLOC
  CU_ASSERT_PTR_NULL(alloc_ways->missing());
#else
  CU_ASSERT_PTR_NOT_NULL(strstr(alloc_ways->missing(), "libjemalloc-dev"));
#endif
}

static void test_room_for_nodes(void) {
  const struct algo *plain = cpu_algo_find("permute"), *nodes = nodes_algo();
  const struct alloc_way *arena = alloc_find("arena");
  for (uint64_t n = 1; n < 1 << 20; n = 3 * n + 1) {
    CU_ASSERT_EQUAL(alloc_region_bytes(NULL, plain, n, NULL), plain->bytes(n));
    CU_ASSERT_EQUAL(alloc_region_bytes(arena, plain, n, NULL), plain->bytes(n));
    CU_ASSERT_EQUAL(alloc_region_bytes(alloc_find("glibc"), nodes, n, NULL),
                    nodes->bytes(n));
    CU_ASSERT_TRUE(alloc_region_bytes(arena, nodes, n, NULL) >
                   2 * nodes->bytes(n) + 16 * MIB);
  }
  for (uint64_t n = UINT64_MAX / 32; n > 1 << 30; n = n / 33 * 32) {
    size_t bytes = nodes->bytes(n),
           room = alloc_region_bytes(arena, nodes, n, NULL);
    CU_ASSERT_TRUE(!room || room > 2 * bytes);
  }
  CU_ASSERT_EQUAL(alloc_region_bytes(arena, nodes, UINT64_MAX / 34, NULL), 0);
}

/* The algorithm is right with all of them, on what is granted to all nodes. */
static void test_nodes_are_where_they_should_be(void) {
  static const uint64_t sizes[] = {1, 2, 1000, 100000};
  FOR_EACH_WAY(way) for (size_t s = 0; s < 4; s++) {
    struct bench b;
    struct hp_granted granted;
    bench_open(&b, way, sizes[s]);
    nodes_algo()->setup(&b.run);
    nodes_algo()->run(&b.run);
    CU_ASSERT_PTR_NULL(nodes_algo()->check(&b.run));
    CU_ASSERT_FALSE(b.alloc.ran_out);
    CU_ASSERT_EQUAL(alloc_verify(&b.alloc, &b.region, &b.run, &granted), 0);
    CU_ASSERT_TRUE(hp_granted_is(&granted, hp_kind_at(0)));
    size_t least = b.run.bytes + (way->open ? 16 * sizes[s] : 0);
    CU_ASSERT_TRUE(granted.by[0].bytes >= least);
    CU_ASSERT_TRUE(granted.by[0].bytes < 2 * least + 16 * MIB);
    void *const *words = (void *const *)(void *)b.run.memory;
    for (uint64_t i = 0; i <= sizes[s]; i++) /* the first and all nodes */
      CU_ASSERT_EQUAL(inside(&b, words[i]), !way->ordinary);
    bench_close(&b);
  }
}

/* AddressSanitizer keeps what was freed for a while. */
#ifdef __SANITIZE_ADDRESS__
static const size_t slack = 32 * MIB;
#else
static const size_t slack = 2 * MIB;
#endif

/* Bytes that this process has mapped. */
static size_t mapped(void) {
  unsigned long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  if (!statm || fscanf(statm, "%lu", &pages) != 1) pages = 0;
  if (statm) fclose(statm);
  return pages * 4096;
}

/* A megabyte of nodes a time, some of them released before the end. */
static void churn(const struct alloc_way *way, uint64_t seed) {
  struct bench b;
  struct cpu_random random = {seed};
  void *kept[1000] = {NULL};
  unsigned missing = 0;
  bench_open(&b, way, 100000);
  for (unsigned i = 0; i < 30000; i++) {
    void **node = &kept[cpu_random_below(&random, 1000)];
    if (*node) b.run.allocator->release(&b.alloc, *node);
    size_t bytes = 1 + cpu_random_below(&random, 64);
    *node = b.run.allocator->allocate(&b.alloc, bytes);
    if (*node) memset(*node, 7, bytes);
    missing += !*node || !b.run.allocator->allocate(&b.alloc, 16);
  }
  CU_ASSERT_EQUAL(missing, 0);
  CU_ASSERT_FALSE(b.alloc.ran_out);
  bench_close(&b);
}

static void test_nothing_is_left(void) {
  FOR_EACH_WAY(way) {
    if (!way->open) continue;
    for (uint64_t seed = 0; seed < 3; seed++) churn(way, seed);
    size_t before = mapped();
    for (uint64_t seed = 3; seed < 23; seed++) churn(way, seed);
    CU_ASSERT_TRUE(mapped() < before + slack);
  }
}

static void test_running_out_is_noticed(void) {
  const struct alloc_way *arena = alloc_find("arena");
  if (arena->missing()) return;
  struct bench b;
  bench_open(&b, arena, 1000);
  while (b.run.allocator->allocate(&b.alloc, 4096))
    CU_ASSERT_FALSE(b.alloc.ran_out);
  CU_ASSERT_TRUE(b.alloc.ran_out);
  bench_close(&b);
  /* No room at all behind the workspace. */
  CU_ASSERT_EQUAL_FATAL(
      hp_region_map(&b.region, hp_kind_at(0), 4096, NULL, NULL), 0);
  b.run = (struct algo_run){.memory = b.region.base, .bytes = 4096};
  errno = 0;
  CU_ASSERT_EQUAL(alloc_open(&b.alloc, arena, &b.region, &b.run), -1);
  CU_ASSERT_EQUAL(errno, ENOMEM);
  CU_ASSERT_PTR_NULL(b.run.allocator);
  bench_close(&b);
}

/* Nodes in any order, some across pages; what backs those pages alone counts,
 * whatever else there is between them. */
static void test_pages_of_nodes(void) {
  enum { PAGES = 64, PAGE = 4096 };
  struct word_list pages = {0};
  struct hp_granted granted = {0};
  bool touched[PAGES] = {false};
  struct cpu_random random = {4};
  size_t count = 0;
  unsigned char *base = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CU_ASSERT_TRUE_FATAL(base != MAP_FAILED);
  for (unsigned i = 0; i < 25; i++) {
    size_t at = cpu_random_below(&random, (PAGES - 1) * PAGE);
    size_t bytes = 1 + cpu_random_below(&random, 200);
    memset(base + at, 1, bytes);
    for (size_t k = at / PAGE; k <= (at + bytes - 1) / PAGE; k++)
      touched[k] = true;
    CU_ASSERT_EQUAL(node_pages_add(&pages, base + at, bytes), 0);
  }
  for (unsigned i = 0; i < PAGES; i++) count += touched[i];
  CU_ASSERT_EQUAL(node_pages_verify(&pages, &granted), 0);
  CU_ASSERT_TRUE(count > 10 && count < PAGES);
  CU_ASSERT_EQUAL(granted.missing, 0);
  CU_ASSERT_EQUAL(granted.sizes, 1);
  CU_ASSERT_EQUAL(granted.by[0].bytes, count * PAGE);
  word_list_fini(&pages);
  munmap(base, PAGES * PAGE);
}

/* Nodes on a transparent huge page are found out. */
static void test_huge_pages_are_seen(void) {
  const struct hp_kind *thp = hp_kind_find("thp");
  struct word_list pages = {0};
  struct hp_granted granted = {0};
  struct hp_region region;
  if (hp_region_map(&region, thp, 4 * MIB, NULL, NULL)) return;
  hp_region_verify(&region, region.bytes, &granted);
  if (hp_granted_is(&granted, thp)) {
    granted = (struct hp_granted){0};
    CU_ASSERT_EQUAL(node_pages_add(&pages, region.base + 100, 32), 0);
    CU_ASSERT_EQUAL(node_pages_verify(&pages, &granted), 0);
    CU_ASSERT_FALSE(hp_granted_is(&granted, hp_kind_at(0)));
  }
  word_list_fini(&pages);
  hp_region_unmap(&region);
}

static void test_names_for_samples(void) {
  struct plan plan = {0};
  CU_ASSERT_STRING_EQUAL(plan_alloc_name(&plan, nodes_algo()), "workspace");
  plan.alloc = alloc_find("glibc");
  CU_ASSERT_STRING_EQUAL(plan_alloc_name(&plan, nodes_algo()), "glibc");
  CU_ASSERT_STRING_EQUAL(plan_alloc_name(&plan, cpu_algo_find("permute")), "");
}

static const struct check_test tests[] = {
    {"each allocator is found by its name", test_each_is_found},
    {"an arena has room behind the workspace", test_room_for_nodes},
    {"nodes are where they should be, and granted",
     test_nodes_are_where_they_should_be},
    {"nothing is left of them", test_nothing_is_left},
    {"running out is noticed", test_running_out_is_noticed},
    {"pages of nodes are counted, and no others", test_pages_of_nodes},
    {"nodes on huge pages are found out", test_huge_pages_are_seen},
    {"samples name the allocator", test_names_for_samples},
    {0}};

const struct check_suite suite_alloc = {.name = "alloc", .tests = tests};
