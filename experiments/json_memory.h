/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/json_memory.h -- what jansson had no memory for is not lost
 * silently.
 *
 * An object whose member could not be made goes on without it, and what
 * json_dumps() has no room for it leaves out, keys too, and returns the rest
 * (2.14).  So each allocation is watched: once one has failed, no record is
 * written any more, and the command ends as one that lacks memory.
 */
#ifndef EXPERIMENTS_JSON_MEMORY_H
#define EXPERIMENTS_JSON_MEMORY_H
#include <stdbool.h>

/* Once, before anything is made of jansson.  What it returns for free() by the
 * caller, as json_dumps() does, is to be freed by json_memory_free(). */
void json_memory_watch(void);
void json_memory_free(void *memory);

/* Has an allocation failed since?  Then errno is ENOMEM, too. */
bool json_memory_lacks(void);
#endif
