/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/output_path.h -- where writing to a path leads. */
#pragma once
#include <stdbool.h>

/* "-", or what standard output is: a file, too, which others may append to. */
bool output_is_stdout(const char *path);

/* The standard file, output or error, that it is: written as it is open, since
 * a file in its place would miss what else goes there.  -1: neither. */
int output_standard(const char *path);

/*
 * The file that is made or replaced, by its one name: links are followed, also
 * one to a file that is not there yet.  To free(); NULL with errno set.
 */
char *output_path(const char *path);

/* Can that file be replaced by rename(2), or made?  0, or -1 with errno set. */
int output_path_try(const char *path);

/* Do both paths lead to one file, which may not be there yet? */
bool output_path_same(const char *a, const char *b);
