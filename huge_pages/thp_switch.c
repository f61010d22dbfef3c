/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/thp_switch.c -- the switch of one size of transparent huge pages,
 * held at "madvise" for a reservation.
 *
 * Several can hold it at once, and only the first finds the choice that is to
 * come back.  So each holder has a claim (thp_choice.h), which tells that
 * choice.  Who comes next reads it there; the last one to go restores it.  A
 * choice that somebody else made meanwhile stays, unless it is madvise, too.
 */
#include <config.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#include "huge_pages/guardian.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/pool_resize.h"
#include "huge_pages/thp_choice.h"

static void entitle(char *title, size_t size, size_t page_bytes, size_t pages) {
  (void)pages;
  snprintf(title, size, "holds the switch of %zu kB pages", page_bytes / 1024);
}

static bool is_on(size_t page_bytes) {
  char path[128];
  return !hp_thp_switched_off(page_bytes, path, sizeof path);
}

static bool is_there(size_t page_bytes, size_t pages) {
  (void)pages;
  return is_on(page_bytes);
}

/* What is to be restored once nobody holds it.  -1: EAGAIN where somebody has
 * all switches for one size (thp_alone.c). */
static int former(int fd, size_t page_bytes, pid_t *holder) {
  int others = hp_thp_claimed(fd, page_bytes, holder);
  if (others < 0) return hp_thp_choice_of(page_bytes);
  if (others != HP_THP_ALONE) return others;
  errno = EAGAIN;
  return -1;
}

static int look(int fd, size_t page_bytes, size_t pages,
                struct hp_guardian_report *report) {
  (void)pages;
  int choice = former(fd, page_bytes, &report->holder);
  report->was = (size_t)(choice + 1);
  return choice < 0 ? -1 : 0;
}

/* `took` is the number of the former choice, from 1. */
static int take(int fd, size_t page_bytes, size_t pages, size_t *took) {
  pid_t holder;
  (void)pages;
  *took = 0;
  if (hp_thp_claimed(fd, page_bytes, &holder) < 0 && is_on(page_bytes))
    return 0;
  int choice = former(fd, page_bytes, &holder);
  if (choice < 0 || hp_thp_claim(fd, page_bytes, (enum hp_thp_choice)choice))
    return -1;
  if (!is_on(page_bytes) && hp_thp_choice_set(page_bytes, HP_THP_MADVISE)) {
    int error = errno;
    hp_thp_unclaim(fd);
    errno = error;
    return -1;
  }
  *took = (size_t)(choice + 1);
  return 0;
}

static int give_back(int fd, size_t page_bytes, size_t took) {
  if (!took) return 0;
  int tries = 0, failed = 0;
  pid_t holder;
  while (hp_pool_lock(fd))
    if (++tries == 10) return -1;
  /* Under the lock, or two could think they stay. */
  hp_thp_unclaim(fd);
  for (tries = 0; hp_thp_claimed(fd, page_bytes, &holder) == HP_THP_ALONE;)
    if (hp_thp_wait(fd, &tries)) break;
  if (hp_thp_claimed(fd, page_bytes, &holder) < 0 &&
      hp_thp_choice_of(page_bytes) == HP_THP_MADVISE)
    failed = hp_thp_choice_set(page_bytes, (enum hp_thp_choice)(took - 1));
  int error = errno;
  hp_pool_unlock(fd);
  errno = error;
  return failed;
}

static size_t half(size_t page_bytes, size_t was, size_t most) {
  (void)page_bytes, (void)most;
  return was;
}

const struct hp_holding hp_thp_switch_holding = {
    .entitle = entitle,
    .open = hp_thp_claims_open,
    .is_there = is_there,
    .look = look,
    .take = take,
    .give_back = give_back,
    .half = half,
};
