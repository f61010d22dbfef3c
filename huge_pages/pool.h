/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/pool.h -- the kernel's pools of hugetlb pages, and reservations.
 *
 * A reservation grows a pool, or sets a switch, for the life of this process
 * and gives back exactly what it took.  A guardian process holds it: it
 * restores the machine when told to, or as soon as its parent is gone, however
 * it went (SIGKILL included).  Growth of a pool is a difference, taken under a
 * lock, and free pages that another reservation counts on are not counted; the
 * last reservation of a switch restores what the first one found.  So
 * reservations at once neither undo nor rob each other.  Reserve before mapping
 * regions.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "huge_pages/page_kind.h"

struct hp_pool {
  size_t page_bytes;
  size_t total;    /* nr_hugepages */
  size_t free;     /* free_hugepages */
  size_t reserved; /* resv_hugepages: promised, not yet faulted in */
  size_t surplus;  /* surplus_hugepages */
};

/* Read the pool of `page_bytes` pages.  -1 with ENOENT where there is none. */
int hp_pool_read(size_t page_bytes, struct hp_pool *pool);

struct hp_reservation;

/* How a program asks for transparent huge pages. */
enum hp_thp_asks {
  HP_THP_ASKS_NOT,
  HP_THP_ASKS_MALLOC, /* where the switch of all sizes is at "madvise", as
                         malloc() of glibc does with its tunable */
  HP_THP_ASKS_ALWAYS  /* by madvise() */
};

/*
 * Make sure at least `bytes` of free, unreserved pages are in the pool of
 * `kind`, growing it if needed; or that its switch is on.  NULL with errno:
 * EINVAL (`kind` has neither), EACCES (not root), EROFS (/sys is mounted
 * read-only, as in many containers: root or not does not matter), ENOMEM (the
 * kernel granted less; what it gave has been returned), ENOENT (no such pool),
 * EBUSY (another reservation held the lock for a minute).
 */
struct hp_reservation *hp_pool_reserve(const struct hp_kind *kind,
                                       size_t bytes);
/*
 * See to it that programs get transparent huge pages of `kind` and of no other
 * size, until it is given back: all switches (huge_pages/thp_alone.h, `asks`
 * too).  NULL with errno as above; EBUSY where others held one of them for a
 * minute.
 */
struct hp_reservation *hp_pool_reserve_alone(const struct hp_kind *kind,
                                             enum hp_thp_asks asks);
/*
 * What to call about ten times a second while a reservation is made: `holder`
 * is the guardian that is waited for, or 0.  Where it returns other than 0, the
 * reservation is given up, with EINTR.  NULL: nothing.
 */
void hp_pool_on_wait(int (*on_wait)(pid_t holder));
/* Give back what was taken and wait until it is done.  NULL is fine. */
void hp_pool_release(struct hp_reservation *reservation);
