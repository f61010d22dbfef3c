/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/fiber.h -- a stack and the place where its code left off.
 *
 * Switching is cooperative and stays on one host thread.  By hand on x86-64 and
 * aarch64; by ucontext elsewhere, or where SIMT_UCONTEXT is defined.
 */
#ifndef GPU_ALGOS_SIMT_FIBER_H
#define GPU_ALGOS_SIMT_FIBER_H
#include <stddef.h>

#if !defined(__x86_64__) && !defined(__aarch64__) && !defined(SIMT_UCONTEXT)
#define SIMT_UCONTEXT
#endif

#ifdef SIMT_UCONTEXT
#include <ucontext.h>
#endif

struct fiber {
#ifdef SIMT_UCONTEXT
  ucontext_t context;
#else
  void *stack_pointer;
#endif
  char *stack, *stack_end; /* NULL: the host thread's own */
};

/* Let `entry`, which never returns, be what the next switch to it starts. */
void fiber_prepare(struct fiber *fiber, void (*entry)(void));

/* Leave `from`, which is running, and go on in `to`. */
void fiber_switch(struct fiber *from, struct fiber *to);
#endif
