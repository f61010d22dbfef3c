/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/thp_choice.h -- what the switch of a size of transparent huge
 * pages is at, and claims on it.
 *
 * Internal to this folder; safe in a forked child.  A claim is a lock of a
 * process on bytes of one file, which the kernel drops with its holder.  Only
 * root can open that file: who may read a switch may lock its file, too.  One
 * that others may have, too, is on a byte of its own, whose number tells the
 * size and the choice that the last of them is to restore; one that is
 * exclusive is on all bytes, for all sizes.
 */
#pragma once
#include <stddef.h>
#include <sys/types.h>

enum hp_thp_choice {
  HP_THP_ALWAYS,
  HP_THP_INHERIT, /* what the switch of all sizes is at */
  HP_THP_MADVISE,
  HP_THP_NEVER,
  HP_THP_CHOICES,
  HP_THP_ALONE /* no choice: of hp_thp_claimed() */
};

/* The path of the switch; returns `path`. */
enum { HP_THP_PATH = 96 };
const char *hp_thp_switch_path(size_t page_bytes, char path[HP_THP_PATH]);

/* The choice in brackets; -1: ENOENT, EINVAL. */
int hp_thp_choice_of(size_t page_bytes);
int hp_thp_choice_set(size_t page_bytes, enum hp_thp_choice choice);

/* What the switch comes to: not HP_THP_INHERIT. */
enum hp_thp_choice hp_thp_choice_effective(enum hp_thp_choice choice);

/* The file of the claims of all sizes; to be closed only by who has none.  -1,
 * also where the switch may not be set: ENOENT, EACCES, EROFS. */
int hp_thp_claims_open(size_t page_bytes);

/* What others who claim the switch are to restore, HP_THP_ALONE where their
 * claim is exclusive, and one of them; -1: there are none. */
int hp_thp_claimed(int fd, size_t page_bytes, pid_t *holder);

/* With others.  -1: EAGAIN. */
int hp_thp_claim(int fd, size_t page_bytes, enum hp_thp_choice choice);
/* Of all sizes.  -1: EAGAIN, and who is in the way. */
int hp_thp_claim_alone(int fd, pid_t *holder);
/* What this process claims. */
void hp_thp_unclaim(int fd);

/* Let go of the lock of hp_pool_lock() for a moment, since somebody else's
 * claim is in the way; `tries` counts from 0.  -1: EBUSY after a minute. */
int hp_thp_wait(int fd, int *tries);
