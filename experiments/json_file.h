/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/json_file.h -- a file of JSON. */
#ifndef EXPERIMENTS_JSON_FILE_H
#define EXPERIMENTS_JSON_FILE_H
#include <jansson.h>
#include <stddef.h>

/* The object or array in it, which the caller releases; a pipe will do.  What
 * has a key twice is refused.  NULL with `error`: the path, the line where
 * there is one, and what is wrong. */
json_t *json_file_read(const char *path, char *error, size_t error_size);

/* What Jansson found wrong in the file, as `error`. */
void json_file_explain(const char *path, const json_error_t *syntax,
                       char *error, size_t error_size);
#endif
