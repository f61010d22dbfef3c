/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_shim.so: loaded into a program by LD_PRELOAD, it gives the program's
 * own mappings the pages that VAT_PAGES names: all of them for vat compare,
 * those that VAT_RULES chooses (rules.h) for vat exec.
 *
 *   4k   nothing; the same code runs, so that both sides are loaded alike
 *   thp  MADV_HUGEPAGE for anonymous mappings of 2 MiB and more, and at the
 *        start for those that are there: bss and heap.  Smaller ones from
 *        256 KiB on (Python's arenas have 1 MiB) are cut one after the other
 *        from 2 MiB; with 4k, too, so that addresses are alike
 *   thp-64k, ...  the same: which pages come of it is up to the kernel's
 *        switches; what VAT_RULES chooses is advised from one such page on
 *   2m, 1g, ...  plain anonymous mappings of at least that size are made of
 *        hugetlb pages where the pool has them; up to 2m, smaller ones are cut
 *        as above
 *
 * It is linked to no library, so that whatever C library the program has will
 * do: it needs syscall(), __errno_location(), memcpy(), strlen() and the like,
 * which glibc and musl export.
 * What malloc maps does not pass here; glibc's tunables do that part.
 */
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "experiments/exec/shim.h"

enum { HUGE_SHIFT = 26, HELD_MAX = 1024 };

/*
 * hugetlb mappings made here, so that they can be unmapped by the length that
 * the program knows; the kernel wants whole huge pages.  Who changes a slot
 * marks `start` by one exchange: a lock could be held by a thread that fork
 * leaves behind.  A marked slot still says where it is: a mapping that another
 * thread has a part of must be found whatever that one is doing.
 */
enum { FREE = 0, BUSY = 1 };
static struct held {
  uintptr_t start; /* or FREE; with BUSY where a thread changes it */
  size_t asked, mapped;
  /* Of one that is cut: bytes given back, and in all, where no more is cut. */
  size_t gone, handed;
} held[HELD_MAX];

static bool seize(struct held *slot, uintptr_t expected) {
  return __atomic_compare_exchange_n(&slot->start, &expected, expected | BUSY,
                                     false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static void release(struct held *slot, uintptr_t start) {
  __atomic_store_n(&slot->start, start, __ATOMIC_RELEASE);
}

static bool hold(uintptr_t at, size_t asked, size_t mapped) {
  for (size_t i = 0; i < HELD_MAX; i++) {
    if (!seize(&held[i], FREE)) continue;
    held[i].asked = asked;
    held[i].mapped = mapped;
    held[i].gone = held[i].handed = 0;
    release(&held[i], at);
    return true;
  }
  return false;
}

static uintptr_t start_of(const struct held *slot) {
  return __atomic_load_n(&slot->start, __ATOMIC_ACQUIRE) & ~(uintptr_t)BUSY;
}

/* The mapping that holds `at`, or NULL, and where it begins. */
static struct held *find(const void *at, uintptr_t *start) {
  uintptr_t address = (uintptr_t)at, again;
  for (size_t i = 0; shim.lg_huge && i < HELD_MAX; i++) {
    size_t mapped;
    again = start_of(&held[i]);
    do { /* a slot may be given up and be another mapping's meanwhile */
      *start = again;
      mapped = __atomic_load_n(&held[i].mapped, __ATOMIC_ACQUIRE);
      again = start_of(&held[i]);
    } while (again != *start);
    if (again && again <= address && address - again < mapped) return &held[i];
  }
  return NULL;
}

static void *raw_mmap(void *at, size_t bytes, int rights, int flags, int fd,
                      off_t offset) {
  return (void *)syscall(SYS_mmap, at, bytes, rights, flags, fd, offset);
}

/* Does a mapping ask for nothing special?  A program that reserves addresses
 * first and carves them later could not use hugetlb pages. */
static bool is_plain(const void *at, int rights, int flags) {
  return !at && rights == RIGHTS && flags == FLAGS;
}

static void *map_huge(void *at, size_t bytes, int rights, int flags) {
  size_t page = (size_t)1 << shim.lg_huge;
  size_t whole = (bytes + page - 1) & ~(page - 1);
  if (!is_plain(at, rights, flags) || bytes < page || whole < bytes)
    return MAP_FAILED;
  int huge = flags | MAP_HUGETLB | (int)(shim.lg_huge << HUGE_SHIFT);
  int error = errno;
  void *memory = raw_mmap(NULL, whole, rights, huge, -1, 0);
  if (memory != MAP_FAILED && !hold((uintptr_t)memory, bytes, whole)) {
    syscall(SYS_munmap, memory, whole);
    memory = MAP_FAILED;
  }
  errno = error;
  return memory;
}

/* Where the next small mapping is cut, up to the next multiple of THP; there
 * is nothing left where this is one.  No lock, as above. */
static uintptr_t next_cut;

static uintptr_t round_to_thp(uintptr_t at) {
  return (at + THP - 1) & ~((uintptr_t)THP - 1);
}

static size_t round_to_page(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) & ~(page - 1);
}

/* 2 MiB to cut from. */
static void *aligned_chunk(void) {
  uintptr_t start = shim_reserve(THP, RIGHTS, 0);
  if (!start) return MAP_FAILED;
  if (shim.transparent) shim_advise(start, THP);
  return (void *)start;
}

/* Give a seized slot back; and the chunk, if all that was handed out of it was
 * given back and no more is. */
static int release_chunk(struct held *slot, uintptr_t start) {
  bool unused = slot->handed && slot->gone >= slot->handed;
  size_t mapped = slot->mapped;
  release(slot, unused ? FREE : start);
  return unused ? (int)syscall(SYS_munmap, start, mapped) : 0;
}

/* Of a chunk of a pool, which is one page: no more is handed out of it. */
static void end_chunk(uintptr_t cut_to) {
  uintptr_t start;
  struct held *slot = find((const void *)(cut_to - 1), &start);
  int tries = 1000; /* another thread gives a part of it back */
  while (slot && !seize(slot, start))
    if (!--tries) return;
  if (!slot) return;
  slot->handed = cut_to - start;
  release_chunk(slot, start);
}

/* What is left of a chunk, from `rest` on, is not cut any more. */
static void drop_rest(uintptr_t rest) {
  if (shim.lg_huge && rest)
    end_chunk(rest);
  else if (rest % THP)
    syscall(SYS_munmap, rest, round_to_thp(rest) - rest);
}

/* Each byte is handed out once, and given back to the kernel by munmap() like
 * any other. */
static void *cut(size_t bytes) {
  uintptr_t at = __atomic_load_n(&next_cut, __ATOMIC_RELAXED);
  while (bytes <= round_to_thp(at) - at)
    if (__atomic_compare_exchange_n(&next_cut, &at, at + bytes, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return (void *)at;
  void *chunk =
      shim.lg_huge ? map_huge(NULL, THP, RIGHTS, FLAGS) : aligned_chunk();
  if (chunk != MAP_FAILED)
    drop_rest(__atomic_exchange_n(&next_cut, (uintptr_t)chunk + bytes,
                                  __ATOMIC_RELAXED));
  return chunk;
}

/* The last that was cut is given back: so is what is left behind it. */
static void uncut(uintptr_t at, size_t bytes) {
  uintptr_t end = at + round_to_page(bytes);
  if (bytes < THP && end % THP && (at ^ (end - 1)) < THP &&
      __atomic_load_n(&next_cut, __ATOMIC_RELAXED) == end &&
      __atomic_compare_exchange_n(&next_cut, &end, 0, false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED))
    drop_rest(end);
}

void *shim_map_cut(size_t bytes) {
  size_t whole = round_to_page(bytes);
  if (shim.lg_huge > 21 || bytes < CUT_MIN || whole >= THP) return MAP_FAILED;
  int error = errno;
  void *memory = cut(whole);
  errno = error;
  return memory;
}

static void *map_small_or_huge(void *at, size_t bytes, int rights, int flags) {
  void *memory = MAP_FAILED;
  if (is_plain(at, rights, flags) && bytes >= shim.cut_least)
    memory = shim_map_cut(bytes);
  if (memory == MAP_FAILED && shim.lg_huge)
    memory = map_huge(at, bytes, rights, flags);
  return memory;
}

static void *map_plain(void *at, size_t bytes, int rights, int flags, int fd,
                       off_t offset) {
  void *memory = raw_mmap(at, bytes, rights, flags, fd, offset);
  if (memory == MAP_FAILED && flags & MAP_FIXED && shim_base_edges(at, bytes))
    memory = raw_mmap(at, bytes, rights, flags, fd, offset);
  size_t least = shim.chosen ? shim.huge : (size_t)THP;
  if (shim.transparent && memory != MAP_FAILED && bytes >= least &&
      shim_wants(bytes, flags, fd))
    shim_advise((uintptr_t)memory, bytes);
  return memory;
}

static void *map(void *at, size_t bytes, int rights, int flags, int fd,
                 off_t offset) {
  void *memory = MAP_FAILED;
  if (shim.sandboxed) return raw_mmap(at, bytes, rights, flags, fd, offset);
  bool chosen = fd < 0 && shim.rules.mappings >= 0 && bytes >= shim.rules.least;
  if (chosen) memory = map_small_or_huge(at, bytes, rights, flags);
  if (memory == MAP_FAILED)
    memory = map_plain(at, bytes, rights, flags, fd, offset);
  if (chosen && memory != MAP_FAILED && shim.reports &&
      shim_wants(bytes, flags, fd))
    shim_report_map(memory, bytes, shim.rules.mappings);
  return memory;
}

void *shim_map_huge(size_t bytes) {
  return map_huge(NULL, bytes, RIGHTS, FLAGS);
}

static void *map_as_chosen(void *at, size_t bytes, int rights, int flags,
                           int fd, off_t offset) {
  void *memory = NULL;
  const void *back = __builtin_return_address(0);
  const void *frame = __builtin_frame_address(0);
  if (shim.reports && !shim.sandboxed && flags & MAP_FIXED)
    shim_report_unmap(at, bytes);
  if (flags & MAP_SHARED)
    memory = shim_map_shared(at, bytes, rights, flags, fd, offset, back, frame);
  else if (shim.map_site && is_plain(at, rights, flags))
    memory = shim.map_site(bytes, back, frame);
  else
    memory = shim_map_mallocs(at, bytes, rights, flags, back);
  return memory ? memory : map(at, bytes, rights, flags, fd, offset);
}

SHIM_EXPORT __typeof__(map_as_chosen) mmap
    __attribute__((alias("map_as_chosen")));
SHIM_EXPORT __typeof__(map_as_chosen) mmap64
    __attribute__((alias("map_as_chosen")));

/* A part of a mapping: what whole huge pages there are in that part, the rest
 * stays until the whole goes.  What is unmapped is forgotten before: another
 * thread may be given it at once. */
static int unmap_part(struct held *slot, uintptr_t start, uintptr_t at,
                      size_t bytes) {
  uintptr_t page = (uintptr_t)1 << shim.lg_huge, end = start + slot->mapped;
  uintptr_t asked_end = start + slot->asked;
  uintptr_t from = (at + page - 1) & ~(page - 1),
            to = (at + bytes) & ~(page - 1);
  if (at + bytes >= asked_end) to = end;
  if (to <= from) {
    slot->gone += round_to_page(bytes);
    return release_chunk(slot, start);
  }
  if (from > start) {
    slot->asked = slot->mapped = from - start;
    release(slot, start);
    if (to < end) hold(to, asked_end - to, end - to);
  } else {
    slot->asked = asked_end - to;
    slot->mapped = end - to;
    release(slot, to < end ? to : FREE);
  }
  return (int)syscall(SYS_munmap, from, to - from);
}

/* Of a part whose mapping another thread changes at this moment, too: what the
 * kernel refuses to do to less than a huge page stays. */
static int unmap(void *at, size_t bytes) {
  int error = errno, failed = (int)syscall(SYS_munmap, at, bytes);
  if (!failed || !shim.lg_huge || !bytes || (uintptr_t)at % 4096) return failed;
  errno = error;
  return 0;
}

SHIM_EXPORT int munmap(void *at, size_t bytes) {
  uintptr_t start;
  if (shim.reports) shim_report_unmap(at, bytes);
  if (shim_unmap_mallocs(at, bytes)) return 0;
  uncut((uintptr_t)at, bytes);
  struct held *slot = find(at, &start);
  if (!slot || !seize(slot, start)) return unmap(at, bytes);
  if (start != (uintptr_t)at || bytes < slot->asked)
    return unmap_part(slot, start, (uintptr_t)at, bytes);
  size_t mapped = slot->mapped;
  release(slot, FREE);
  return (int)syscall(SYS_munmap, at, mapped);
}

SHIM_EXPORT int mprotect(void *at, size_t bytes, int rights) {
  int failed = (int)syscall(SYS_mprotect, at, bytes, rights);
  if (failed && shim_base_edges(at, bytes))
    failed = (int)syscall(SYS_mprotect, at, bytes, rights);
  return failed;
}

SHIM_EXPORT int madvise(void *at, size_t bytes, int advice) {
  if (advice == MADV_DONTNEED &&
      shim_discard_mallocs(at, bytes, __builtin_return_address(0)))
    return 0;
  return advice == MADV_DONTNEED ? shim_base_discard(at, bytes)
                                 : (int)syscall(SYS_madvise, at, bytes, advice);
}

/* The kernel cannot let a hugetlb mapping grow: copy it. */
static void *grow(const void *from, size_t old_bytes, size_t bytes, int flags) {
  void *to = flags == MREMAP_MAYMOVE ? map(NULL, bytes, RIGHTS, FLAGS, -1, 0)
                                     : MAP_FAILED;
  if (to == MAP_FAILED)
    errno = ENOMEM;
  else
    __builtin_memcpy(to, from, old_bytes);
  return to;
}

static void *remap_huge(struct held *slot, uintptr_t start, size_t bytes,
                        int flags) {
  void *from = (void *)start;
  if (bytes <= slot->mapped) {
    /* It may have been larger, and shrunk: what comes back is zero. */
    if (bytes > slot->asked)
      __builtin_memset((char *)from + slot->asked, 0, bytes - slot->asked);
    slot->asked = bytes;
    release(slot, start);
    return from;
  }
  size_t mapped = slot->mapped;
  void *to = grow(from, slot->asked, bytes, flags);
  release(slot, to == MAP_FAILED ? start : FREE);
  if (to == MAP_FAILED) return to;
  if (shim.reports) shim_report_unmap(from, mapped);
  syscall(SYS_munmap, from, mapped);
  return to;
}

static void *remap_plain(void *at, size_t old_bytes, size_t bytes, int flags,
                         void *to) {
  void *memory = (void *)syscall(SYS_mremap, at, old_bytes, bytes, flags, to);
  if (!shim.reports || shim.sandboxed || memory == MAP_FAILED) return memory;
  int choice = shim_report_unmap(at, old_bytes);
  if (choice != RULES_NONE) shim_report_map(memory, bytes, choice);
  return memory;
}

SHIM_EXPORT void *mremap(void *at, size_t old_bytes, size_t bytes, int flags,
                         ...) {
  va_list args;
  va_start(args, flags);
  void *to = flags & MREMAP_FIXED ? va_arg(args, void *) : NULL;
  va_end(args);
  uintptr_t start;
  struct held *slot = find(at, &start);
  if (!slot) return remap_plain(at, old_bytes, bytes, flags, to);
  if (seize(slot, start)) {
    if (start == (uintptr_t)at && old_bytes >= slot->asked)
      return remap_huge(slot, start, bytes, flags);
    release(slot, start);
  }
  /* A part of a mapping, which others may follow: what it had stays there. */
  return bytes <= old_bytes ? at : grow(at, old_bytes, bytes, flags);
}
