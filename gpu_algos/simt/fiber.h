/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/fiber.h -- code that waits, on a stack of its own.
 *
 * What waits is known by where it left off, an address in its stack.  Switching
 * is cooperative and stays on one host thread.  By hand on x86-64 and aarch64;
 * by ucontext elsewhere, or where SIMT_UCONTEXT is defined.
 */
#pragma once

#if !defined(__x86_64__) && !defined(__aarch64__) && !defined(SIMT_UCONTEXT)
#define SIMT_UCONTEXT
#endif

/* What to switch to so that `entry`, which never returns, runs on the stack
 * between two addresses. */
void *fiber_prepare(char *stack, char *stack_end, void (*entry)(void));

/* Leave the running code, which *from can be switched to from then on, and go
 * on where `to` left off. */
void fiber_switch(void **from, void *to);
