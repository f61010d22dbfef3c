/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/source_line.h -- names of this program's code, for people.
 *
 * By addr2line of binutils, which is asked when something is wrong and at no
 * other time; without it, or without debug information, addresses are told.
 */
#pragma once
#include <stddef.h>

/* "reduce.cu:12" of the call that returns to `pc`. */
void simt_source_line(const void *pc, char *text, size_t bytes);

/* "reduce<256>" of the function that begins at `function`. */
void simt_function_name(const void *function, char *text, size_t bytes);
