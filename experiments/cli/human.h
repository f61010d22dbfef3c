/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/human.h -- figures as people read them.
 *
 * Each fills `text` and returns it, so that it can stand in an argument list.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { HUMAN_SIZE = 48 };

/* "21.8", "0.270", "1540": three significant digits; "-" for NAN. */
const char *human_number(double value, char text[HUMAN_SIZE]);

/* How many decimals a bound of a ratio needs: two, and more where two would
 * show a bound as 1 that is not. */
int human_digits(double bound, bool leaves_out_1);

/* "[0.90, 1.02]", of a ratio; "[0.90, 0.998]": an interval without 1 shows so.
 */
const char *human_interval(double lo, double hi, char text[HUMAN_SIZE]);

/* Of a page kind: "2 MiB pages", "transparent huge pages"; "NAME pages" for a
 * name that is neither here nor a size. */
const char *human_pages(const char *name, char text[HUMAN_SIZE]);

/* The same, as long as the block around them. */
#define HUMAN_NUMBER(value) human_number((value), (char[HUMAN_SIZE]){""})
#define HUMAN_PAGES(name) human_pages((name), (char[HUMAN_SIZE]){""})

/* Names that a message lists, "a, b, c", as far as it fits.  Begins with "". */
enum { NAMES_SIZE = 400 };
void names_add(char names[NAMES_SIZE], const char *name);

/* The names of a table, whose rows begin with theirs, up to one without. */
const char *names_of(const void *rows, size_t row_bytes,
                     char names[NAMES_SIZE]);
/* The same as long as the block around it. */
#define NAMES_OF(rows) names_of((rows), sizeof *(rows), (char[NAMES_SIZE]){""})
