/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/kernel_files.h -- what the kernel tells in /sys and /proc.
 *
 * Internal to this folder.  Every such file is reached through one root, so
 * that tests can put a captured machine, a plain directory tree, in its place.
 * Nothing here allocates or buffers: a forked child may call it.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Holds any file read here as far as it is asked of, memory.stat too, and is
 * small enough for a few at a time on a stack of 64 KiB (ulimit -s). */
enum { HP_TEXT_SIZE = 8192 };

/*
 * For tests: read below `root` from now on; NULL is the machine itself.  The
 * string is kept, not copied.
 */
void hp_kernel_set_root(const char *root);

/* Write the true path of `path` ("/sys/...").  -1: ENAMETOOLONG. */
int hp_kernel_path(const char *path, char *full, size_t size);

/* As open(2), close-on-exec. */
int hp_kernel_open(const char *path, int flags);

/*
 * Read at most `size` - 1 bytes as a string without its last newline.
 * Returns 0, or -1 with the errno of open or read.
 */
int hp_kernel_read_text(const char *path, char *text, size_t size);

/* Read a file that holds one number.  -1: EINVAL if it holds something else. */
int hp_kernel_read_size(const char *path, size_t *value);

/* Write `value` and a newline.  A value not taken whole is -1 with EIO. */
int hp_kernel_write_size(int fd, size_t value);

/*
 * The number after `key` at the start of a line of `text`, as in
 * "MemAvailable:   1234 kB"; true if there is one.
 */
bool hp_kernel_find_size(const char *text, const char *key, size_t *value);
