/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/thp_choice.h -- what the switch of a size of transparent huge
 * pages is at, and claims on it.
 *
 * Internal to this folder; safe in a forked child.  A claim is an
 * open-file-description lock on the switch's file, which the kernel drops with
 * its holder.  One that others may have, too, is on the byte of the choice that
 * the last of them is to restore; one that is exclusive is on all bytes.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

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

/* -1: ENOENT, EACCES, EROFS. */
int hp_thp_switch_open(size_t page_bytes);

/* The choice in brackets; -1: EINVAL. */
int hp_thp_choice_read(int fd);
/* The same without the right to change it; -1: ENOENT, too. */
int hp_thp_choice_of(size_t page_bytes);
int hp_thp_choice_set(int fd, enum hp_thp_choice choice);

/* What the switch comes to: not HP_THP_INHERIT. */
enum hp_thp_choice hp_thp_choice_effective(enum hp_thp_choice choice);

/* What others who claim it are to restore, HP_THP_ALONE where their claim is
 * exclusive; -1: there are none. */
int hp_thp_claimed(int fd);

/* `type`: F_RDLCK with others, F_UNLCK.  -1: EAGAIN. */
int hp_thp_claim(int fd, enum hp_thp_choice choice, short type);
/* `type`: F_WRLCK, F_UNLCK. */
int hp_thp_claim_alone(int fd, short type);

/* Let go of the lock of hp_pool_lock() for a moment, since somebody else's
 * claim is in the way; `tries` counts from 0.  -1: EBUSY after a minute. */
int hp_thp_wait(int fd, int *tries);
