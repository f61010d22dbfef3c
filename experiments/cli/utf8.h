/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/utf8.h -- text that is UTF-8, whatever it was made of.
 *
 * Names of files are any bytes, and a name that was cut to fit may end within
 * a character; a page, a picture or a table with either is not well-formed.
 */
#pragma once
#include <stddef.h>
#include <stdio.h>

/* Bytes of the character that `text` begins with; 0: it begins with none. */
size_t utf8_length(const char *text);

/* Characters of `text`; a byte of none counts as one. */
int utf8_width(const char *text);

/* Print the character that `text`, which is not empty, begins with, or U+FFFD
 * in place of what is none or none of XML's.  Returns how many bytes it is. */
size_t utf8_print(FILE *out, const char *text);

/* Cut it before the first byte that is of no whole character. */
void utf8_trim(char *text);
