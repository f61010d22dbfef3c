/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/out_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/kill_guard.h"
#include "experiments/cli/memory.h"

/* 0 also where it is there: a file in the way shows when it is opened. `*there`
 * is the length of the path's part that was there before. */
static int make(const char *path, size_t *there, bool *made) {
  if (!mkdir(path, 0777)) {
    *made = true;
  } else {
    if (errno != EEXIST) return -1;
    if (!*made) *there = strlen(path);
  }
  return 0;
}

/* As mkdir -p. */
static int make_all(const char *path, size_t *there) {
  char *copy = memory_text(path);
  bool made = false;
  int failed = 0;
  for (char *slash = copy + 1; !failed && *copy && *slash; slash++) {
    if (*slash != '/') continue;
    *slash = '\0';
    failed = make(copy, there, &made);
    *slash = '/';
  }
  if (!failed) failed = make(copy, there, &made);
  if (!made) *there = strlen(path);
  free(copy);
  return failed;
}

int out_dir_open(const char *path) {
  sigset_t before;
  size_t there = 0;
  kill_guard_hold(&before);
  int failed = make_all(path, &there);
  kill_guard_set_folders(path, there);
  kill_guard_release(&before);
  int dir = failed ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0) kill_guard_remove_folders();
  return dir;
}

void out_dir_close(int dir) {
  close(dir);
  kill_guard_remove_folders();
}

static void take_away(struct out_file *file) {
  sigset_t before;
  int code = errno;
  kill_guard_hold(&before);
  unlinkat(file->dir, file->temporary, 0);
  kill_guard_set(-1, NULL);
  kill_guard_release(&before);
  errno = code;
}

int out_file_begin(struct out_file *file, int dir, const char *name) {
  uint64_t random;
  sigset_t before;
  *file = (struct out_file){.dir = dir, .name = name};
  if (getrandom(&random, sizeof random, 0) != sizeof random) return -1;
  snprintf(file->temporary, sizeof file->temporary, ".%.48s.%016llx", name,
           (unsigned long long)random);
  kill_guard_hold(&before);
  int fd =
      openat(dir, file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0) kill_guard_set(dir, file->temporary);
  kill_guard_release(&before);
  if (fd < 0) return -1;
  file->stream = fdopen(fd, "w+");
  if (file->stream) return 0;
  take_away(file);
  close(fd);
  return -1;
}

static int rename_whole(const struct out_file *file) {
  sigset_t before;
  kill_guard_hold(&before);
  int failed = renameat(file->dir, file->temporary, file->dir, file->name);
  if (!failed) kill_guard_set(-1, NULL);
  kill_guard_release(&before);
  return failed;
}

/* A write that failed earlier is told by the stream, but no longer why: the
 * disk it failed on is as full still. */
static int flush(FILE *stream) {
  if (fflush(stream)) return -1;
  if (!ferror(stream)) return 0;
  clearerr(stream);
  errno = fputc(' ', stream) == EOF || fflush(stream) ? errno : EIO;
  return -1;
}

int out_file_commit(struct out_file *file) {
  FILE *stream = file->stream;
  bool bad = flush(stream);
  int code = errno;
  file->stream = NULL;
  if (fclose(stream) && !bad) {
    bad = true;
    code = errno;
  }
  if (!bad && !rename_whole(file)) return 0;
  if (!bad) code = errno;
  take_away(file);
  errno = code;
  return -1;
}

void out_file_abandon(struct out_file *file) {
  if (!file->stream) return;
  fclose(file->stream);
  file->stream = NULL;
  take_away(file);
}
