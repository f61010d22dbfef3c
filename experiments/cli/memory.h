/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/memory.h -- memory that is there, or the command ends.
 *
 * No function here returns without the memory that was asked for, and no
 * function of jansson does after memory_begin(): where there is none,
 * memory_exhausted() ends the command.  libvat, huge_pages and the algorithms
 * return ENOMEM instead, which memory_need() and memory_check() look for.
 *
 * Not for the processes that vat forks to start a program: their callers
 * expect an error.
 */
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Once, at the start of main(). */
void memory_begin(void);

/*
 * Remove what must not be left behind, print "vat: out of memory" and exit with
 * VAT_ABSENT.  What is removed: a progress bar, and what memory_clean_up()
 * registered, as the file and the folders in the making.  A process
 * that was forked from main()'s exits at once, without what main() does at its
 * end.
 */
_Noreturn void memory_exhausted(void);
/* Let memory_exhausted() call clean(context), the last one first; `clean` NULL
 * takes the last one back. */
void memory_clean_up(void (*clean)(void *context), void *context);

/* All are to be released with free(); none is NULL. */
void *memory_get(size_t bytes);
void *memory_zeroed(size_t count, size_t size);
void *memory_grow(void *memory, size_t count, size_t size);
char *memory_text(const char *text); /* strdup(3) */
char *memory_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
char *memory_format_list(const char *format, va_list args)
    __attribute__((format(printf, 1, 0)));

/* A stream whose text is complete after memory_stream_close(); as
 * open_memstream(3). */
FILE *memory_stream(char **text, size_t *length);
void memory_stream_close(FILE *stream);

/* What a library made, or NULL with another errno than ENOMEM. */
void *memory_need(void *made);
/* What a library returned, 0 or an error with another errno than ENOMEM. */
int memory_check(int failed);

/* Arrays that grow, of any type: a pointer and a count, {NULL, 0} when empty.
 * One has room for the power of two that its count does not exceed, so nothing
 * else need be kept; each item is to be added by ARRAY_ADD().  Released by
 * free(). */

/* The address of a new item at the end, not initialized.  The arguments are
 * evaluated more than once. */
#define ARRAY_ADD(items, count) \
  ((items) = array_room((items), (count), sizeof *(items)), &(items)[(count)++])

/* `items` with room for one more than `count` of `size` bytes each. */
void *array_room(void *items, size_t count, size_t size);
