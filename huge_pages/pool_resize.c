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

int hp_pool_open(size_t page_bytes) {
  char path[HP_POOL_PATH];
  int fd =
      hp_kernel_open(hp_pool_path(page_bytes, "nr_hugepages", path), O_RDWR);
  if (fd < 0 && (errno == EPERM || errno == EROFS)) errno = EACCES;
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
 * it lacks may turn up once memory has been compacted.
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

int hp_pool_grow(int fd, size_t page_bytes, size_t pages, size_t *took) {
  struct hp_pool pool, now;
  *took = 0;
  if (hp_pool_read(page_bytes, &pool)) return -1;
  size_t spare = hp_pool_spare(&pool);
  size_t lacking = above(pages, above(spare, claimed(fd, 0, CLAIMS_END)));
  bool grown = true;
  if (lacking) {
    grown = lacking <= hp_memory_available() / page_bytes &&
            raise_to(fd, page_bytes, pool.total + lacking);
    if (hp_pool_read(page_bytes, &now)) now = pool;
    *took = above(hp_pool_persistent(&now), hp_pool_persistent(&pool));
  }
  if (!grown) {
    /* Claims count pages already mapped, too: the pool may do as it is. */
    if (*took) hp_kernel_write_size(fd, hp_pool_persistent(&pool));
    *took = 0;
    if (pages > spare) {
      errno = ENOMEM;
      return -1;
    }
  }
  claim(fd, pages);
  return 0;
}

/* Returns the pages still to give back. */
static size_t shrink_once(int fd, size_t page_bytes, size_t took) {
  struct hp_pool pool;
  if (hp_pool_read(page_bytes, &pool)) return took;
  size_t target = above(hp_pool_persistent(&pool), took);
  hp_kernel_write_size(fd, target);
  if (hp_pool_read(page_bytes, &pool)) return took;
  return above(hp_pool_persistent(&pool), target);
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
  for (int tries = 0; tries < 100; tries++) {
    if (hp_pool_lock(fd)) continue;
    drop_claims(fd); /* under the lock, or our pages pass for unclaimed */
    if (took) took = shrink_once(fd, page_bytes, took);
    hp_pool_unlock(fd);
    if (!took) break;
    pause_ms(100);
  }
  await_surplus(page_bytes, before.surplus);
  if (!took) return 0;
  errno = EBUSY;
  return -1;
}
