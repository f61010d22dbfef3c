/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/fault.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#include "gpu_algos/simt/arena.h"
#include "gpu_algos/simt/block.h"

enum { FAULT_STACK_BYTES = 64 * 1024 };

static struct sigaction before[2];
static const int signals[2] = {SIGSEGV, SIGBUS};

/* The code that faulted, as if it were what a call returns to; NULL: this
 * machine's registers are not known here. */
static const void *faulted_at(const ucontext_t *context) {
#if defined(__x86_64__) && defined(__linux__)
  return (const char *)context->uc_mcontext.gregs[REG_RIP] + 1;
#elif defined(__aarch64__) && defined(__linux__)
  return (const char *)context->uc_mcontext.pc + 1;
#else
  (void)context;
  return NULL;
#endif
}

static _Noreturn void fail(struct simt_block *block, const char *at,
                           const struct simt_place *place) {
  uint64_t offset = (uint64_t)(at - simt_arena.base);
  if (simt_stacks_guard(&block->stacks, at))
    simt_block_fail(block, SIMT_LAUNCH_FAILURE, place, 1,
                    "a thread needs more than 60 KiB of stack");
  if (!simt_arena.base || offset >= simt_arena.bytes)
    simt_block_fail(block, SIMT_ILLEGAL_ADDRESS, place, 1,
                    "%p is no memory of the device", (const void *)at);
  struct simt_nearest near = simt_arena_nearest(offset);
  simt_block_fail(block, SIMT_ILLEGAL_ADDRESS, place, 1,
                  "global memory out of bounds: offset %lld of an allocation "
                  "of %llu bytes",
                  (long long)near.offset, (unsigned long long)near.bytes);
}

/* It leaves as a switch of fibers, from code that the fault interrupted: there
 * is no lock and no state of a library in a kernel. */
static void on_fault(int number, siginfo_t *info, void *context) {
  struct simt_block *block = simt_block;
  if (block && block->running) {
    struct simt_place place = {.thread = simt_here.thread,
                               .pc = faulted_at(context)};
    fail(block, info->si_addr, &place);
  }
  sigaction(number, &before[number == SIGBUS], NULL);
}

void simt_faults_watch(void) {
  /* Not blocked inside: the handler is never returned from. */
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
                             .sa_sigaction = on_fault};
  sigemptyset(&action.sa_mask);
  for (unsigned i = 0; i < 2; i++) sigaction(signals[i], &action, &before[i]);
}

void simt_faults_unwatch(void) {
  for (unsigned i = 0; i < 2; i++) sigaction(signals[i], &before[i], NULL);
}

bool simt_faults_begin_thread(void **stack) {
  stack_t own = {.ss_size = FAULT_STACK_BYTES}, old;
  *stack = NULL;
  if (sigaltstack(NULL, &old) || !(old.ss_flags & SS_DISABLE)) return true;
  own.ss_sp = *stack = malloc(FAULT_STACK_BYTES);
  return *stack && !sigaltstack(&own, NULL);
}

void simt_faults_end_thread(void *stack) {
  stack_t none = {.ss_flags = SS_DISABLE};
  if (stack) sigaltstack(&none, NULL);
  free(stack);
}
