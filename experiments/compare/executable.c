/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/executable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "experiments/cli/program.h"

/* As the kernel follows scripts of scripts: binfmt_script, exec_binprm(). */
enum { SCRIPTS_MAX = 5 };

static int refuse(int error, char why[EXECUTABLE_WHY], const char *path,
                  const char *what) {
  snprintf(why, EXECUTABLE_WHY, "%.200s: %s", path, what);
  errno = error;
  return -1;
}

static bool is_file(const char *path) {
  struct stat status;
  return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* Along PATH, passing over what cannot be executed unless nothing can. */
static int search(struct executable *program, const char *name) {
  const char *dirs = program_path();
  int error = ENOENT;
  while (true) {
    size_t length = strcspn(dirs, ":");
    int used = snprintf(program->path, sizeof program->path, "%.*s%s%s",
                        (int)length, dirs, length ? "/" : "", name);
    if (used < (int)sizeof program->path && is_file(program->path)) {
      if (!access(program->path, X_OK)) return 0;
      error = EACCES;
    }
    if (!dirs[length]) break;
    dirs += length + 1;
  }
  errno = error;
  return -1;
}

static int locate(struct executable *program, const char *name,
                  char why[EXECUTABLE_WHY]) {
  struct stat status;
  if (!*name) return refuse(ENOENT, why, "''", "no program of that name");
  if (!strchr(name, '/')) {
    if (!search(program, name)) return 0;
    return refuse(errno, why, name,
                  errno == EACCES ? "is not executable; mend: chmod +x"
                                  : "not found along PATH");
  }
  if (strlen(name) >= sizeof program->path)
    return refuse(ENAMETOOLONG, why, name, "too long a path");
  strcpy(program->path, name);
  if (stat(name, &status)) return refuse(errno, why, name, strerror(errno));
  if (S_ISDIR(status.st_mode))
    return refuse(EACCES, why, name, "is a directory, no program");
  if (access(name, X_OK))
    return refuse(errno, why, name, "is not executable; mend: chmod +x");
  return 0;
}

/* For a program that gains rights when it starts, the loader forgets what the
 * environment asks (AT_SECURE), and tracing would take the rights away. */
static int check_rights(const char *path, char why[EXECUTABLE_WHY]) {
  struct stat status;
  if (stat(path, &status)) return refuse(errno, why, path, strerror(errno));
  bool user = status.st_mode & S_ISUID && status.st_uid != geteuid();
  bool group = status.st_mode & S_ISGID && status.st_mode & S_IXGRP &&
               status.st_gid != getegid();
  if (user || group)
    return refuse(EPERM, why, path,
                  user ? "is setuid, so the loader would not hear what vat "
                         "asks of it; mend: run vat as the file's owner"
                       : "is setgid, so the loader would not hear what vat "
                         "asks of it; mend: measure a copy of it");
  if (geteuid() && getxattr(path, "security.capability", NULL, 0) > 0)
    return refuse(EPERM, why, path,
                  "has file capabilities, so the loader would not hear what "
                  "vat asks of it; mend: run vat as root");
  return 0;
}

int executable_read_script(int fd, char interpreter[PATH_MAX]) {
  char line[256]; /* BINPRM_BUF_SIZE: the kernel reads no more */
  ssize_t got = pread(fd, line, sizeof line - 1, 0);
  if (got < 0) return -1;
  line[got] = '\0';
  errno = ENOEXEC;
  if (strncmp(line, "#!", 2)) return -1;
  const char *name = line + 2 + strspn(line + 2, " \t");
  size_t length = strcspn(name, " \t\n");
  if (!length) return -1;
  memcpy(interpreter, name, length);
  interpreter[length] = '\0';
  return 0;
}

/* Look at `path`, and at what interprets it, and so on. */
static int look(struct executable *program, char why[EXECUTABLE_WHY]) {
  strcpy(program->elf, program->path);
  for (int depth = 0; depth < SCRIPTS_MAX; depth++) {
    if (check_rights(program->elf, why)) return -1;
    int fd = open(program->elf, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
      return refuse(errno, why, program->elf,
                    "cannot be read, so vat does not know how to give it huge "
                    "pages; mend: chmod +r");
    int failed = executable_read_elf(program, fd), error = errno;
    char next[PATH_MAX];
    bool script = failed && !executable_read_script(fd, next);
    close(fd);
    if (!failed) return 0;
    if (!script)
      return refuse(error, why, program->elf,
                    error == ENOEXEC ? "is no program: neither ELF nor a "
                                       "script that begins with #!"
                                     : strerror(error));
    program->script = true;
    strcpy(program->elf, next);
  }
  return refuse(ELOOP, why, program->path, "a script of scripts of scripts");
}

int executable_find(struct executable *program, const char *name,
                    char why[EXECUTABLE_WHY]) {
  *program = (struct executable){.form = EXECUTABLE_UNKNOWN};
  if (locate(program, name, why)) return -1;
  return look(program, why);
}
