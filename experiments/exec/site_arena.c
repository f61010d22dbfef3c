/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chosen blocks that have no mapping of their own: jemalloc, all of whose
 * memory is on larger pages.
 *
 * It is linked in once more by names of its own (local.mk), so that it is
 * nobody else's malloc, and reads neither MALLOC_CONF nor /etc/malloc.conf,
 * which are for the one that the program may have.  What it would map, unmap
 * and purge comes here.
 */
#include <errno.h>
#include <jemalloc/jemalloc.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/site.h"

/* Few arenas, as each begins with 2 MiB for itself.  What is freed goes back
 * after ten seconds, as ever, but by whole huge pages.  oversize_threshold: a
 * large block would have an arena that keeps nothing.  dss: what it took by
 * sbrk() would be nobody's here. */
#define HIDDEN __attribute__((visibility("hidden")))
extern HIDDEN const char *site_je_malloc_conf;
const char *site_je_malloc_conf =
    "retain:true,dss:disabled,thp:default,metadata_thp:disabled,narenas:4,"
    "oversize_threshold:0,dirty_decay_ms:10000,muzzy_decay_ms:0";

extern HIDDEN void *site_je_malloc(size_t bytes);
extern HIDDEN void site_je_free(void *block);
extern HIDDEN void *site_je_mallocx(size_t bytes, int flags);
extern HIDDEN size_t site_je_nallocx(size_t bytes, int flags);
extern HIDDEN void *site_je_rallocx(void *block, size_t bytes, int flags);
extern HIDDEN size_t site_je_sallocx(const void *block, int flags);

/* What jemalloc takes for itself at its beginning stays on base pages: a plan
 * of large blocks has none in it, and one of small blocks 128 bytes for each of
 * their pages, up to 2 MiB. */
static bool begun;

static void enlarge_chunks(void);
static void leave_chunk(void);

/* A fork in the midst of it would leave locks. */
void arena_begin(void) {
  site_forks_hold();
  if (!begun) {
    site_je_nallocx(1, 0);
    leave_chunk();
    enlarge_chunks();
    __atomic_store_n(&begun, true, __ATOMIC_RELEASE);
  }
  site_forks_release();
}

/* A block of 8 bytes would be aligned to these; glibc aligns all to 16.  What
 * needs no flags has a shorter way. */
void *arena_block(size_t bytes, size_t alignment, bool zeroed) {
  if (bytes < 16) bytes = 16;
  int flags = (alignment > 16 ? MALLOCX_ALIGN(alignment) : 0) |
              (zeroed ? MALLOCX_ZERO : 0);
  if (alignment > THP || bytes > (size_t)1 << 46) return NULL;
  if (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) arena_begin();
  if (alignment <= 16 && slabs_have(bytes)) return slabs_block(bytes, zeroed);
  return flags ? site_je_mallocx(bytes, flags) : site_je_malloc(bytes);
}

void arena_free(void *block) { site_je_free(block); }

size_t arena_size(const void *block) { return site_je_sallocx(block, 0); }

void *arena_resize(void *block, size_t bytes) {
  if (bytes < 16) bytes = 16;
  return bytes > (size_t)1 << 46 ? NULL : site_je_rallocx(block, bytes, 0);
}

/* --- what jemalloc calls --- */

void *site_je_mmap(void *at, size_t bytes, int rights, int flags, int fd,
                   off_t offset);
int site_je_munmap(void *at, size_t bytes);
int site_je_madvise(void *at, size_t bytes, int advice);
char *site_je_secure_getenv(const char *name);
ssize_t site_je_readlink(const char *path, char *text, size_t size);

static bool keep(uintptr_t start, size_t mapped) {
  struct range range = {.start = start,
                        .bytes = mapped,
                        .base = start,
                        .mapped = mapped,
                        .choice = RANGES_ARENA};
  if (!site_own(start, mapped, SITE_ARENA)) return false;
  if (!begun) return true; /* no block will be there: nothing is chosen */
  ranges_add(&shim.ranges, &range);
  if (shim.transparent) shim_advise(start, mapped);
  return true;
}

/* jemalloc asks for lengths that grow by a fifth or so, and takes them where
 * they lie: they are cut one after the other from a chunk, so that no huge page
 * is left half used.  What is whole huge pages has to begin with one.  Each
 * byte is handed out once; no lock, as in page_shim.c. */
struct chunk {
  uintptr_t next, end;
};
static struct chunk *chunk;

/* An extent that does not fit into the rest of a chunk leaves that: so chunks
 * are large where addresses cost nothing.  Pages of a pool are taken when they
 * are mapped. */
static size_t usual_chunk = (size_t)8 << 20;

static void enlarge_chunks(void) {
  struct rlimit addresses;
  if (!shim.lg_huge && !getrlimit(RLIMIT_AS, &addresses) &&
      addresses.rlim_cur == RLIM_INFINITY)
    usual_chunk = (size_t)64 << 20;
}

static uintptr_t cut(struct chunk *from, size_t bytes) {
  uintptr_t at = __atomic_load_n(&from->next, __ATOMIC_RELAXED), start;
  do {
    start = bytes % THP ? at : (at + THP - 1) & ~((uintptr_t)THP - 1);
    if (start > from->end || bytes > from->end - start) return 0;
  } while (!__atomic_compare_exchange_n(&from->next, &at, start + bytes, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return start;
}

/* Before it has begun, not from a pool: no block is there. */
static uintptr_t map_from(size_t bytes, size_t *mapped) {
  if (begun) return site_map(bytes, RULES_NONE, mapped);
  *mapped = bytes;
  return shim_reserve(bytes, RIGHTS, 0);
}

static uintptr_t map_chunk(size_t bytes) {
  size_t mapped, least = (bytes + THP - 1) & ~((size_t)THP - 1);
  size_t usual = least < usual_chunk ? usual_chunk : least;
  struct chunk *made = site_memory(sizeof *made);
  uintptr_t start = made ? map_from(usual, &mapped) : 0;
  if (made && !start) start = map_from(least, &mapped);
  if (!start) return 0;
  if (!keep(start, mapped)) {
    syscall(SYS_munmap, start, mapped);
    return 0;
  }
  *made = (struct chunk){start + bytes, start + mapped};
  __atomic_store_n(&chunk, made, __ATOMIC_RELEASE);
  return start;
}

/* One that is not advised is not cut again. */
static void leave_chunk(void) {
  __atomic_store_n(&chunk, NULL, __ATOMIC_RELEASE);
}

static uintptr_t map_extent(size_t bytes) {
  struct chunk *from = __atomic_load_n(&chunk, __ATOMIC_ACQUIRE);
  uintptr_t start = from ? cut(from, bytes) : 0;
  return start ? start : map_chunk(bytes);
}

/* It asks for a place only to have its memory in one piece. */
void *site_je_mmap(void *at, size_t bytes, int rights, int flags, int fd,
                   off_t offset) {
  if (flags & MAP_FIXED)
    return (void *)syscall(SYS_mmap, at, bytes, rights, flags, fd, offset);
  uintptr_t start = at ? 0 : map_extent(bytes);
  if (start) return (void *)start;
  errno = ENOMEM;
  return MAP_FAILED;
}

uintptr_t arena_unit(void) {
  uintptr_t start = map_extent(THP);
  return start && site_own(start, THP, SITE_SLABS) ? start : 0;
}

bool arena_shrink(uintptr_t unit) {
  if (!shim.transparent || shim.huge < THP || shim.sandboxed) return false;
  return !syscall(SYS_madvise, unit, (size_t)THP, MADV_NOHUGEPAGE);
}

void arena_enlarge(uintptr_t unit) {
  shim_advise(unit, THP);
  shim_collapse(unit, THP);
}

/* Of whole huge pages; addresses stay ours. */
static void give_back(uintptr_t start, size_t bytes) {
  uintptr_t mask = shim.lg_huge ? THP - 1 : shim.huge - 1;
  uintptr_t from = (start + mask) & ~mask, to = (start + bytes) & ~mask;
  if (from < to && !shim.sandboxed)
    syscall(SYS_madvise, from, to - from, MADV_DONTNEED);
}

void arena_give_back(uintptr_t start, size_t bytes) {
  shim_report_before(shim.ranges.live);
  give_back(start, bytes);
}

int site_je_munmap(void *at, size_t bytes) {
  give_back((uintptr_t)at, bytes);
  return 0;
}

/* What is refused jemalloc keeps, and does not take for zeroed: a part of it
 * may be. */
int site_je_madvise(void *at, size_t bytes, int advice) {
  if (advice == MADV_DONTNEED) arena_give_back((uintptr_t)at, bytes);
  errno = EINVAL;
  return -1;
}

char *site_je_secure_getenv(const char *name) {
  (void)name;
  return NULL;
}

ssize_t site_je_readlink(const char *path, char *text, size_t size) {
  (void)path, (void)text, (void)size;
  errno = ENOENT;
  return -1;
}
