/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/out_dir.h -- files that appear whole or not at all.
 *
 * A file is written under a name nobody can guess and renamed when complete,
 * so that a reader never sees half of one and an older one stays until then.
 */
#pragma once
#include <stdio.h>

/* Open `path` to write files in, making it (and its parents) where absent.
 * Returns a descriptor for out_dir_close(), or -1 with errno.  One at a time.
 */
int out_dir_open(const char *path);
/* What was made and is still empty is removed. */
void out_dir_close(int dir);

struct out_file {
  FILE *stream; /* write (and read back) here */
  int dir;
  const char *name; /* what it will be called */
  char temporary[80];
};

/* Returns 0, or -1 with errno set.  `name` must outlive the file. */
int out_file_begin(struct out_file *file, int dir, const char *name);
/* Make it appear.  Returns 0, or -1 with errno set and nothing changed. */
int out_file_commit(struct out_file *file);
void out_file_abandon(struct out_file *file);
