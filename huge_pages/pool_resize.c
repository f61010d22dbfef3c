/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/pool_resize.c -- see pool_resize.h for why it is done this way. */
#include "huge_pages/pool_resize.h"

#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "huge_pages/available_memory.h"
#include "huge_pages/guardian.h"
#include "huge_pages/kernel_files.h"

static size_t above(size_t a, size_t b) { return a > b ? a - b : 0; }

static void pause_ms(long ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

const char *hp_pool_path(size_t page_bytes, const char *file,
                         char path[HP_POOL_PATH]) {
  snprintf(path, HP_POOL_PATH, "/sys/kernel/mm/hugepages/hugepages-%zukB/%s",
           page_bytes / 1024, file);
  return path;
}

int hp_pool_read(size_t page_bytes, struct hp_pool *pool) {
  *pool = (struct hp_pool){.page_bytes = page_bytes};
  const struct {
    const char *file;
    size_t *value;
  } files[] = {
      {"nr_hugepages", &pool->total},
      {"free_hugepages", &pool->free},
      {"resv_hugepages", &pool->reserved},
      {"surplus_hugepages", &pool->surplus},
  };
  char path[HP_POOL_PATH];
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (hp_kernel_read_size(hp_pool_path(page_bytes, files[i].file, path),
                            files[i].value))
      return -1;
  return 0;
}

size_t hp_pool_spare(const struct hp_pool *pool) {
  return above(pool->free, pool->reserved);
}

size_t hp_pool_persistent(const struct hp_pool *pool) {
  return above(pool->total, pool->surplus);
}

bool hp_pool_steady(struct hp_pool_looks *looks, size_t surplus, size_t total,
                    size_t surplus_after) {
  size_t persistent = above(total, surplus);
  bool whole = surplus == surplus_after;
  bool again = looks->alike && persistent == looks->persistent;
  looks->alike = !whole ? 0 : again ? looks->alike + 1 : 1;
  looks->persistent = persistent;
  return looks->alike == HP_POOL_LOOKS;
}

/* -1: EBUSY when it is never the same for long enough. */
static int read_persistent(size_t page_bytes, size_t *persistent) {
  struct hp_pool_looks looks = {0};
  char total[HP_POOL_PATH], surplus[HP_POOL_PATH];
  hp_pool_path(page_bytes, "nr_hugepages", total);
  hp_pool_path(page_bytes, "surplus_hugepages", surplus);
  for (int tries = 0; tries < 1000; tries++) {
    size_t before, all, after;
    if (hp_kernel_read_size(surplus, &before) ||
        hp_kernel_read_size(total, &all) ||
        hp_kernel_read_size(surplus, &after))
      return -1;
    *persistent = above(all, before);
    if (hp_pool_steady(&looks, before, all, after)) return 0;
  }
  errno = EBUSY;
  return -1;
}

int hp_pool_open(size_t page_bytes) {
  char path[HP_POOL_PATH];
  int fd =
      hp_kernel_open(hp_pool_path(page_bytes, "nr_hugepages", path), O_RDWR);
  if (fd < 0 && errno == EPERM) errno = EACCES;
  return fd;
}

int hp_pool_lock(int fd) {
  for (int tries = 0; tries < 3000; tries++) {
    if (!flock(fd, LOCK_EX | LOCK_NB)) return 0;
    if (errno != EWOULDBLOCK && errno != EINTR) return -1;
    pause_ms(20);
  }
  errno = EBUSY;
  return -1;
}

void hp_pool_unlock(int fd) { flock(fd, LOCK_UN); }

/*
 * Bytes of [from, to) locked by others: pages they claim.  The kernel reports
 * any one lock that conflicts, so look again on both sides of it.
 */
static size_t claimed(int fd, off_t from, off_t to) {
  struct flock lock = {.l_type = F_RDLCK,
                       .l_whence = SEEK_SET,
                       .l_start = from,
                       .l_len = to - from};
  if (from >= to || fcntl(fd, F_OFD_GETLK, &lock) || lock.l_type == F_UNLCK)
    return 0;
  off_t start = lock.l_start > from ? lock.l_start : from;
  off_t end = lock.l_start + lock.l_len;
  if (!lock.l_len || end > to) end = to; /* length 0: to the end of time */
  return (size_t)(end - start) + claimed(fd, from, start) +
         claimed(fd, end, to);
}

enum { CLAIMS_END = 1 << 30 }; /* more pages than any pool has */

/* Lock `pages` bytes at the first place where no claim is in the way. */
static void claim(int fd, size_t pages) {
  off_t at = 0;
  while (pages && pages < (size_t)(CLAIMS_END - at)) {
    struct flock lock = {.l_type = F_WRLCK,
                         .l_whence = SEEK_SET,
                         .l_start = at,
                         .l_len = (off_t)pages};
    if (!fcntl(fd, F_OFD_SETLK, &lock)) return;
    if (errno != EAGAIN && errno != EACCES) return;
    if (fcntl(fd, F_OFD_GETLK, &lock) || lock.l_type == F_UNLCK) return;
    if (!lock.l_len) return;
    at = lock.l_start + lock.l_len;
  }
}

static void drop_claims(int fd) {
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  fcntl(fd, F_OFD_SETLK, &lock);
}

/*
 * The kernel adds what pages it finds and reports success all the same.  What
 * is missing may turn up once memory has been compacted.
 */
static bool raise_to(int fd, size_t page_bytes, size_t total) {
  struct hp_pool pool;
  for (int tries = 0; tries < 5; tries++) {
    if (hp_kernel_write_size(fd, total) && errno != EIO) return false;
    if (hp_pool_read(page_bytes, &pool)) return false;
    if (pool.total >= total) return true;
    int compact = hp_kernel_open("/proc/sys/vm/compact_memory", O_WRONLY);
    if (compact >= 0) {
      hp_kernel_write_size(compact, 1);
      close(compact);
    }
    pause_ms(10L << tries);
  }
  return false;
}

size_t hp_pool_taken(size_t before, size_t target, size_t now) {
  return above(now < target ? now : target, before);
}

/*
 * A write sets the persistent pages, and the kernel makes its surplus pages
 * persistent before it adds any.  So to add pages is to ask for the surplus,
 * too, and to give back is to return both: the kernel then makes surplus again
 * what is still in use.
 */
static bool add(int fd, size_t page_bytes, size_t pages, size_t *took) {
  struct hp_pool pool;
  size_t before, now;
  if (pages > hp_memory_available() / page_bytes ||
      read_persistent(page_bytes, &before) || hp_pool_read(page_bytes, &pool))
    return false;
  size_t target = before + pool.surplus + pages;
  bool grown = raise_to(fd, page_bytes, target);
  if (read_persistent(page_bytes, &now)) now = grown ? target : before;
  *took = hp_pool_taken(before, target, now);
  if (grown) return true;
  if (*took) hp_kernel_write_size(fd, before);
  *took = 0;
  return false;
}

int hp_pool_grow(int fd, size_t page_bytes, size_t pages, size_t *took) {
  struct hp_pool pool;
  *took = 0;
  if (hp_pool_read(page_bytes, &pool)) return -1;
  size_t spare = hp_pool_spare(&pool);
  size_t missing = above(pages, above(spare, claimed(fd, 0, CLAIMS_END)));
  /* Claims count pages already mapped, too: the pool may do as it is. */
  if (missing && !add(fd, page_bytes, missing, took) && pages > spare) {
    errno = ENOMEM;
    return -1;
  }
  claim(fd, pages);
  return 0;
}

/*
 * With the lock held to the end, so that the one target stays right: reckoned
 * anew for a second try it would give back what the first one gave already.
 * Where somebody else raises the pool meanwhile, leave it to him.
 */
static int shrink_locked(int fd, size_t page_bytes, size_t took) {
  size_t now, last;
  if (read_persistent(page_bytes, &last)) return -1;
  size_t target = above(last, took);
  for (int tries = 0; tries < 100; tries++) {
    hp_kernel_write_size(fd, target);
    if (!read_persistent(page_bytes, &now)) {
      if (now <= target) return 0;
      if (now > last) break;
      last = now;
    }
    pause_ms(100);
  }
  errno = EBUSY;
  return -1;
}

/*
 * Pages in use stay in the pool, as surplus, until their mapping goes; the
 * kernel takes each one out by itself then.
 */
static void await_surplus(size_t page_bytes, size_t surplus) {
  struct hp_pool pool;
  for (int tries = 0; tries < 500; tries++) {
    if (hp_pool_read(page_bytes, &pool) || pool.surplus <= surplus) return;
    pause_ms(10);
  }
}

int hp_pool_shrink(int fd, size_t page_bytes, size_t took) {
  struct hp_pool before;
  if (hp_pool_read(page_bytes, &before)) return -1;
  int tries = 0;
  bool locked;
  /* After ten minutes without: anybody may lock this file. */
  while (!(locked = !hp_pool_lock(fd)) && ++tries < 10) continue;
  drop_claims(fd); /* under the lock, or our pages pass for unclaimed */
  int failed = took ? shrink_locked(fd, page_bytes, took) : 0;
  int error = errno;
  if (locked) hp_pool_unlock(fd);
  await_surplus(page_bytes, before.surplus);
  errno = error;
  return failed;
}

static void entitle(char *title, size_t size, size_t page_bytes, size_t pages) {
  snprintf(title, size, "holds %zu pages of %zu kB", pages, page_bytes / 1024);
}

static bool is_there(size_t page_bytes, size_t pages) {
  struct hp_pool pool;
  return !hp_pool_read(page_bytes, &pool) && pages <= hp_pool_spare(&pool);
}

static int look(int fd, size_t page_bytes, size_t pages,
                struct hp_guardian_report *report) {
  struct hp_pool pool;
  (void)fd;
  if (hp_pool_read(page_bytes, &pool)) return -1;
  report->was = hp_pool_persistent(&pool);
  report->most = pages + pool.surplus;
  return 0;
}

static size_t half(size_t page_bytes, size_t was, size_t most) {
  struct hp_pool pool;
  if (hp_pool_read(page_bytes, &pool)) return 0;
  return hp_pool_taken(was, was + most, hp_pool_persistent(&pool));
}

const struct hp_holding hp_pool_holding = {
    .entitle = entitle,
    .open = hp_pool_open,
    .is_there = is_there,
    .look = look,
    .take = hp_pool_grow,
    .give_back = hp_pool_shrink,
    .half = half,
};
