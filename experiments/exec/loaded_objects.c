/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/loaded_objects.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/memory.h"
#include "experiments/exec/symbol_name.h"
#include "experiments/exec/symbol_table.h"

extern char **environ;

static int open_file(const char *path) {
  return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static void add(struct loaded_objects *all, const char *path) {
  char real[PATH_MAX];
  int fd = open_file(path);
  if (fd < 0) return;
  if (!realpath(path, real)) snprintf(real, sizeof real, "%s", path);
  struct loaded_object *object = ARRAY_ADD(all->at, all->count);
  *object = (struct loaded_object){.path = memory_text(real)};
  if (executable_read_build_id(fd, object->build_id))
    object->build_id[0] = '\0';
  close(fd);
}

/* "  libc.so.6 => /lib/libc.so.6 (0x7f...)", or a path without the arrow. */
static void add_line(struct loaded_objects *all, char *line) {
  char *path = strchr(line, '/'), *arrow = strstr(line, "=> ");
  if (arrow) path = arrow + 3;
  char *end = path ? strstr(path, " (0x") : NULL;
  if (!end || *path != '/') return;
  *end = '\0';
  add(all, path);
}

/* Returns the end of a pipe that it writes to, or -1. */
static int ask(pid_t *child, const char *loader, const char *program) {
  char *argv[] = {(char *)loader, (char *)"--list", (char *)program, NULL};
  int ends[2];
  posix_spawn_file_actions_t actions;
  if (pipe2(ends, O_CLOEXEC)) return -1;
  bool failed = posix_spawn_file_actions_init(&actions) != 0;
  if (!failed) {
    failed = posix_spawn_file_actions_adddup2(&actions, ends[1], 1) ||
             posix_spawn_file_actions_addopen(&actions, 2, "/dev/null",
                                              O_WRONLY, 0) ||
             posix_spawn(child, loader, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
  }
  close(ends[1]);
  if (failed) close(ends[0]);
  return failed ? -1 : ends[0];
}

void loaded_objects_find(struct loaded_objects *all,
                         const struct executable *program) {
  char loader[PATH_MAX], line[PATH_MAX + 100];
  pid_t child;
  *all = (struct loaded_objects){0};
  add(all, program->elf);
  int fd = open_file(program->elf);
  int none = fd < 0 || executable_read_loader(fd, loader);
  if (fd >= 0) close(fd);
  int answer = none ? -1 : ask(&child, loader, program->elf);
  FILE *stream = answer < 0 ? NULL : fdopen(answer, "r");
  while (stream && fgets(line, sizeof line, stream)) add_line(all, line);
  if (stream)
    fclose(stream);
  else if (answer >= 0)
    close(answer);
  if (answer >= 0) waitpid(child, NULL, 0);
}

void loaded_objects_fini(struct loaded_objects *all) {
  for (size_t i = 0; i < all->count; i++) free(all->at[i].path);
  free(all->at);
  *all = (struct loaded_objects){0};
}

struct wanted {
  const char *name;
  bool found;
};

static void compare(void *context, const char *name, uintptr_t start,
                    size_t bytes) {
  struct wanted *wanted = context;
  (void)start, (void)bytes;
  if (!wanted->found) wanted->found = symbol_is(name, wanted->name);
}

bool loaded_object_has(const struct loaded_object *object, const char *name) {
  struct stat status;
  char *stem = memory_format("%.*s", (int)symbol_stem(name), name);
  struct wanted wanted = {.name = stem};
  int fd = open_file(object->path);
  if (fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode) &&
      status.st_size > 0) {
    size_t size = (size_t)status.st_size;
    void *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file != MAP_FAILED) {
      symbol_table_read(file, size, compare, &wanted);
      munmap(file, size);
    }
  }
  if (fd >= 0) close(fd);
  free(stem);
  return wanted.found;
}
