/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/faults/tree.h -- folders of a run: made, told apart, removed. */
#pragma once

/* All of `path` and below, which may be absent. */
void tree_remove(const char *path);

/*
 * One line for each file and folder below `path`, in order of their names:
 * "NAME HASH", the hash being that of a file's bytes, "-" for a folder.  Free
 * it.  NULL with errno set.
 */
char *tree_list(const char *path);

/* The text of a file, with a NUL; empty where it cannot be read.  Free it. */
char *tree_read(const char *directory, const char *name);
