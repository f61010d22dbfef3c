/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/stream/traced_calls.h -- what stands in traced code in the place
 * of the call before each access.
 *
 * Included in front of every file of traced code (./configure finds out whether
 * the compiler hands its text to the GNU assembler) it defines a macro of the
 * assembler's, which goes before the instruction of its name: every `call`.
 * Where it is one of ThreadSanitizer's functions for up to 8 bytes, what that
 * function of tsan_runtime.c would do is done on the spot, in registers that a
 * call may change; all others are called.
 *
 * A call and its return take longer than the rest; and where an algorithm waits
 * for memory, it waits for as many accesses at a time as fit the processor's
 * window with the instructions between them: random_scan of 2^22 keys takes 28
 * ns where pages are noted by a call, 23 where that is done here (Zen 5).
 */
#pragma once

/* Fields of struct recorder in tsan_runtime.c, and where they are. */
#define TRACED_FIELDS(X) \
  X(last, 0)             \
  X(before, 8)           \
  X(page_bytes, 16)      \
  X(on_before, 24)       \
  X(repeats, 32)         \
  X(other, 64)           \
  X(start, 72)           \
  X(noted_bytes, 80)     \
  X(shift, 88)           \
  X(page_mask, 96)       \
  X(note, 104)           \
  X(end, 112)            \
  X(whole, 120)

#ifdef TRACED_CALLS_INLINE
/* Functions, and what does the same: with the size, and 1 for stores. */
#define TRACED_SIZE(X, load, store, size)     \
  X(load##size, "traced_access " #size ", 0") \
  X(store##size, "traced_access " #size ", 1")
#define TRACED_CASES(X)                              \
  TRACED_SIZE(X, read, write, 1)                     \
  TRACED_SIZE(X, read, write, 2)                     \
  TRACED_SIZE(X, read, write, 4)                     \
  TRACED_SIZE(X, read, write, 8)                     \
  TRACED_SIZE(X, unaligned_read, unaligned_write, 2) \
  TRACED_SIZE(X, unaligned_read, unaligned_write, 4) \
  TRACED_SIZE(X, unaligned_read, unaligned_write, 8) \
  X(read_range, "traced_range read_range, 0")        \
  X(write_range, "traced_range write_range, 1")

#define TRACED_NAME(field, offset) \
  ".set traced_" #field ", vat_recorder+" #offset "\n"
#define TRACED_IF(name, what)               \
  ".ifc \\target,__tsan_" #name "\n\t" what \
  "\n\t.else\n"                             \
  ".ifc \\target,__tsan_" #name "@PLT\n\t" what "\n\t.else\n"
#define TRACED_END(name, what) ".endif\n.endif\n"

/* gcc and clang spell the instruction differently; the other name is free. */
#ifdef __clang__
#define TRACED_CALL "callq"
#define REAL_CALL "call"
#else
#define TRACED_CALL "call"
#define REAL_CALL "callq"
#endif

/* %rdi has the address: on the page, 0 or 1 of the last two, or elsewhere? */
__asm__(TRACED_FIELDS(TRACED_NAME)
        ".macro traced_word page, number, kind, elsewhere\n\t"
        "movq %rdi, %rax\n\t"
        "subq traced_\\page(%rip), %rax\n\t"
        "cmpq traced_page_bytes(%rip), %rax\n\t"
        "jae \\elsewhere\n\t"
        "incq traced_repeats+8*\\number+16*\\kind(%rip)\n\t"
        "movq $\\number, traced_on_before(%rip)\n"
        ".endm\n"
        ".macro traced_access size, kind\n\t"
        "traced_word last, 0, \\kind, .Ltraced_before\\@\n\t"
        "jmp .Ltraced_done\\@\n"
        ".Ltraced_before\\@:\n\t"
        "traced_word before, 1, \\kind, .Ltraced_other\\@\n"
        ".Ltraced_done\\@:\n\t"
        ".subsection 1\n"
        ".Ltraced_other\\@:\n\t"
        "cmpq $0, traced_whole(%rip)\n\t"
        "je .Ltraced_page\\@\n\t"
        /* a note of every access */
        "movq traced_note(%rip), %rdx\n\t"
        "movq %rdi, (%rdx)\n\t"
        "addq $8, %rdx\n\t"
        "movq %rdx, traced_note(%rip)\n\t"
        "cmpq traced_end(%rip), %rdx\n\t"
        "jne .Ltraced_done\\@\n"
        ".Ltraced_full\\@:\n\t" REAL_CALL
        " vat_recorder_hand_on\n\t"
        "jmp .Ltraced_done\\@\n"
        ".Ltraced_page\\@:\n\t" /* record_page() */
        "movq %rdi, %rax\n\t"
        "subq traced_start(%rip), %rax\n\t"
        "cmpq traced_noted_bytes(%rip), %rax\n\t"
        "jae .Ltraced_call\\@\n\t"
        "movq traced_on_before(%rip), %rcx\n\t"
        "movq traced_last(%rip), %rax\n\t"
        "testq %rcx, %rcx\n\t"
        "cmovnzq traced_before(%rip), %rax\n\t"
        "movq %rax, traced_before(%rip)\n\t"
        "movq traced_shift(%rip), %rdx\n\t"
        "leaq (%rdi,%rdx), %rax\n\t"
        "andq traced_page_mask(%rip), %rax\n\t"
        "subq %rdx, %rax\n\t"
        "movq %rax, traced_last(%rip)\n\t"
        "movq $0, traced_on_before(%rip)\n\t"
        "shlq $63, %rcx\n\t"
        "orq %rdi, %rcx\n\t"
        "movq traced_note(%rip), %rdx\n\t"
        "movq %rcx, (%rdx)\n\t"
        "addq $8, %rdx\n\t"
        "movq %rdx, traced_note(%rip)\n\t"
        "cmpq traced_end(%rip), %rdx\n\t"
        "jne .Ltraced_done\\@\n\t"
        "jmp .Ltraced_full\\@\n"
        ".Ltraced_call\\@:\n\t"
        "movl $\\size, %esi\n\t"
        "movl $\\kind, %edx\n\t" REAL_CALL
        " *traced_other(%rip)\n\t"
        "jmp .Ltraced_done\\@\n\t"
        ".previous\n"
        ".endm\n");

/* Several words: %rsi has the bytes, all on one of the pages or left to the
 * function. */
__asm__(
    ".macro traced_words page, number, kind, elsewhere\n\t"
    "movq %rdi, %rax\n\t"
    "subq traced_\\page(%rip), %rax\n\t"
    "leaq -1(%rax,%rsi), %rcx\n\t"
    "cmpq traced_page_bytes(%rip), %rax\n\t"
    "jae \\elsewhere\n\t"
    "cmpq traced_page_bytes(%rip), %rcx\n\t"
    "jae \\elsewhere\n\t"
    "addq $7, %rsi\n\t"
    "shrq $3, %rsi\n\t"
    "addq %rsi, traced_repeats+8*\\number+16*\\kind(%rip)\n\t"
    "movq $\\number, traced_on_before(%rip)\n"
    ".endm\n"
    ".macro traced_range name, kind\n\t"
    "traced_words last, 0, \\kind, .Ltraced_before\\@\n\t"
    "jmp .Ltraced_done\\@\n"
    ".Ltraced_before\\@:\n\t"
    "traced_words before, 1, \\kind, .Ltraced_other\\@\n\t"
    "jmp .Ltraced_done\\@\n"
    ".Ltraced_other\\@:\n\t" REAL_CALL
    " __tsan_\\name\n"
    ".Ltraced_done\\@:\n\t"
    ".endm\n");

__asm__(".macro " TRACED_CALL " target:vararg\n\t" /* the instruction */
        TRACED_CASES(TRACED_IF)                    /* ... or one of these */
        REAL_CALL " \\target\n"                    /* ... or itself */
        TRACED_CASES(TRACED_END) ".endm\n");
#endif
