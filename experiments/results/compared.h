/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/compared.h -- the object that `vat compare --json`
 * prints.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The command of that array: the program without its folder, and as much of its
 * arguments as there is room for. */
void compared_program(char *text, size_t size, const json_t *command);

/* Is it of this command, NULL-ended?  Also of a record of vat compare -o. */
bool compared_is_of(const json_t *comparison, char *const *program);

/* The row of a page kind, or of an arm; NULL: there is none. */
const json_t *compared_kind(const json_t *comparison, const char *name);

/* User time to that on base pages, with its interval; NAN: unknown. */
struct compared_ratio {
  double value, lo, hi;
};
struct compared_ratio compared_user(const json_t *kind);
