/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/out_file.h -- files that appear whole or not at all.
 *
 * A file is written under a name nobody can guess and renamed when complete,
 * so that a reader never sees half of one and an older one stays until then.
 * While a folder or a file is open here, failing, missing memory and the
 * standard signals that end a process leave neither temporary files nor empty
 * folders that were made for them.  One of each at a time in a process.
 */
#pragma once
#include <stdbool.h>
#include <stdio.h>

/* Open `path` to write files in, making it (and its parents) where absent.
 * Returns a descriptor for out_dir_close(), or -1 with errno. */
int out_dir_open(const char *path);
/* What was made and is still empty is removed. */
void out_dir_close(int dir);

struct out_file {
  FILE *stream;  /* write (and, unless in place, read back) here */
  bool in_place; /* standard output, a device or a pipe */
  int dir;
  const char *name; /* what it will be called */
  char temporary[80];
  char *folder; /* of what was opened by a path, `name` behind it */
};

/* A file in such a folder.  Returns 0, or -1 with errno set.  `name` must
 * outlive the file. */
int out_file_begin(struct out_file *file, int dir, const char *name);

/* The file of a path, links followed; "-" is standard output.  What is replaced
 * keeps its owner and its mode.  0, or -1 with errno set. */
int out_file_open(struct out_file *file, const char *path);

/* Make it appear.  Returns 0, or -1 with errno set and nothing changed. */
int out_file_commit(struct out_file *file);

/* Remove what did not become whole; needed once a path was opened, also in
 * vain. */
void out_file_end(struct out_file *file);
