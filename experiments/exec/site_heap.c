/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large blocks of glibc's malloc, where the heap is chosen.
 *
 * glibc maps these, a page more than they have, wherever there is room: so each
 * begins and ends within a huge page, and has base pages there, 2 MiB on
 * average.  Here they begin with a huge page.  Which blocks these are is as
 * glibc has it (malloc(3), M_MMAP_THRESHOLD): all, until one is freed; what is
 * no larger than that then comes from its heap, unless it has 32 MiB or more.
 *
 * Blocks of 128 KiB to 2 MiB it would map, too, with no huge page in them: it
 * is taught by one of 2 MiB, less a page so that it takes no huge page either,
 * that these come from its heap.
 */
#include <malloc.h>
#include <string.h>

#include "experiments/exec/site.h"

/* By a name that nobody interposes; musl has none. */
extern void *__libc_malloc(size_t) __attribute__((weak));

static struct site_rule large = {
    .least = THP, .most = UINT64_MAX, .choice = RULES_NONE, .apart = true};

/* Blocks up to here come from glibc's heap. */
static size_t heap_has;

static bool is_on(void) {
  return __atomic_load_n(&large.choice, __ATOMIC_RELAXED) != RULES_NONE;
}

static void end(void) {
  __atomic_store_n(&large.choice, RULES_NONE, __ATOMIC_RELAXED);
}

/* glibc learns by a block that it has mapped and frees. */
static void teach(size_t bytes) {
  void *volatile block = site_next.malloc(bytes);
  site_next.free(block);
}

/* Not what is left of its first 2 MiB: half of them are held. */
static void teach_below_large(void) {
  void *volatile half = site_next.malloc(THP / 2);
  teach(THP - 4096 - 3 * sizeof(size_t)); /* with its words, whole pages */
  site_next.free(half);
}

bool site_heap_begin(void) {
  const char *tunables = shim_variable("GLIBC_TUNABLES", &(bool){false});
  if (shim.rules.heap < 0 || !shim.transparent || !site_is_malloc() ||
      !__libc_malloc || site_real()->malloc != __libc_malloc)
    return false;
  /* Then the user rules which blocks are mapped. */
  if (tunables && strstr(tunables, "glibc.malloc.mmap_")) return false;
  shim_begin_heap();
  teach_below_large();
  large.choice = shim.rules.heap;
  return true;
}

const struct site_rule *site_heap_rule(size_t bytes) {
  if (bytes < THP || !is_on() ||
      bytes <= __atomic_load_n(&heap_has, __ATOMIC_RELAXED))
    return NULL;
  return &large;
}

void site_heap_freed(int choice, size_t bytes) {
  size_t had = __atomic_load_n(&heap_has, __ATOMIC_RELAXED);
  if (choice != large.choice || bytes <= had || bytes > SITE_OWN_LEAST) return;
  if (!__atomic_compare_exchange_n(&heap_has, &had, bytes, false,
                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return;
  teach(bytes);
}

/* A program that rules by itself which blocks are mapped. */
SHIM_EXPORT int mallopt(int what, int value) {
  int (*next)(int, int) = NULL;
  if (what == M_MMAP_THRESHOLD || what == M_MMAP_MAX) end();
  site_find_next(&next, "mallopt");
  return next ? next(what, value) : 0;
}
