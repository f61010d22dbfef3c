/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/json_file.h -- a file of JSON. */
#pragma once
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/* Longer than any of ours: it must not fill the memory. */
enum { JSON_FILE_MOST = 1 << 28 };

/* The object or array in it, which the caller releases; a pipe will do.  What
 * has a key twice is refused.  NULL with errno and `error`: the path, the line
 * where there is one, and what is wrong. */
json_t *json_file_read(const char *path, char *error, size_t error_size);

/* The same of `length` bytes of text; NULL with `syntax`, or where memory is
 * short.  A NUL byte is refused, which jansson passes over behind a number or a
 * literal. */
json_t *json_text_read(const char *text, size_t length, json_error_t *syntax);

/* Print `json` as a line, by flags of jansson, and release it.  What cannot be
 * written `to` knows. */
void json_line(FILE *to, json_t *json, size_t flags);
