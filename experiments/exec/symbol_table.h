/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/symbol_table.h -- the functions that an ELF file names.
 *
 * vat and its library for sites both read them.  Nothing here calls a C
 * library, but for memcmp().
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* One function: `start` is relative to where its object is loaded. */
typedef void symbol_table_each(void *context, const char *name, uintptr_t start,
                               size_t bytes);

/* Call `each` for all functions in the file that is mapped at `file`: those of
 * the larger of its two tables.  A damaged file has none. */
void symbol_table_read(const char *file, size_t size, symbol_table_each *each,
                       void *context);
