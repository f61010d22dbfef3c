/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/applications/seen_process.h"

#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/applications/root_files.h"
#include "experiments/cli/memory.h"
#include "huge_pages/kernel_files.h"

/* More than any command line or environment that execve(2) takes by default
 * (a quarter of a stack of 8 MiB), and than objects of a program. */
enum { WORDS = 2 << 20, OBJECTS = 4096 };

struct words {
  char *text;
  const char **word;
  size_t count;
};

struct seen_process {
  struct application_seen seen;
  struct words argv, env, objects;
  char exe[SEEN_PATH], cwd[SEEN_PATH];
  int root;
};

/* The file in one piece with a NUL after it; NULL with errno. */
static char *read_bytes(int proc, const char *name, size_t *count) {
  int fd = openat(proc, name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return NULL;
  char *text = memory_get(WORDS + 1);
  *count = 0;
  ssize_t got;
  while ((got = read(fd, text + *count, WORDS - *count)) > 0)
    *count += (size_t)got;
  int error = got < 0 ? errno : 0;
  close(fd);
  text[*count] = '\0';
  if (!error) return text;
  free(text);
  errno = error;
  return NULL;
}

/* Texts with a NUL each; a program that writes its title over them leaves many
 * empty ones behind it. */
static int read_words(struct words *words, int proc, const char *name) {
  size_t count;
  words->text = read_bytes(proc, name, &count);
  if (!words->text) return -1;
  while (count && !words->text[count - 1]) count--;
  for (size_t at = 0; at < count; at += strlen(words->text + at) + 1)
    *ARRAY_ADD(words->word, words->count) = words->text + at;
  return 0;
}

/* Without " (deleted)". */
static void read_path(char path[SEEN_PATH], int proc, const char *name) {
  static const char deleted[] = " (deleted)";
  ssize_t length = readlinkat(proc, name, path, SEEN_PATH - 1);
  path[length > 0 ? length : 0] = '\0';
  size_t end = sizeof deleted - 1;
  if (length > (ssize_t)end && !strcmp(path + length - end, deleted))
    path[(size_t)length - end] = '\0';
}

/* A line of maps: "from-to rights offset device inode   path". */
static void take_mapping(struct seen_process *process, char *line) {
  struct application_seen *seen = &process->seen;
  unsigned long long from, to;
  char rights[5];
  int name = 0;
  line[strcspn(line, "\n")] = '\0';
  if (sscanf(line, "%llx-%llx %4s %*s %*s %*s %n", &from, &to, rights, &name) <
          3 ||
      !name || to < from || line[name] != '/')
    return;
  char *path = line + name;
  bool huge = !strncmp(path, "/anon_hugepage", strlen("/anon_hugepage"));
  if (huge || !strcmp(path, "/dev/zero (deleted)")) {
    if (rights[3] == 's' && to - from > seen->shared_bytes) {
      seen->shared_bytes = to - from;
      seen->shared_huge = huge;
    }
    return;
  }
  char *deleted = strstr(path, " (deleted)");
  if (deleted) *deleted = '\0';
  size_t count = process->objects.count;
  if (count == OBJECTS ||
      (count && !strcmp(process->objects.word[count - 1], path)))
    return;
  *ARRAY_ADD(process->objects.word, process->objects.count) = memory_text(path);
}

static void read_maps(struct seen_process *process, int proc) {
  char line[SEEN_PATH + 128];
  int fd = openat(proc, "maps", O_RDONLY | O_CLOEXEC);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
  if (!file) {
    if (fd >= 0) close(fd);
    return;
  }
  while (fgets(line, sizeof line, file)) take_mapping(process, line);
  fclose(file);
}

/* nginx, redis and PostgreSQL's servers write a title over their environment,
 * too, and have it elsewhere. */
static const char *env_why(const struct words *env, int error) {
  if (error)
    return "its environment may not be read; fix: run as root or as its user";
  for (size_t i = 0; i < env->count; i++)
    if (!strchr(env->word[i], '='))
      return "it wrote a title over its environment";
  return env->count ? NULL : "its environment is empty, or it wrote over it";
}

static void fill(struct seen_process *process, int env_error) {
  struct application_seen *seen = &process->seen;
  char text[HP_TEXT_SIZE];
  size_t kib;
  seen->exe = process->exe;
  seen->cwd = process->cwd;
  seen->argv = process->argv.word;
  seen->argc = process->argv.count;
  seen->env_why = env_why(&process->env, env_error);
  if (!seen->env_why) {
    seen->env = process->env.word;
    seen->envs = process->env.count;
  }
  seen->objects = process->objects.word;
  seen->object_count = process->objects.count;
  if (process->root >= 0) {
    seen->files = &root_files;
    seen->context = &process->root;
  }
  if (!hp_kernel_read_text("/proc/meminfo", text, sizeof text) &&
      hp_kernel_find_size(text, "Hugepagesize:", &kib))
    seen->huge_page_bytes = (uint64_t)kib << 10;
}

struct seen_process *seen_process_create(const char *proc) {
  int fd = open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return NULL;
  struct seen_process *process = memory_zeroed(1, sizeof *process);
  process->root = openat(fd, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
  read_path(process->exe, fd, "exe");
  read_path(process->cwd, fd, "cwd");
  int failed = read_words(&process->argv, fd, "cmdline");
  int error = errno;
  int env_failed = read_words(&process->env, fd, "environ");
  read_maps(process, fd);
  close(fd);
  fill(process, env_failed);
  if (!failed) return process;
  seen_process_destroy(process);
  errno = error;
  return NULL;
}

void seen_process_destroy(struct seen_process *process) {
  if (!process) return;
  for (size_t i = 0; i < process->objects.count; i++)
    free((char *)process->objects.word[i]);
  struct words *of[] = {&process->argv, &process->env, &process->objects};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    free(of[i]->word);
    free(of[i]->text);
  }
  if (process->root >= 0) close(process->root);
  free(process);
}

const struct application_seen *seen_process_seen(
    const struct seen_process *process) {
  return &process->seen;
}
