/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/allocators.h -- what malloc() and its like return.
 *
 * They are known by their names, wherever they are: in a shared library, in a
 * static program, or among the program's own functions if --allocator says so.
 * Code put before their first instruction reports that one begins, and
 * vt_return() that it has returned.  Nothing is replaced, so that the heap is
 * laid out as ever. Of allocators that call each other the outermost counts.
 */
#pragma once
#include "experiments/valgrind/code.h"

/* NAME=LIKE, of the command line; false if LIKE is none that is known. */
Bool vt_allocators_name(const HChar *text);
/* Each of these, and whether a function of that name was executed. */
void vt_allocators_named(void (*tell)(const HChar *name, Bool called));
/* While a superblock that begins there is instrumented. */
void vt_allocators_instrument(IRSB *out, Addr entry,
                              const VexGuestLayout *layout);
/* Any function returned, which left the stack pointer there. */
void vt_return(Addr stack);
void vt_allocators_thread(ThreadId thread); /* runs from now on */
void vt_allocators_thread_ends(ThreadId thread);
