/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/memory_lack.h -- what memory was short for is not lost
 * silently.
 *
 * What prints or draws goes on where an allocation fails, and takes a note of
 * it.  So does jansson: an object whose member could not be made goes on
 * without it, and what json_dumps() has no room for it leaves out, keys too,
 * and returns the rest (2.14); each of its allocations is watched.  Once one
 * has failed, no record is written and no file gets its name any more, and the
 * command ends as one that lacks memory.
 */
#ifndef EXPERIMENTS_CLI_MEMORY_LACK_H
#define EXPERIMENTS_CLI_MEMORY_LACK_H
#include <stdbool.h>

/* Once, before anything is made of jansson.  What it returns for free() by the
 * caller, as json_dumps() does, is to be freed by memory_lack_free(). */
void memory_lack_watch(void);
void memory_lack_free(void *memory);

void memory_lack_note(void);

/* Has an allocation failed since?  Then errno is ENOMEM, too. */
bool memory_lacks(void);
#endif
