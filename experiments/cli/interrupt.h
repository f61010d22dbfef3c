/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/interrupt.h -- stop on a signal, at once and clean.
 *
 * Between interrupt_arm() and interrupt_disarm() SIGINT, SIGTERM and SIGHUP
 * are held back and delivered only inside interruptible(): there plain
 * computation runs that owns no lock and no memory, so it can be abandoned by
 * a jump, and everything outside can be left to the ordinary clean-up path.
 * One user per process.
 */
#pragma once
#include <stdbool.h>

int interrupt_arm(void); /* 0, or -1 with errno */
void interrupt_disarm(void);

/* Call step(context), unless a signal came or comes: then -1, EINTR.  Where
 * none are armed, call it. */
int interruptible(void (*step)(void *context), void *context);

/*
 * Inside a step: keep what follows, until interrupt_release(), from being
 * abandoned; a signal that comes meanwhile takes effect there.  For code that
 * does own a lock or memory, such as malloc().  They do not nest.
 */
void interrupt_hold(void);
void interrupt_release(void);

bool interrupt_pending(void); /* a signal waits, or came */

/* Die of the signal that came, so that the caller sees it; returns if none. */
void interrupt_die(void);
