/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/thp_alone.c -- the switches of all sizes, held for one of them.
 *
 * Two cannot hold them at once, nor can anybody hold one of them for a region
 * (thp_switch.c) meanwhile: who holds them has an exclusive claim, and who
 * comes next waits.  The number that is given back has four bits for each
 * switch that was changed: what it was at, and what it is at now. A choice that
 * somebody else made meanwhile stays.
 */
#include "huge_pages/thp_alone.h"

#include <config.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "huge_pages/guardian.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/pool_resize.h"
#include "huge_pages/size_text.h"
#include "huge_pages/thp_choice.h"

enum { SWITCHES_MAX = 16, BITS = 4, SET_ALWAYS = 8 };

static bool claimed; /* by this process */

/* 0: none is larger. */
static size_t next_with_switch(size_t bytes) {
  size_t most = hp_thp_page_bytes();
  while ((bytes *= 2) <= most)
    if (hp_thp_choice_of(bytes) >= 0) return bytes;
  return 0;
}

size_t hp_thp_alone_choice(enum hp_thp_asks asks) {
  bool enough = hp_thp_choice_effective(HP_THP_INHERIT) == HP_THP_MADVISE;
  if (asks == HP_THP_ASKS_ALWAYS) return HP_THP_MADVISE;
  return asks && enough ? HP_THP_MADVISE : HP_THP_ALWAYS;
}

/* Is the switch of a size, `own` or another, as it has to be? */
static bool is_right(enum hp_thp_choice choice, bool own, size_t wanted) {
  choice = hp_thp_choice_effective(choice);
  if (!own) return choice == HP_THP_NEVER;
  return choice == HP_THP_ALWAYS || (size_t)choice == wanted;
}

/* The size whose switch is not as it has to be, this one's or the largest of
 * the others; 0: all are. */
static size_t wrong_switch(size_t page_bytes, size_t wanted) {
  size_t wrong = 0;
  int choice = hp_thp_choice_of(page_bytes);
  if (choice < 0 || !is_right((enum hp_thp_choice)choice, true, wanted))
    return page_bytes;
  for (size_t bytes = hp_base_page_bytes(); (bytes = next_with_switch(bytes));)
    if (bytes != page_bytes && (choice = hp_thp_choice_of(bytes)) >= 0 &&
        !is_right((enum hp_thp_choice)choice, false, wanted))
      wrong = bytes;
  return wrong;
}

int hp_thp_alone_explain(const struct hp_kind *kind, enum hp_thp_asks asks,
                         struct hp_missing *missing) {
  char path[HP_THP_PATH];
  size_t wanted = hp_thp_alone_choice(asks);
  size_t wrong = wrong_switch(kind->bytes, wanted);
  const char *word = wanted == HP_THP_MADVISE ? "madvise" : "always";
  memset(missing, 0, sizeof *missing);
  if (!wrong) return 0;
  if (wrong == kind->bytes) {
    snprintf(missing->why, sizeof missing->why,
             "the switch of %s pages is not at %s, so that programs get none",
             HP_SIZE_SHOWN(wrong), word);
  } else {
    word = "never";
    snprintf(missing->why, sizeof missing->why,
             "the switch of %s pages is on, so that programs get those instead",
             HP_SIZE_SHOWN(wrong));
  }
  snprintf(missing->fix, sizeof missing->fix, "echo %s | sudo tee %s", word,
           hp_thp_switch_path(wrong, path));
  errno = ENOTSUP;
  return -1;
}

/* Each size that has a switch, and its number. */
#define EACH_SWITCH(i, bytes)                            \
  size_t i = 0, bytes = hp_base_page_bytes();            \
  i < SWITCHES_MAX && (bytes = next_with_switch(bytes)); \
  i++

/* What is to be changed, and given back. */
static int plan(size_t page_bytes, size_t wanted, size_t *changes) {
  *changes = 0;
  for (EACH_SWITCH(i, bytes)) {
    int choice = hp_thp_choice_of(bytes);
    bool own = bytes == page_bytes;
    if (choice < 0) return -1;
    if (is_right((enum hp_thp_choice)choice, own, wanted)) continue;
    size_t note = (size_t)choice + 1;
    if (own && wanted == HP_THP_ALWAYS) note += SET_ALWAYS;
    *changes |= note << (i * BITS);
  }
  return 0;
}

static size_t note_of(size_t changes, size_t i) {
  return changes >> (i * BITS) & ((1 << BITS) - 1);
}

/* What a switch was set to that has this note. */
static enum hp_thp_choice set_to(size_t note, bool own) {
  if (!own) return HP_THP_NEVER;
  return note > SET_ALWAYS ? HP_THP_ALWAYS : HP_THP_MADVISE;
}

/* As many as can be, though one fails. */
static int restore(size_t page_bytes, size_t changes) {
  int failed = 0;
  for (EACH_SWITCH(i, bytes)) {
    size_t note = note_of(changes, i);
    enum hp_thp_choice now = set_to(note, bytes == page_bytes);
    if (note && hp_thp_choice_of(bytes) == (int)now)
      failed |= hp_thp_choice_set(
          bytes, (enum hp_thp_choice)((note & (SET_ALWAYS - 1)) - 1));
  }
  return failed;
}

static void let_go(int fd) {
  int error = errno;
  hp_thp_unclaim(fd);
  claimed = false;
  errno = error;
}

static void entitle(char *title, size_t size, size_t page_bytes, size_t pages) {
  (void)pages;
  snprintf(title, size, "holds the switches for %zu kB pages alone",
           page_bytes / 1024);
}

static bool is_there(size_t page_bytes, size_t wanted) {
  return !wrong_switch(page_bytes, wanted);
}

/* The claim is made here already: what is noted has to be true when the
 * changes begin. */
static int look(int fd, size_t page_bytes, size_t wanted,
                struct hp_guardian_report *report) {
  if (hp_thp_claim_alone(fd, &report->holder)) return -1;
  claimed = true;
  if (!plan(page_bytes, wanted, &report->was)) return 0;
  let_go(fd);
  return -1;
}

static int take(int fd, size_t page_bytes, size_t wanted, size_t *took) {
  int failed = plan(page_bytes, wanted, took);
  for (EACH_SWITCH(i, bytes)) {
    size_t note = note_of(*took, i);
    if (note && !failed)
      failed = hp_thp_choice_set(bytes, set_to(note, bytes == page_bytes));
  }
  if (!failed) return 0;
  int error = errno;
  restore(page_bytes, *took);
  errno = error;
  let_go(fd);
  return -1;
}

/* Where the guardian is gone, its ward has yet to claim them. */
static int claim_again(int fd) {
  pid_t holder;
  if (hp_pool_lock(fd)) return -1;
  for (int tries = 0; hp_thp_claim_alone(fd, &holder);)
    if (errno != EAGAIN || hp_thp_wait(fd, &tries)) return -1;
  hp_pool_unlock(fd);
  return 0;
}

static int give_back(int fd, size_t page_bytes, size_t took) {
  if (!claimed && took && claim_again(fd)) return -1;
  int failed = restore(page_bytes, took);
  let_go(fd);
  return failed;
}

static size_t half(size_t page_bytes, size_t was, size_t most) {
  (void)page_bytes, (void)most;
  return was;
}

const struct hp_holding hp_thp_alone_holding = {
    .entitle = entitle,
    .open = hp_thp_claims_open,
    .is_there = is_there,
    .look = look,
    .take = take,
    .give_back = give_back,
    .half = half,
};
