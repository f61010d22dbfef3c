/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "huge_pages/arena.h"
#include "huge_pages/pool.h"
#include "tests/huge_pages/huge_pages_suites.h"

#define MIB ((size_t)1 << 20)

static struct hp_region map(const char *name, size_t bytes) {
  struct hp_region region;
  CU_ASSERT_EQUAL_FATAL(
      hp_region_map(&region, hp_kind_find(name), bytes, NULL, NULL), 0);
  return region;
}

static struct hp_region map_base(size_t bytes) {
  return map(hp_kind_at(0)->name, bytes);
}

static int inside(const struct hp_region *region, const void *object,
                  size_t bytes) {
  uintptr_t at = (uintptr_t)object, base = (uintptr_t)region->base;
  return at >= base && at + bytes <= base + region->bytes;
}

static struct hp_arena *create(const struct hp_region *region) {
  struct hp_arena *arena = hp_arena_create(region);
  CU_ASSERT_PTR_NOT_NULL_FATAL(arena);
  return arena;
}

/* splitmix64 */
static uint64_t random64(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/* Random mallocs and frees; each object is filled and keeps its bytes. */
static void churn(const struct hp_region *region) {
  enum { OBJECTS = 500 };
  struct {
    unsigned char *at;
    size_t bytes;
  } objects[OBJECTS] = {{0}};
  uint64_t state = 11;
  struct hp_arena *arena = create(region);
  for (int round = 0; round < 20000; round++) {
    size_t i = random64(&state) % OBJECTS;
    unsigned char mark = (unsigned char)i;
    if (objects[i].at) {
      CU_ASSERT_EQUAL(objects[i].at[0], mark);
      CU_ASSERT_EQUAL(objects[i].at[objects[i].bytes - 1], mark);
      hp_arena_free(arena, objects[i].at);
    }
    objects[i].bytes = 1 + random64(&state) % (1 << random64(&state) % 17);
    objects[i].at = hp_arena_malloc(arena, objects[i].bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(objects[i].at);
    CU_ASSERT_TRUE(inside(region, objects[i].at, objects[i].bytes));
    memset(objects[i].at, mark, objects[i].bytes);
  }
  CU_ASSERT_TRUE(hp_arena_used(arena) <= region->bytes);
  hp_arena_destroy(arena);
}

/* Nothing the arena does gives pages back or breaks huge ones up. */
static void objects_stay_inside(const char *kind_name) {
  struct hp_region region = map(kind_name, 64 * MIB);
  struct hp_granted granted;
  churn(&region);
  churn(&region);
  CU_ASSERT_EQUAL(hp_region_verify(&region, region.bytes, &granted), 0);
  CU_ASSERT_TRUE(hp_granted_is(&granted, region.kind));
  hp_region_unmap(&region);
}

static void test_objects_stay_inside_base(void) {
  objects_stay_inside(hp_kind_at(0)->name);
}

static void test_objects_stay_inside_thp(void) {
  const char *why = skip_kind("thp", 64 * MIB);
  if (!why) objects_stay_inside("thp");
}

static void test_full_region_is_enomem(void) {
  struct hp_region region = map_base(16 * MIB);
  struct hp_arena *arena = create(&region);
  size_t objects = 0;
  errno = 0;
  for (void *at; (at = hp_arena_malloc(arena, 1000)); objects++)
    CU_ASSERT_TRUE_FATAL(inside(&region, at, 1000));
  CU_ASSERT_EQUAL(errno, ENOMEM);
  /* At least half of the memory served; the rest is metadata and seams. */
  CU_ASSERT_TRUE(objects * 1024 > region.bytes / 2);
  CU_ASSERT_PTR_NULL(hp_arena_malloc(arena, 32 * MIB));
  CU_ASSERT_PTR_NULL(hp_arena_malloc(arena, SIZE_MAX));
  hp_arena_destroy(arena);
  hp_region_unmap(&region);
}

static void test_freed_memory_serves_again(void) {
  struct hp_region region = map_base(16 * MIB);
  struct hp_arena *arena = create(&region);
  for (int i = 0; i < 1000; i++) {
    void *object = hp_arena_malloc(arena, MIB);
    CU_ASSERT_PTR_NOT_NULL_FATAL(object);
    hp_arena_free(arena, object);
  }
  hp_arena_destroy(arena);
  hp_region_unmap(&region);
}

static void test_region_too_small_is_enomem(void) {
  struct hp_region region = map_base(1);
  errno = 0;
  CU_ASSERT_PTR_NULL(hp_arena_create(&region));
  CU_ASSERT_EQUAL(errno, ENOMEM);
  hp_region_unmap(&region);
}

static void test_many_lives(void) {
  struct hp_region region = map_base(8 * MIB);
  for (int i = 0; i < 200; i++) {
    struct hp_arena *arena = create(&region);
    CU_ASSERT_TRUE(inside(&region, hp_arena_malloc(arena, 100), 100));
    hp_arena_destroy(arena);
  }
  hp_region_unmap(&region);
}

static void test_two_arenas_are_apart(void) {
  struct hp_region a = map_base(8 * MIB), b = map_base(8 * MIB);
  struct hp_arena *in_a = create(&a), *in_b = create(&b);
  for (int i = 0; i < 1000; i++) {
    CU_ASSERT_TRUE(inside(&a, hp_arena_malloc(in_a, 200), 200));
    CU_ASSERT_TRUE(inside(&b, hp_arena_malloc(in_b, 200), 200));
  }
  hp_arena_destroy(in_a);
  CU_ASSERT_TRUE(inside(&b, hp_arena_malloc(in_b, 200), 200));
  hp_arena_destroy(in_b);
  hp_region_unmap(&a);
  hp_region_unmap(&b);
}

static void test_without_a_region_the_system_gives(void) {
  struct hp_region region = map_base(8 * MIB);
  for (int life = 0; life < 100; life++) {
    struct hp_arena *arena = hp_arena_create(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(arena);
    for (int i = 0; i < 1000; i++) {
      unsigned char *object = hp_arena_malloc(arena, 10000);
      CU_ASSERT_PTR_NOT_NULL_FATAL(object);
      CU_ASSERT_FALSE(inside(&region, object, 10000));
      memset(object, i, 10000);
      if (i % 2) hp_arena_free(arena, object);
    }
    CU_ASSERT_EQUAL(hp_arena_used(arena), 0);
    hp_arena_destroy(arena);
  }
  hp_region_unmap(&region);
}

static void test_nulls_are_fine(void) {
  struct hp_region region = map_base(8 * MIB);
  struct hp_arena *arena = create(&region);
  hp_arena_free(arena, NULL);
  void *nothing = hp_arena_malloc(arena, 0);
  CU_ASSERT_TRUE(inside(&region, nothing, 0));
  hp_arena_free(arena, nothing);
  hp_arena_destroy(arena);
  hp_arena_destroy(NULL);
  hp_region_unmap(&region);
}

static void test_objects_stay_inside_2m(void) {
  struct hp_reservation *pages = hp_pool_reserve(hp_kind_find("2m"), 64 * MIB);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pages);
  objects_stay_inside("2m");
  hp_pool_release(pages);
}

static const char *skip(void) {
#ifdef HAVE_JEMALLOC
  return NULL;
#else
  return "built without jemalloc";
#endif
}

static const char *skip_2m(void) {
  const char *why = skip();
  return why ? why : skip_kind("2m", 64 * MIB);
}

static const struct check_test tests[] = {
    {"objects stay inside, on base pages", test_objects_stay_inside_base},
    {"objects stay inside, on thp", test_objects_stay_inside_thp},
    {"a full region is ENOMEM", test_full_region_is_enomem},
    {"freed memory serves again", test_freed_memory_serves_again},
    {"a region too small is ENOMEM", test_region_too_small_is_enomem},
    {"destroy frees all", test_many_lives},
    {"two arenas are apart", test_two_arenas_are_apart},
    {"without a region the system gives",
     test_without_a_region_the_system_gives},
    {"NULL and nothing are fine", test_nulls_are_fine},
    {0},
};
const struct check_suite suite_arena = {"arena", tests, skip};

static const struct check_test tests_2m[] = {
    {"objects stay inside, on 2m", test_objects_stay_inside_2m},
    {0},
};
const struct check_suite suite_arena_2m = {"arena: 2m", tests_2m, skip_2m};
