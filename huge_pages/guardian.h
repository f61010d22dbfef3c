/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/guardian.h -- the process that holds a reservation.
 *
 * Internal to this folder.  The guardian is a grandchild of its ward, the
 * process that reserves: in a session of its own, deaf to signals, with none
 * of the ward's files open, so that neither a signal to the ward's process
 * group nor a wait for its children, nor a reader of its output, notices it.
 * It changes the machine itself, so that there is no moment when something is
 * taken and nobody is left to give it back.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "huge_pages/pool.h"

/* What the guardian tells its ward over their socket. */
struct hp_guardian_report {
  enum {
    HP_GUARDIAN_WAITS,    /* for `holder` */
    HP_GUARDIAN_TAKES,    /* is about to, with the lock held */
    HP_GUARDIAN_HOLDS,    /* has `took` */
    HP_GUARDIAN_RETURNED, /* gave it back and exits */
    HP_GUARDIAN_FAILED,   /* for `error`, and exits */
  } stage;
  int error;
  pid_t pid;    /* of the guardian */
  size_t took;  /* 0: nothing is to be given back */
  size_t was;   /* TAKES: as the machine is, for hp_holding.half() */
  size_t most;  /* TAKES: by how much it can change */
  pid_t holder; /* WAITS: the guardian of who has what is wanted */
};

/*
 * Something of the machine that a reservation takes for pages of a size.  What
 * `pages` and `took` count is its own: pages of a pool, choices of switches.
 * Called in the guardian, a forked child: no allocation, no stdio streams.
 * The ward calls open() and give_back(), too.
 */
struct hp_holding {
  /* What the guardian is called in lists of processes: "holds ...". */
  void (*entitle)(char *title, size_t size, size_t page_bytes, size_t pages);
  /* A file for all that follows, locked by hp_pool_lock(). -1: ENOENT, EACCES,
   * EROFS. */
  int (*open)(size_t page_bytes);
  /* In the ward: is what is wanted there already, without taking anything? */
  bool (*is_there)(size_t page_bytes, size_t pages);
  /* With the lock held: fill was and most.  -1 with EAGAIN, and the holder,
   * where somebody else's claim is to be waited for. */
  int (*look)(int fd, size_t page_bytes, size_t pages,
              struct hp_guardian_report *report);
  /* With the lock held.  -1 with errno, and the machine as it was. */
  int (*take)(int fd, size_t page_bytes, size_t pages, size_t *took);
  /* Without the lock, which it takes. */
  int (*give_back)(int fd, size_t page_bytes, size_t took);
  /* In the ward: the guardian went after its look; what did it take? */
  size_t (*half)(size_t page_bytes, size_t was, size_t most);
};

extern const struct hp_holding hp_pool_holding;       /* pool_resize.c */
extern const struct hp_holding hp_thp_switch_holding; /* thp_switch.c */
extern const struct hp_holding hp_thp_alone_holding;  /* thp_alone.c */

/*
 * The one message, with its final 0, that makes the guardian give back; any
 * other is ignored.
 */
#define HP_GUARDIAN_ORDER "hp_guardian: give back"

/*
 * Start one for `pages` pages of `holding`.  Returns the ward's end of the
 * socket: reports arrive there; HP_GUARDIAN_ORDER sent, or the end closed, or
 * the ward's death makes the guardian give back, after which it closes its end
 * and exits. -1 with errno of socketpair or fork.
 */
int hp_guardian_start(const struct hp_holding *holding, size_t page_bytes,
                      size_t pages);

/* For tests: who guards `reservation`; 0 when nobody needs to. */
pid_t hp_guardian_pid(const struct hp_reservation *reservation);
