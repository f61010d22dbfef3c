/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/interrupt.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static const int held[] = {SIGINT, SIGTERM, SIGHUP};
enum { HELD = sizeof held / sizeof *held };

static sigset_t held_set, old_mask;
static struct sigaction old_action[HELD];
static sigjmp_buf escape;
static volatile sig_atomic_t came;
static volatile sig_atomic_t inside, holding; /* a step; it must not end now */

static void on_signal(int number) {
  came = number;
  if (!holding) siglongjmp(escape, 1);
}

int interrupt_arm(void) {
  came = 0;
  sigemptyset(&held_set);
  for (size_t i = 0; i < HELD; i++) {
    if (sigaction(held[i], NULL, &old_action[i])) return -1;
    /* What the caller made us ignore (nohup) stays ignored. */
    if (old_action[i].sa_handler != SIG_IGN) sigaddset(&held_set, held[i]);
  }
  if (sigprocmask(SIG_BLOCK, &held_set, &old_mask)) return -1;
  struct sigaction action = {.sa_handler = on_signal};
  action.sa_mask = held_set;
  for (size_t i = 0; i < HELD; i++)
    if (sigismember(&held_set, held[i])) sigaction(held[i], &action, NULL);
  return 0;
}

/* The held signal that waits, or 0. */
static int waiting(void) {
  sigset_t pending;
  if (sigpending(&pending)) return 0;
  for (size_t i = 0; i < HELD; i++)
    if (sigismember(&held_set, held[i]) && sigismember(&pending, held[i]))
      return held[i];
  return 0;
}

void interrupt_disarm(void) {
  if (!came) came = waiting();
  /* A pending one must not jump: let it fall on a handler that ignores it. */
  for (size_t i = 0; i < HELD; i++) signal(held[i], SIG_IGN);
  sigprocmask(SIG_SETMASK, &old_mask, NULL);
  for (size_t i = 0; i < HELD; i++) sigaction(held[i], &old_action[i], NULL);
  sigemptyset(&held_set); /* a later step, unarmed, holds nothing back */
}

int interruptible(void (*step)(void *context), void *context) {
  if (came || sigsetjmp(escape, 1)) { /* the jump restores the blocked mask */
    inside = 0;
    errno = EINTR;
    return -1;
  }
  inside = 1;
  sigprocmask(SIG_UNBLOCK, &held_set, NULL);
  step(context);
  sigprocmask(SIG_BLOCK, &held_set, NULL);
  inside = 0;
  return 0;
}

void interrupt_hold(void) {
  holding = 1;
  atomic_signal_fence(memory_order_seq_cst);
}

void interrupt_release(void) {
  atomic_signal_fence(memory_order_seq_cst);
  holding = 0;
  if (came && inside) siglongjmp(escape, 1);
}

bool interrupt_pending(void) { return came || waiting(); }

void interrupt_die(void) {
  if (!came) return;
  signal(came, SIG_DFL);
  raise(came);
}
