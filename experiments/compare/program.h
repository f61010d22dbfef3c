/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/program.h -- what kind of file a program is, which
 * decides by what means it can be given huge pages.
 *
 * Only what the file itself says is read: the program is not started.
 */
#ifndef EXPERIMENTS_COMPARE_PROGRAM_H
#define EXPERIMENTS_COMPARE_PROGRAM_H
#include <limits.h>
#include <stdbool.h>

enum program_form {
  PROGRAM_GLIBC,   /* linked to glibc at run time */
  PROGRAM_MUSL,    /* linked to musl at run time */
  PROGRAM_UNKNOWN, /* linked at run time to something else */
  PROGRAM_STATIC,  /* no loader */
};

enum { PROGRAM_WHY = 400 };

struct program {
  char path[PATH_MAX]; /* as found along PATH */
  char elf[PATH_MAX];  /* the same, or the interpreter of a script */
  enum program_form form;
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
int program_find(struct program *program, const char *name,
                 char why[PROGRAM_WHY]);

/* What the ELF file on `fd` is: sets all but the paths and `script`.  -1 with
 * ENOEXEC where it is none, or the errno of a failed read. */
int program_read_elf(struct program *program, int fd);

/* The interpreter that "#!" at the start of `fd` names.  -1 with ENOEXEC. */
int program_read_script(int fd, char interpreter[PATH_MAX]);
#endif
