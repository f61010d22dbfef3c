/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/out_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* As mkdir -p: what is there already is fine; a file in the way shows later,
 * when the directory is opened. */
static int make_parents(const char *path) {
  char *copy = strdup(path);
  if (!copy) return -1;
  int failed = 0;
  for (char *slash = copy + 1; !failed && *copy && *slash; slash++) {
    if (*slash != '/') continue;
    *slash = '\0';
    failed = mkdir(copy, 0777) && errno != EEXIST;
    *slash = '/';
  }
  if (!failed) failed = mkdir(copy, 0777) && errno != EEXIST;
  int code = errno;
  free(copy);
  errno = code;
  return failed ? -1 : 0;
}

int out_dir_open(const char *path) {
  if (make_parents(path)) return -1;
  return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int out_file_begin(struct out_file *file, int dir, const char *name) {
  uint64_t random;
  *file = (struct out_file){.dir = dir, .name = name};
  if (getrandom(&random, sizeof random, 0) != sizeof random) return -1;
  snprintf(file->temporary, sizeof file->temporary, ".%.48s.%016llx", name,
           (unsigned long long)random);
  int fd =
      openat(dir, file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return -1;
  file->stream = fdopen(fd, "w+");
  if (file->stream) return 0;
  int code = errno;
  close(fd);
  unlinkat(dir, file->temporary, 0);
  errno = code;
  return -1;
}

int out_file_commit(struct out_file *file) {
  FILE *stream = file->stream;
  bool bad = fflush(stream) || ferror(stream);
  int code = errno;
  file->stream = NULL;
  if (fclose(stream) && !bad) {
    bad = true;
    code = errno;
  }
  if (!bad && !renameat(file->dir, file->temporary, file->dir, file->name))
    return 0;
  if (!bad) code = errno;
  unlinkat(file->dir, file->temporary, 0);
  errno = code;
  return -1;
}

void out_file_abandon(struct out_file *file) {
  if (!file->stream) return;
  fclose(file->stream);
  file->stream = NULL;
  unlinkat(file->dir, file->temporary, 0);
}
