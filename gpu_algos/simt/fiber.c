/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only what a function must preserve is kept: switching is a call, and the
 * compiler takes all else for lost.  A tenth of what swapcontext() takes, which
 * also makes a system call for the signal mask. */
#include "gpu_algos/simt/fiber.h"

#ifdef SIMT_UCONTEXT
#include <stddef.h>
#include <ucontext.h>

void *fiber_prepare(char *stack, char *stack_end, void (*entry)(void)) {
  ucontext_t *context = (ucontext_t *)(void *)stack_end - 1;
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = (size_t)((char *)context - stack);
  context->uc_link = NULL;
  makecontext(context, entry, 0);
  return context;
}

/* What waits keeps where it is on its own stack. */
void fiber_switch(void **from, void *to) {
  ucontext_t here;
  // cppcheck-suppress autoVariables ; the stack stays until it is gone back to
  *from = &here;
  swapcontext(&here, to);
}
#else
#include <stdint.h>
#include <string.h>

#ifdef __x86_64__
enum { SAVED_WORDS = 6 };
__asm__(
    ".text\n"
    ".globl fiber_switch\n"
    ".hidden fiber_switch\n"
    ".type fiber_switch,@function\n"
    "fiber_switch:\n"
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
    ".size fiber_switch,.-fiber_switch\n");

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
    ".globl fiber_switch\n"
    ".hidden fiber_switch\n"
    ".type fiber_switch,%function\n"
    "fiber_switch:\n"
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
    ".size fiber_switch,.-fiber_switch\n");

static void *first_frame(char *stack_end, void (*entry)(void)) {
  uint64_t *frame = (uint64_t *)stack_end - SAVED_WORDS;
  memset(frame, 0, SAVED_WORDS * sizeof *frame);
  frame[LINK_REGISTER] = (uintptr_t)entry;
  return frame;
}
#endif

void *fiber_prepare(char *stack, char *stack_end, void (*entry)(void)) {
  (void)stack;
  return first_frame(stack_end, entry);
}
#endif
