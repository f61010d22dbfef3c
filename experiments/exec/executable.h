/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/executable.h -- what kind of file a program is, which
 * decides by what means it can be given huge pages.
 *
 * Only what the file itself says is read: the program is not started.
 */
#pragma once
#include <limits.h>
#include <stdbool.h>

enum executable_form {
  EXECUTABLE_GLIBC,   /* linked to glibc at run time */
  EXECUTABLE_MUSL,    /* linked to musl at run time */
  EXECUTABLE_UNKNOWN, /* linked at run time to something else */
  EXECUTABLE_STATIC,  /* no loader */
};

enum { EXECUTABLE_WHY = 400 };

struct executable {
  char path[PATH_MAX]; /* as found along PATH */
  char elf[PATH_MAX];  /* the same, or the interpreter of a script */
  enum executable_form form;
  bool script;
  bool same_words; /* ELF of our class and machine: a library of ours loads */
  bool tunables;   /* static, and holds glibc's tunables for huge pages */
};

/*
 * Find `name` as execvp(3) would and look at it.  Returns 0, or -1 with errno
 * ENOENT, EACCES (not executable), ENOEXEC (not a program), EPERM (setuid, so
 * that nothing that vat asks of the loader is heard) or that of a failed read,
 * and `why`, a sentence.
 */
int executable_find(struct executable *program, const char *name,
                    char why[EXECUTABLE_WHY]);

/* What the ELF file on `fd` is: sets all but the paths and `script`.  -1 with
 * ENOEXEC where it is none, or the errno of a failed read. */
int executable_read_elf(struct executable *program, int fd);

/* The loader that the ELF file on `fd` names.  -1 with ENOEXEC: none. */
int executable_read_loader(int fd, char loader[PATH_MAX]);

/* What tells its build from others, in hexadecimal: the note that linkers call
 * the build-id.  -1 with ENOEXEC: it has none, or one longer than 64 bytes. */
enum { EXECUTABLE_BUILD_ID = 2 * 64 + 1 };
int executable_read_build_id(int fd, char id[EXECUTABLE_BUILD_ID]);

/* The interpreter that "#!" at the start of `fd` names.  -1 with ENOEXEC. */
int executable_read_script(int fd, char interpreter[PATH_MAX]);
