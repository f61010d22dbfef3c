/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/mounts.h -- the file systems that a process sees, and which
 * of them keep files on huge pages. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct file_system {
  uint64_t device; /* as in struct hp_mapping */
  char type[32];   /* "ext4" */
  char huge[16];   /* of tmpfs, its option huge=; "": it has none */
  char *point;     /* where it is mounted */
};

struct mounts {
  struct file_system *at;
  size_t count;
};

/* Read the text of /proc/PID/mountinfo; lines that make no sense are passed
 * over. */
void mounts_read(struct mounts *mounts, FILE *mountinfo);
void mounts_fini(struct mounts *mounts);

/* NULL: there is none, as for memory that only looks like a file. */
const struct file_system *mounts_find(const struct mounts *mounts,
                                      uint64_t device);

bool file_system_is_tmpfs(const struct file_system *system);

/* The first Linux, 6016 for 6.16, on which this type keeps files on pages that
 * are as large; 0: none does. */
int file_system_since(const char *type);
