/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/array.h -- arrays that grow, of any type.
 *
 * One is a pointer and a count, {NULL, 0} when empty.  It has room for the
 * power of two that its count does not exceed, so nothing else need be kept;
 * each item is to be added by ARRAY_ADD().  Released by free().
 */
#pragma once
#include <stddef.h>

/* The address of a new item at the end, not initialized.  The arguments are
 * evaluated more than once. */
#define ARRAY_ADD(items, count) \
  ((items) = array_room((items), (count), sizeof *(items)), &(items)[(count)++])

/* `items` with room for one more than `count` of `size` bytes each. */
void *array_room(void *items, size_t count, size_t size);
