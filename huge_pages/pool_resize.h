/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/pool_resize.h -- grow and shrink a pool by differences.
 *
 * Internal to this folder.  Every change is read-modify-write under flock(2)
 * on the kernel's own nr_hugepages file, so that reservations of several
 * processes add up.  Growth alone would not do: pages one process reserved
 * look free until it maps them.  So each reservation also holds a claim, an
 * open-file-description lock on as many bytes of that file as it wants pages;
 * who comes next subtracts all claims, and the kernel drops a claim with its
 * holder.  Safe in a forked child: no allocation, no stdio streams.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "huge_pages/pool.h"

enum { HP_POOL_PATH = 96 };

/* The path of one `file` of the pool of `page_bytes`; returns `path`. */
const char *hp_pool_path(size_t page_bytes, const char *file,
                         char path[HP_POOL_PATH]);

/* Pages that a new mapping can have: free and promised to nobody. */
size_t hp_pool_spare(const struct hp_pool *pool);

/* Pages that are the pool's own, not lent to it until they are freed. */
size_t hp_pool_persistent(const struct hp_pool *pool);

/*
 * The kernel shows each number in a file of its own, and mappings come and go
 * between two reads.  Surplus pages do not change the persistent ones, though:
 * believe a number that several looks in a row agree on, each of which found
 * the surplus the same before and after the total.  Start from zeros; true
 * once `persistent` is to be believed.
 */
enum { HP_POOL_LOOKS = 3 };
struct hp_pool_looks {
  size_t persistent;
  int alike;
};
bool hp_pool_steady(struct hp_pool_looks *looks, size_t surplus, size_t total,
                    size_t surplus_after);

/*
 * What is ours to give back of persistent pages that were `before`, should
 * have become `target` and are `now`: never more than we asked for.
 */
size_t hp_pool_taken(size_t before, size_t target, size_t now);

/* Open nr_hugepages for what follows.  -1: ENOENT, EACCES, EROFS. */
int hp_pool_open(size_t page_bytes);

/* Wait for the lock, at most a minute; -1: EBUSY. */
int hp_pool_lock(int fd);
void hp_pool_unlock(int fd);

/*
 * With the lock held, see to it that `pages` pages are spare beyond all claims
 * and claim them.  Growth is stored in *took, persistent pages; the surplus
 * pages that became persistent with it are counted.  -1: ENOMEM, with the pool
 * as it was.
 */
int hp_pool_grow(int fd, size_t page_bytes, size_t pages, size_t *took);

/*
 * Drop this descriptor's claims and give `took` pages back, never more:
 * take the lock, shrink, verify, again for some seconds if need be.  Then wait
 * (some seconds again, without the lock) until pages still held by a dying
 * process are back. -1: EBUSY when the kernel keeps refusing.
 */
int hp_pool_shrink(int fd, size_t page_bytes, size_t took);
