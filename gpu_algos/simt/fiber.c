/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only what a function must preserve is kept: switching is a call, and the
 * compiler takes all else for lost.  A tenth of what swapcontext() takes, which
 * also makes a system call for the signal mask. */
#include "gpu_algos/simt/fiber.h"

#ifdef SIMT_UCONTEXT
void fiber_prepare(struct fiber *fiber, void (*entry)(void)) {
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack;
  fiber->context.uc_stack.ss_size = (size_t)(fiber->stack_end - fiber->stack);
  fiber->context.uc_link = NULL;
  makecontext(&fiber->context, entry, 0);
}

void fiber_switch(struct fiber *from, struct fiber *to) {
  swapcontext(&from->context, &to->context);
}
#else
#include <stdint.h>
#include <string.h>

void simt_fiber_swap(void **from, void *to);

#ifdef __x86_64__
enum { SAVED_WORDS = 6 };
__asm__(
    ".text\n"
    ".globl simt_fiber_swap\n"
    ".hidden simt_fiber_swap\n"
    ".type simt_fiber_swap,@function\n"
    "simt_fiber_swap:\n"
    "pushq %rbp\n"
    "pushq %rbx\n"
    "pushq %r12\n"
    "pushq %r13\n"
    "pushq %r14\n"
    "pushq %r15\n"
    "movq %rsp,(%rdi)\n"
    "movq %rsi,%rsp\n"
    "popq %r15\n"
    "popq %r14\n"
    "popq %r13\n"
    "popq %r12\n"
    "popq %rbx\n"
    "popq %rbp\n"
    "ret\n"
    ".size simt_fiber_swap,.-simt_fiber_swap\n");

/* The entry finds the stack as if it had been called: off 16 bytes by 8. */
static void *first_frame(char *stack_end, void (*entry)(void)) {
  void **frame = (void **)stack_end;
  *--frame = NULL;
  *--frame = (void *)(uintptr_t)entry;
  frame -= SAVED_WORDS;
  memset(frame, 0, SAVED_WORDS * sizeof *frame);
  return frame;
}
#else
enum { SAVED_WORDS = 20, LINK_REGISTER = 11 };
__asm__(
    ".text\n"
    ".globl simt_fiber_swap\n"
    ".hidden simt_fiber_swap\n"
    ".type simt_fiber_swap,%function\n"
    "simt_fiber_swap:\n"
    "sub sp,sp,#160\n"
    "stp x19,x20,[sp]\n"
    "stp x21,x22,[sp,#16]\n"
    "stp x23,x24,[sp,#32]\n"
    "stp x25,x26,[sp,#48]\n"
    "stp x27,x28,[sp,#64]\n"
    "stp x29,x30,[sp,#80]\n"
    "stp d8,d9,[sp,#96]\n"
    "stp d10,d11,[sp,#112]\n"
    "stp d12,d13,[sp,#128]\n"
    "stp d14,d15,[sp,#144]\n"
    "mov x9,sp\n"
    "str x9,[x0]\n"
    "mov sp,x1\n"
    "ldp x19,x20,[sp]\n"
    "ldp x21,x22,[sp,#16]\n"
    "ldp x23,x24,[sp,#32]\n"
    "ldp x25,x26,[sp,#48]\n"
    "ldp x27,x28,[sp,#64]\n"
    "ldp x29,x30,[sp,#80]\n"
    "ldp d8,d9,[sp,#96]\n"
    "ldp d10,d11,[sp,#112]\n"
    "ldp d12,d13,[sp,#128]\n"
    "ldp d14,d15,[sp,#144]\n"
    "add sp,sp,#160\n"
    "ret\n"
    ".size simt_fiber_swap,.-simt_fiber_swap\n");

static void *first_frame(char *stack_end, void (*entry)(void)) {
  uint64_t *frame = (uint64_t *)stack_end - SAVED_WORDS;
  memset(frame, 0, SAVED_WORDS * sizeof *frame);
  frame[LINK_REGISTER] = (uintptr_t)entry;
  return frame;
}
#endif

void fiber_prepare(struct fiber *fiber, void (*entry)(void)) {
  fiber->stack_pointer = first_frame(fiber->stack_end, entry);
}

void fiber_switch(struct fiber *from, struct fiber *to) {
  simt_fiber_swap(&from->stack_pointer, to->stack_pointer);
}
#endif
