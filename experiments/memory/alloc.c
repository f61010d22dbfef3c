/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/memory/alloc.h"

#include <config.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "experiments/cli/interrupt.h"
#include "huge_pages/arena.h"
#ifdef __GLIBC__
#include <gnu/lib-names.h>
#endif

static int word_list_add(struct word_list *list, uintptr_t word) {
  if (list->count == list->capacity) {
    size_t old = list->capacity * sizeof word;
    size_t bytes = old ? 2 * old : (size_t)64 << 10;
    void *grown = old ? mremap(list->at, old, bytes, MREMAP_MAYMOVE)
                      : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (grown == MAP_FAILED) return -1;
    list->at = grown;
    list->capacity = bytes / sizeof word;
  }
  list->at[list->count++] = word;
  return 0;
}

void word_list_fini(struct word_list *list) {
  if (list->at) munmap(list->at, list->capacity * sizeof *list->at);
  *list = (struct word_list){0};
}

static int compare_words(const void *a, const void *b) {
  const uintptr_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* Most nodes lie on the pages of the one before, or right behind. */
int node_pages_add(struct word_list *runs, const void *node, size_t bytes) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t start = (uintptr_t)node / page * page;
  uintptr_t end = ((uintptr_t)node + bytes + page - 1) / page * page;
  if (runs->count) {
    uintptr_t *last = &runs->at[runs->count - 2];
    if (start >= last[0] && start <= last[1]) {
      if (end > last[1]) last[1] = end;
      return 0;
    }
  }
  if (word_list_add(runs, start)) return -1;
  if (!word_list_add(runs, end)) return 0;
  runs->count--; /* half a run is none */
  return -1;
}

/* The runs, two words each as a struct hp_range has them, ascending; those
 * joined that overlap or touch. */
static void join(struct word_list *runs) {
  struct hp_range *run = (struct hp_range *)runs->at;
  size_t count = runs->count / 2, made = 0;
  qsort(run, count, sizeof *run, compare_words);
  for (size_t i = 0; i < count; i++) {
    if (!made || run[i].start > run[made - 1].end)
      run[made++] = run[i];
    else if (run[i].end > run[made - 1].end)
      run[made - 1].end = run[i].end;
  }
  runs->count = 2 * made;
}

int node_pages_verify(struct word_list *runs, struct hp_granted *granted) {
  if (!runs->count) return 0;
  join(runs);
  return hp_pages_verify((const struct hp_range *)runs->at, runs->count / 2,
                         granted);
}

static const char *no_jemalloc(void) {
#ifdef HAVE_JEMALLOC
  return NULL;
#else
  return "this vat was built without jemalloc; fix: ./bootstrap "
         "--install-deps (libjemalloc-dev), ./configure --with-jemalloc=yes";
#endif
}

/* Also outside of the region nodes have an arena of their own: so all can be
 * freed at once, and those of the next size find no holes that these have left.
 */
static int arena_open(struct alloc *alloc, const struct hp_region *room) {
  alloc->arena = hp_arena_create(room);
  return alloc->arena ? 0 : -1;
}

static void *arena_allocate(struct alloc *alloc, size_t bytes) {
  return hp_arena_malloc(alloc->arena, bytes);
}

static void arena_release(struct alloc *alloc, void *node) {
  hp_arena_free(alloc->arena, node);
}

static void arena_close(struct alloc *alloc) {
  hp_arena_destroy(alloc->arena);
  alloc->arena = NULL;
}

/* By name from the C library itself: a vat linked to jemalloc has jemalloc's
 * malloc(). */
static struct {
  void *(*malloc)(size_t bytes);
  void (*free)(void *node);
  int (*trim)(size_t pad);
} glibc;

static const char *no_glibc(void) {
#ifdef LIBC_SO
  static void *library;
  if (!library) library = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
  if (library) {
    *(void **)&glibc.malloc = dlsym(library, "malloc");
    *(void **)&glibc.free = dlsym(library, "free");
    *(void **)&glibc.trim = dlsym(library, "malloc_trim");
  }
#endif
  if (glibc.malloc && glibc.free && glibc.trim) return NULL;
  return "this vat was built without glibc; fix: --alloc arena";
}

static int glibc_open(struct alloc *alloc, const struct hp_region *room) {
  (void)alloc, (void)room;
  if (!no_glibc()) return 0;
  errno = ENOTSUP;
  return -1;
}

/* glibc cannot free all at once: each node is remembered. */
static void *glibc_allocate(struct alloc *alloc, size_t bytes) {
  void *node = glibc.malloc(bytes);
  if (!node || !word_list_add(&alloc->allocated, (uintptr_t)node)) return node;
  glibc.free(node);
  return NULL;
}

static void glibc_release(struct alloc *alloc, void *node) {
  /* If it cannot be remembered it is kept: twice is worse than never. */
  if (node && !word_list_add(&alloc->released, (uintptr_t)node))
    glibc.free(node);
}

static void sort(struct word_list *list) {
  if (list->count)
    qsort(list->at, list->count, sizeof *list->at, compare_words);
}

/* What was allocated once more often than released is still there.  Without
 * trimming, the next nodes would lie where these leave holes. */
static void glibc_close(struct alloc *alloc) {
  struct word_list *all = &alloc->allocated, *gone = &alloc->released;
  if (gone->count) sort(all);
  sort(gone);
  for (size_t i = 0, j = 0; i < all->count; i++) {
    if (j < gone->count && gone->at[j] == all->at[i])
      j++;
    else
      glibc.free((void *)all->at[i]);
  }
  glibc.trim(0);
  word_list_fini(all);
  word_list_fini(gone);
}

static const char *no_missing(void) { return NULL; }

#define ARENA                                                             \
  .missing = no_jemalloc, .open = arena_open, .allocate = arena_allocate, \
  .release = arena_release, .close = arena_close

const struct alloc_way alloc_ways[] = {
    {.name = "arena", ARENA},
    /* The algorithm does it by itself: there is nothing to open. */
    {.name = "workspace", .missing = no_missing},
    {.name = "jemalloc", .ordinary = true, ARENA},
    {.name = "glibc",
     .ordinary = true,
     .missing = no_glibc,
     .open = glibc_open,
     .allocate = glibc_allocate,
     .release = glibc_release,
     .close = glibc_close},
    {0}};

const struct alloc_way *alloc_find(const char *name) {
  const struct alloc_way *way = alloc_ways;
  while (way->name && strcmp(way->name, name)) way++;
  return way->name ? way : NULL;
}

static bool in_region(const struct alloc_way *way) {
  return way && way->open && !way->ordinary;
}

/* Where the arena starts: on a page, whatever its size is up to 64 KiB. */
static size_t behind(size_t bytes) {
  const size_t unit = (size_t)64 << 10;
  return bytes > SIZE_MAX - unit ? 0 : (bytes + unit - 1) / unit * unit;
}

/*
 * As much for nodes as the workspace has in all, a quarter more for seams and
 * jemalloc's own, and what it takes in any case: extents of 2 MiB for its
 * metadata, and some that grow while they are tried.
 */
size_t alloc_region_bytes(const struct alloc_way *way, const struct algo *algo,
                          uint64_t n, const struct algo_data *given) {
  size_t bytes = cpu_algo_bytes(algo, n, given), total;
  if (!bytes || !algo->allocates || !in_region(way)) return bytes;
  total = behind(bytes);
  if (!total || __builtin_add_overflow(total, bytes, &total) ||
      __builtin_add_overflow(total, bytes / 4, &total) ||
      __builtin_add_overflow(total, (size_t)16 << 20, &total))
    return 0;
  return total;
}

static void *allocate(void *context, size_t bytes) {
  struct alloc *alloc = context;
  interrupt_hold();
  void *node = alloc->way->allocate(alloc, bytes);
  if (node && alloc->way->ordinary &&
      node_pages_add(&alloc->pages, node, bytes)) {
    alloc->way->release(alloc, node);
    node = NULL;
  }
  alloc->ran_out |= !node;
  interrupt_release();
  return node;
}

static void release(void *context, void *node) {
  struct alloc *alloc = context;
  interrupt_hold();
  alloc->way->release(alloc, node);
  interrupt_release();
}

/* Leave the process as it was found. */
static void forget(struct alloc *alloc) {
  if (alloc->way->ordinary && alloc->thp_disabled == 0)
    prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  *alloc = (struct alloc){0};
}

int alloc_open(struct alloc *alloc, const struct alloc_way *way,
               const struct hp_region *region, struct algo_run *run) {
  *alloc = (struct alloc){0};
  if (!way || !way->open) return 0;
  size_t start = behind(run->bytes);
  struct hp_region room = *region;
  if (!way->ordinary && start >= region->bytes) {
    errno = ENOMEM;
    return -1;
  }
  room.base += start;
  room.bytes -= start;
  alloc->arena_start = start;
  /* What is asked for is base pages, wherever the system puts them. */
  alloc->thp_disabled = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
  if (way->ordinary) prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  alloc->way = way;
  alloc->allocator = (struct algo_allocator){allocate, release, alloc};
  run->allocator = &alloc->allocator;
  if (!way->open(alloc, way->ordinary ? NULL : &room)) return 0;
  int error = errno;
  forget(alloc);
  run->allocator = NULL;
  errno = error;
  return -1;
}

int alloc_verify(struct alloc *alloc, const struct hp_region *region,
                 const struct algo_run *run, struct hp_granted *granted) {
  size_t bytes = run->bytes;
  if (in_region(alloc->way))
    bytes = alloc->arena_start + hp_arena_used(alloc->arena);
  if (hp_region_verify(region, bytes, granted)) return -1;
  return node_pages_verify(&alloc->pages, granted);
}

void alloc_close(struct alloc *alloc) {
  if (!alloc->way) return;
  alloc->way->close(alloc);
  word_list_fini(&alloc->pages);
  forget(alloc);
}
