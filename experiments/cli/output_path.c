/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/output_path.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/memory.h"

static bool same_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* What is there under a path; of "-", what standard output is. */
static int stat_output(const char *path, struct stat *file) {
  return strcmp(path, "-") ? stat(path, file) : fstat(STDOUT_FILENO, file);
}

static bool leads_to(const char *path, int fd) {
  struct stat file, open;
  return !stat(path, &file) && !fstat(fd, &open) && same_file(&file, &open);
}

bool output_is_stdout(const char *path) {
  return !strcmp(path, "-") || leads_to(path, STDOUT_FILENO);
}

int output_standard(const char *path) {
  return output_is_stdout(path)          ? STDOUT_FILENO
         : leads_to(path, STDERR_FILENO) ? STDERR_FILENO
                                         : -1;
}

/* "FOLDER/NAME", the folder by its one name; NULL with errno set. */
static char *in_real_folder(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  if (!*name) {
    errno = *path ? EISDIR : ENOENT;
    return NULL;
  }
  char *copy = memory_text(path), *whole = NULL;
  char *folder = realpath(dirname(copy), NULL);
  if (folder) whole = memory_format("%s/%s", folder, name);
  free(folder);
  free(copy);
  return whole;
}

/* One step from a path that leads to nothing: what its last part links to;
 * NULL with errno EINVAL where that is no link, ENOENT where it is nothing. */
static char *follow(const char *path) {
  char text[PATH_MAX];
  ssize_t length = readlink(path, text, sizeof text);
  if (length < 0) return NULL;
  char *copy = memory_text(path);
  char *next = memory_format("%s%s%.*s", *text == '/' ? "" : dirname(copy),
                             *text == '/' ? "" : "/", (int)length, text);
  free(copy);
  return next;
}

char *output_path(const char *path) {
  struct stat file;
  enum { LINKS = 40 }; /* as many as Linux follows */
  if (!stat(path, &file)) return realpath(path, NULL);
  char *at = errno == ENOENT ? memory_text(path) : NULL;
  for (int i = 0; at && i < LINKS; i++) {
    char *next = follow(at);
    bool ends = !next && errno == ENOENT;
    if (ends) next = in_real_folder(at);
    int code = errno;
    free(at);
    errno = code;
    if (ends || !next) return next;
    at = next;
  }
  if (at) errno = ELOOP;
  free(at);
  return NULL;
}

/* In a folder like /tmp only who owns the file or the folder may rename. */
static bool is_sticky_for_us(const char *folder, const struct stat *file) {
  struct stat in;
  uid_t self = geteuid();
  return self && !stat(folder, &in) && in.st_mode & S_ISVTX &&
         in.st_uid != self && file->st_uid != self;
}

/* Nothing can be renamed to where another file is mounted. */
static bool is_mounted(const char *path) {
  struct statx file;
  return !statx(AT_FDCWD, path, 0, STATX_TYPE, &file) &&
         file.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

static int try_file(char *path) {
  struct stat file;
  bool there = !stat(path, &file);
  if (!there && errno != ENOENT) return -1;
  if (there && access(path, W_OK)) return -1;
  if (there && is_mounted(path)) {
    errno = EBUSY;
    return -1;
  }
  const char *folder = dirname(path);
  if (access(folder, W_OK | X_OK)) return -1;
  if (!there || !is_sticky_for_us(folder, &file)) return 0;
  errno = EPERM;
  return -1;
}

int output_path_try(const char *path) {
  struct stat file;
  if (output_standard(path) >= 0) return 0;
  if (!stat(path, &file) && !S_ISREG(file.st_mode)) {
    if (!S_ISDIR(file.st_mode)) return access(path, W_OK);
    errno = EISDIR;
    return -1;
  }
  char *target = output_path(path);
  if (!target) return -1;
  int failed = try_file(target), code = errno;
  free(target);
  errno = code;
  return failed;
}

bool output_path_same(const char *a, const char *b) {
  struct stat file, other;
  if (!stat_output(a, &file) && !stat_output(b, &other))
    return same_file(&file, &other);
  char *one = output_path(a), *two = output_path(b);
  bool same = one && two && !strcmp(one, two);
  free(one);
  free(two);
  return same;
}
