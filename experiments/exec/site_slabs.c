/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of 449 bytes to 4 KiB that share an arena.
 *
 * jemalloc's sizes there are even numbers of cache lines, 512, 640, 768 bytes,
 * and its slabs begin with a page.  So what all blocks have at the same place,
 * as nodes of a tree do, is in few sets of each cache: of nodes of 512 bytes,
 * in one of eight.  On a Zen 4 a B-tree of those takes 8 % longer by that than
 * with glibc, which has a word before each block.  Here they lie 16 bytes
 * further apart than jemalloc's.
 *
 * Units of 2 MiB are divided into slabs, and a slab has blocks of one size and
 * one shard.  What a unit is made of is described in its first slab.  The first
 * unit is on base pages until half of its slabs are in use: many programs have
 * a few such blocks among others.
 */
#include <sched.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "experiments/exec/site.h"

enum {
  LEAST = 448, /* more than that */
  MOST = 4096,
  SIZES = 13,
  APART = 16,
  LG_SLAB = 16,
  SLAB = 1 << LG_SLAB,
  SLABS = THP / SLAB,
  SHARDS = 4 /* as site_arena.c has arenas */
};

struct link {
  struct link *next, *before;
};

/* A cache line. */
struct slab {
  struct link link;    /* to those of its size and shard with room */
  void *freed;         /* blocks, each of which begins with the next */
  uint32_t fresh;      /* where the first is that nobody had yet */
  uint16_t used, most; /* blocks */
  uint8_t size, shard;
  char unused[64 - 3 * sizeof(void *) - 10];
};

struct unit {
  struct slab slab[SLABS];
  struct link link; /* to those whose slabs are as free */
  struct place *place;
  uint32_t free; /* slabs, one bit for each */
  bool small;    /* on base pages */
  char unused[64 - 3 * sizeof(void *) - 5];
};

/* Of a unit, whether or not it has memory. */
struct place {
  struct place *next;
  struct unit *unit;
};

static struct pool {
  uint8_t held;
  struct link *some, *whole; /* units, of whose slabs some, or all, are free */
  struct place *places;      /* without memory */
  uint32_t units, wholes;    /* with memory */
} pool;

static struct shard {
  uint8_t held;
  struct link *room[SIZES]; /* slabs */
} shards[SHARDS];

/* --- sizes, as jemalloc's: four between a power of two and the next --- */

static unsigned number_of(size_t bytes) {
  unsigned lg = 63 - (unsigned)__builtin_clzl(bytes - 1);
  return (lg - 8) * 4 + (unsigned)((bytes - 1) >> (lg - 2)) - 7;
}

static size_t size_of(unsigned number) {
  return (size_t)(5 + (number + 3) % 4) << ((number + 3) / 4 + 6);
}

/* --- locks --- */

/* A C library without it may have threads. */
extern char __libc_single_threaded __attribute__((weak));

/* A store that all threads see waits for each miss before it. */
static void hold(uint8_t *held) {
  if (&__libc_single_threaded && __libc_single_threaded) return;
  while (__atomic_test_and_set(held, __ATOMIC_ACQUIRE)) sched_yield();
}

static void let_go(uint8_t *held) { __atomic_clear(held, __ATOMIC_RELEASE); }

void slabs_hold(void) {
  for (int i = 0; i < SHARDS; i++) hold(&shards[i].held);
  hold(&pool.held);
}

void slabs_release(void) {
  let_go(&pool.held);
  for (int i = 0; i < SHARDS; i++) let_go(&shards[i].held);
}

/* --- lists --- */

static void put(struct link **list, struct link *link) {
  *link = (struct link){.next = *list};
  if (*list) (*list)->before = link;
  *list = link;
}

static void take(struct link **list, const struct link *link) {
  if (link->next) link->next->before = link->before;
  if (link->before)
    link->before->next = link->next;
  else
    *list = link->next;
}

/* Of a link the slab that begins with it. */
static struct slab *slab_with(struct link *link) { return (struct slab *)link; }

static struct unit *unit_with(struct link *link) {
  return (struct unit *)((char *)link - offsetof(struct unit, link));
}

/* --- units, while the pool is held --- */

static struct place *new_place(void) {
  struct place *place = pool.places;
  if (place) {
    pool.places = place->next;
    return place;
  }
  place = site_carve(sizeof *place);
  if (place) place->unit = (struct unit *)arena_unit();
  return place && place->unit ? place : NULL;
}

static bool have_unit(void) {
  struct unit *unit;
  if (pool.some) return true;
  if (pool.whole) {
    unit = unit_with(pool.whole);
    take(&pool.whole, &unit->link);
    pool.wholes--;
  } else {
    struct place *place = new_place();
    if (!place) return false;
    unit = place->unit;
    bool small = !pool.units && arena_shrink((uintptr_t)unit);
    *unit = (struct unit){.place = place, .free = UINT32_MAX, .small = small};
    pool.units++;
  }
  put(&pool.some, &unit->link);
  return true;
}

static void give_back(struct unit *unit) {
  struct place *place = unit->place;
  place->next = pool.places;
  pool.places = place;
  arena_give_back((uintptr_t)unit, THP);
}

/* No more is kept than is in use, and two. */
static void keep_whole(struct unit *unit) {
  take(&pool.some, &unit->link);
  put(&pool.whole, &unit->link);
  pool.wholes++;
  while (pool.wholes > pool.units / 2 + 1) {
    struct unit *last = unit_with(pool.whole);
    take(&pool.whole, &last->link);
    pool.wholes--;
    pool.units--;
    give_back(last);
  }
}

static struct unit *unit_of(const void *at) {
  return (struct unit *)((uintptr_t)at & ~((uintptr_t)THP - 1));
}

static struct slab *slab_of(const void *at) {
  return &unit_of(at)->slab[((uintptr_t)at & (THP - 1)) >> LG_SLAB];
}

static uintptr_t memory_of(const struct slab *slab) {
  uintptr_t unit = (uintptr_t)unit_of(slab);
  return unit + (uintptr_t)(slab - unit_of(slab)->slab) * SLAB;
}

/* From its bytes `from` on.  Of large blocks it has few, in the sets of a few
 * lines: what is left over is before them, more or less of it. */
static void divide(struct slab *slab, unsigned number, uint32_t from,
                   unsigned size) {
  uint32_t each = (uint32_t)size_of(size) + APART, most = (SLAB - from) / each;
  uint32_t over = SLAB - from - most * each;
  *slab = (struct slab){.fresh = from + number * 128 % (over + 1) / 16 * 16,
                        .most = (uint16_t)most,
                        .size = (uint8_t)size};
}

static struct slab *new_slab(unsigned size, unsigned shard) {
  struct slab *slab = NULL;
  hold(&pool.held);
  if (have_unit()) {
    struct unit *unit = unit_with(pool.some);
    unsigned number = (unsigned)__builtin_ctz(unit->free);
    unit->free &= unit->free - 1;
    if (!unit->free) take(&pool.some, &unit->link);
    if (unit->small && number >= SLABS / 2) {
      unit->small = false;
      arena_enlarge((uintptr_t)unit);
    }
    slab = &unit->slab[number];
    divide(slab, number, number ? 0 : sizeof *unit, size);
    slab->shard = (uint8_t)shard;
  }
  let_go(&pool.held);
  return slab;
}

static void free_slab(const struct slab *slab) {
  struct unit *unit = unit_of(slab);
  hold(&pool.held);
  if (!unit->free) put(&pool.some, &unit->link);
  unit->free |= UINT32_C(1) << (slab - unit->slab);
  if (unit->free == UINT32_MAX) keep_whole(unit);
  let_go(&pool.held);
}

/* --- slabs, while their shard is held --- */

static void *block_of(struct link **list) {
  struct slab *slab = slab_with(*list);
  void *block = slab->freed;
  if (block) {
    memcpy(&slab->freed, block, sizeof slab->freed);
  } else {
    block = (void *)(memory_of(slab) + slab->fresh);
    slab->fresh += (uint32_t)size_of(slab->size) + APART;
  }
  if (++slab->used == slab->most) take(list, &slab->link);
  return block;
}

/* The last one of its size that has room stays. */
static void put_block(struct link **list, struct slab *slab, void *block) {
  memcpy(block, &slab->freed, sizeof slab->freed);
  slab->freed = block;
  if (slab->used-- == slab->most) put(list, &slab->link);
  if (slab->used || (!slab->link.next && !slab->link.before)) return;
  take(list, &slab->link);
  free_slab(slab);
}

/* --- blocks --- */

static unsigned own_shard(void) {
  static unsigned threads;
  static __thread unsigned own __attribute__((tls_model("initial-exec")));
  if (!own)
    own = 1 + __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) % SHARDS;
  return own - 1;
}

bool slabs_have(size_t bytes) { return bytes > LEAST && bytes <= MOST; }

void *slabs_block(size_t bytes, bool zeroed) {
  unsigned size = number_of(bytes), number = own_shard();
  struct shard *shard = &shards[number];
  struct link **list = &shard->room[size];
  void *block = NULL;
  hold(&shard->held);
  if (!*list) {
    struct slab *slab = new_slab(size, number);
    if (slab) put(list, &slab->link);
  }
  if (*list) block = block_of(list);
  let_go(&shard->held);
  return block && zeroed ? memset(block, 0, bytes) : block;
}

void slabs_free(void *block) {
  struct slab *slab = slab_of(block);
  struct shard *shard = &shards[slab->shard];
  hold(&shard->held);
  put_block(&shard->room[slab->size], slab, block);
  let_go(&shard->held);
}

size_t slabs_size(const void *block) { return size_of(slab_of(block)->size); }

void *slabs_resize(void *block, size_t bytes) {
  size_t had = slabs_size(block);
  if (slabs_have(bytes) && size_of(number_of(bytes)) == had) return block;
  void *to = arena_block(bytes, 1, false);
  if (!to) return NULL;
  memcpy(to, block, had < bytes ? had : bytes);
  slabs_free(block);
  return to;
}
