/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/allocators.h -- what malloc() and its like return.
 *
 * They are known by their names, wherever they are: in a shared library, in a
 * static program, or among the program's own functions if --allocator says so.
 * Code put before their first instruction tells that one begins, calls.c that
 * it has returned.  Nothing is replaced, so that the heap is laid out as ever.
 * Of allocators that call each other the outermost counts.
 */
#ifndef EXPERIMENTS_VALGRIND_ALLOCATORS_H
#define EXPERIMENTS_VALGRIND_ALLOCATORS_H
#include "experiments/valgrind/instrument.h"

/* Where the return address of the one that is executed is; none: ~0. */
extern Addr vt_allocator_stack;
extern UInt vt_allocators_found; /* 0: none was executed */

/* NAME=LIKE, of the command line; false if LIKE is none that is known. */
Bool vt_allocators_name(const HChar *text);
/* Each of these, and whether a function of that name was executed. */
void vt_allocators_named(void (*tell)(const HChar *name, Bool called));
/* While a superblock that begins there is instrumented. */
void vt_allocators_instrument(IRSB *out, Addr entry,
                              const VexGuestLayout *layout);
/* A return left the stack pointer above vt_allocator_stack. */
void vt_allocator_returns(Addr stack);
void vt_allocators_thread(ThreadId thread); /* runs from now on */
void vt_allocators_thread_ends(ThreadId thread);
#endif
