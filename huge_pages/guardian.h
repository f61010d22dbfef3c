/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/guardian.h -- the process that holds a reservation.
 *
 * Internal to this folder.  The guardian is a grandchild of its ward, the
 * process that reserves: in a session of its own, deaf to signals, with none
 * of the ward's files open, so that neither a signal to the ward's process
 * group nor a wait for its children, nor a reader of its output, notices it.
 * It grows the pool itself, so that there is no moment when pages are taken
 * and nobody is left to give them back.
 */
#pragma once
#include <stddef.h>
#include <sys/types.h>

#include "huge_pages/pool.h"

/* What the guardian tells its ward over their socket. */
struct hp_guardian_report {
  enum {
    HP_GUARDIAN_GROWS,    /* is about to, with the lock held */
    HP_GUARDIAN_HOLDS,    /* has `took` pages */
    HP_GUARDIAN_RETURNED, /* gave them back and exits */
    HP_GUARDIAN_FAILED,   /* for `error`, and exits */
  } stage;
  int error;
  pid_t pid;   /* of the guardian */
  size_t took; /* pages by which it grew the pool */
  size_t was;  /* GROWS: persistent pages before */
  size_t most; /* GROWS: by how many they can become more */
};

/*
 * The one message, with its final 0, that makes the guardian give back; any
 * other is ignored.
 */
#define HP_GUARDIAN_ORDER "hp_guardian: give back"

/*
 * Start one for `pages` pages.  Returns the ward's end of the socket: reports
 * arrive there; HP_GUARDIAN_ORDER sent, or the end closed, or the ward's death
 * makes the guardian give back, after which it closes its end and exits. -1
 * with errno of socketpair or fork.
 */
int hp_guardian_start(size_t page_bytes, size_t pages);

/* For tests: who guards `reservation`; 0 when nobody needs to. */
pid_t hp_guardian_pid(const struct hp_reservation *reservation);
