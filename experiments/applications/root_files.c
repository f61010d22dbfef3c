/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/applications/root_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/cli/memory.h"

enum { NAMES = 4096, CHUNK = 1 << 18 };

static bool is_ours(int root) {
  struct stat theirs, ours;
  return !fstat(root, &theirs) && !stat("/", &ours) &&
         theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;
}

/* openat2(2) came with Linux 5.6, and some containers refuse it; where the root
 * is our own a path leads where it leads. */
static int open_below(int root, const char *path, int flags) {
  struct open_how how = {
      .flags = (uint64_t)(flags | O_CLOEXEC),
      .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
  };
  int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
  if (fd < 0 && (errno == ENOSYS || errno == EPERM) && is_ours(root))
    fd = open(path, flags | O_CLOEXEC);
  return fd;
}

/* Opening a terminal or a pipe would have effects, or wait. */
static int open_regular(int root, const char *path) {
  struct stat is;
  int fd = open_below(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return -1;
  if (!fstat(fd, &is) && S_ISREG(is.st_mode)) return fd;
  close(fd);
  errno = EINVAL;
  return -1;
}

static char *read_file(void *context, const char *path) {
  int fd = open_regular(*(const int *)context, path);
  if (fd < 0) return NULL;
  char *text = memory_get(SEEN_FILE + 2);
  size_t count = 0;
  ssize_t got;
  while ((got = read(fd, text + count, SEEN_FILE + 1 - count)) > 0)
    count += (size_t)got;
  close(fd);
  text[count] = '\0';
  if (!got && count <= SEEN_FILE) return text;
  free(text);
  errno = EFBIG;
  return NULL;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *join_names(char **names, size_t count) {
  char *text = NULL;
  size_t length;
  FILE *stream = memory_stream(&text, &length);
  qsort(names, count, sizeof *names, compare_names);
  for (size_t i = 0; i < count; i++) {
    fprintf(stream, "%s\n", names[i]);
    free(names[i]);
  }
  memory_stream_close(stream);
  free(names);
  return text;
}

static char *read_names(void *context, const char *path) {
  int fd = open_below(*(const int *)context, path, O_RDONLY | O_DIRECTORY);
  DIR *folder = fd < 0 ? NULL : fdopendir(fd);
  if (!folder) {
    if (fd >= 0) close(fd);
    return NULL;
  }
  char **names = memory_get(NAMES * sizeof *names);
  size_t count = 0;
  for (struct dirent *entry; count < NAMES && (entry = readdir(folder));)
    if (!strchr(entry->d_name, '\n'))
      names[count++] = memory_text(entry->d_name);
  closedir(folder);
  return join_names(names, count);
}

static char *read_link(void *context, const char *path) {
  int fd = open_below(*(const int *)context, path, O_PATH | O_NOFOLLOW);
  if (fd < 0) return NULL;
  char *text = memory_get(SEEN_PATH);
  ssize_t length = readlinkat(fd, "", text, SEEN_PATH - 1);
  close(fd);
  text[length > 0 ? length : 0] = '\0';
  if (length > 0) return text;
  free(text);
  return NULL;
}

static bool is_word(const char *at, const struct seen_word *word) {
  return !memcmp(at, word->part[0], word->length[0]) &&
         !memcmp(at + word->length[0], word->part[1], word->length[1]);
}

/* In `count` bytes at `offset` of the file, of which those of the last word and
 * what follows it are searched with the next ones. */
static const char *find_word(const char *bytes, size_t count, uint64_t offset,
                             const struct seen_word *word) {
  size_t length = word->length[0] + word->length[1];
  const char *end = bytes + count;
  for (const char *at = bytes; (size_t)(end - at) >= length; at++) {
    at = memmem(at, (size_t)(end - at), word->part[0], word->length[0]);
    if (!at || (size_t)(end - at) < length) return NULL;
    bool aligned =
        !word->align || (offset + (size_t)(at - bytes)) % word->align == 0;
    if (aligned && is_word(at, word)) return at;
  }
  return NULL;
}

static bool scan(int fd, uint64_t limit, const struct seen_word *word,
                 char *bytes, unsigned char after[SEEN_AFTER]) {
  size_t length = word->length[0] + word->length[1], kept = 0;
  for (uint64_t at = 0; at < limit;) {
    size_t ask = limit - at < CHUNK ? (size_t)(limit - at) : CHUNK;
    ssize_t got = pread(fd, bytes + kept, ask, (off_t)at);
    if (got <= 0) return false;
    at += (uint64_t)got;
    size_t count = kept + (size_t)got;
    const char *found = find_word(bytes, count, at - count, word);
    if (found) {
      off_t next = (off_t)(at - (uint64_t)(bytes + count - found) + length);
      memset(after, 0, SEEN_AFTER);
      return pread(fd, after, SEEN_AFTER, next) >= 0;
    }
    kept = count < length - 1 ? count : length - 1;
    memmove(bytes, bytes + count - kept, kept);
  }
  return false;
}

static bool find_in_file(void *context, const char *path, uint64_t limit,
                         const struct seen_word *word,
                         unsigned char after[SEEN_AFTER]) {
  int fd = open_regular(*(const int *)context, path);
  if (fd < 0) return false;
  char *bytes = memory_get(CHUNK + SEEN_WORD_SIZE);
  bool found = scan(fd, limit, word, bytes, after);
  free(bytes);
  close(fd);
  return found;
}

const struct seen_files root_files = {.read = read_file,
                                      .names = read_names,
                                      .link = read_link,
                                      .find = find_in_file};
