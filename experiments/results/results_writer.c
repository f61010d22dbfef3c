/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Appends to results files.  A line is one write(2), so that a kill between
 * two lines loses nothing; what a full disk cut short is taken away again. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/memory.h"
#include "experiments/results/results_scan.h"

struct results_writer {
  int fd;
  off_t good;  /* bytes of whole lines */
  bool broken; /* a half line could not be taken away: append no more */
};

/* A file system without locks is no reason not to measure. */
static int lock(int fd) {
  return flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK ? -1 : 0;
}

/* Only a half line may be cut off: whole ones were appended by somebody else
 * after the file was read.  A file that lost its name since it was opened would
 * take samples with it. */
static int keep_only(int fd, off_t keep) {
  struct stat file;
  char block[4096];
  if (fstat(fd, &file)) return -1;
  if (file.st_size < keep || !file.st_nlink) {
    errno = ESTALE;
    return -1;
  }
  for (off_t at = keep; at < file.st_size;) {
    ssize_t got = pread(fd, block, sizeof block, at);
    if (got < 0) return -1;
    if (!got) break;
    if (memchr(block, '\n', (size_t)got)) {
      errno = ESTALE;
      return -1;
    }
    at += got;
  }
  return ftruncate(fd, keep);
}

/* NULL; errno stays. */
static struct results_writer *give_up(struct results_writer *writer) {
  int code = errno;
  if (writer->fd >= 0) close(writer->fd);
  free(writer);
  errno = code;
  return NULL;
}

struct results_writer *results_writer_create(const char *path,
                                             long keep_bytes) {
  struct results_writer *writer = memory_zeroed(1, sizeof *writer);
  int create = keep_bytes < 0 ? O_CREAT | O_EXCL : 0;
  writer->good = keep_bytes < 0 ? 0 : keep_bytes;
  writer->fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | create, 0666);
  if (writer->fd >= 0 && !lock(writer->fd) &&
      !keep_only(writer->fd, writer->good))
    return writer;
  return give_up(writer);
}

static int write_whole(struct results_writer *writer, const char *line,
                       size_t length) {
  size_t done = 0;
  while (done < length) {
    ssize_t put = write(writer->fd, line + done, length - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) break;
    done += (size_t)put;
  }
  if (done == length) {
    writer->good += (off_t)length;
    return 0;
  }
  int code = errno;
  if (done && ftruncate(writer->fd, writer->good)) writer->broken = true;
  errno = code;
  return -1;
}

int results_write_new(struct results_writer *writer, json_t *record) {
  char *line = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(15));
  size_t length = line ? strlen(line) : 0;
  int failed = -1;
  int code = writer->broken                    ? EIO
             : !line                           ? EINVAL
             : length + 1 >= RESULTS_LINE_MOST ? EFBIG
                                               : 0;
  if (!code) {
    line[length] = '\n'; /* in place of the NUL: one buffer, one write */
    failed = write_whole(writer, line, length + 1);
    code = errno;
  }
  free(line);
  json_decref(record);
  errno = code;
  return failed;
}

static int write_header(struct results_writer *writer, const json_t *header) {
  for (size_t i = 0; i < json_array_size(header); i++)
    if (results_write_new(writer, json_incref(json_array_get(header, i))))
      return -1;
  return fsync(writer->fd) && errno != EINVAL ? -1 : 0;
}

/* A file without a name in the directory of `path`; -1 where the file system
 * knows no such thing. */
static int open_nameless(const char *path) {
  char *copy = memory_text(path);
  int fd = open(dirname(copy), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0666);
  free(copy);
  return fd;
}

static int give_name(int fd, const char *path) {
  char self[64];
  snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* The same with a name from the start, taken away again on failure. */
static void remove_named(void *path) { unlink(*(const char **)path); }

static struct results_writer *begin_named(const char *path,
                                          const json_t *header) {
  struct results_writer *writer = results_writer_create(path, -1);
  if (!writer) return NULL;
  memory_clean_up(remove_named, &path);
  int failed = write_header(writer, header);
  int code = errno;
  memory_clean_up(NULL, NULL);
  if (!failed) return writer;
  unlink(path);
  errno = code;
  return give_up(writer);
}

struct results_writer *results_writer_begin(const char *path,
                                            const json_t *header) {
  struct results_writer *writer = memory_zeroed(1, sizeof *writer);
  writer->fd = open_nameless(path);
  if (writer->fd >= 0 && !lock(writer->fd) && !write_header(writer, header) &&
      !give_name(writer->fd, path))
    return writer;
  give_up(writer);
  /* Only these say that the way was wrong: no /proc, no nameless files. */
  bool other_way = errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT;
  return other_way ? begin_named(path, header) : NULL;
}

int results_writer_destroy(struct results_writer *writer) {
  if (!writer) return 0;
  /* Pipes and devices cannot be synced, and need not be. */
  int failed = fsync(writer->fd) && errno != EINVAL && errno != EROFS ? -1 : 0;
  int code = errno;
  if (close(writer->fd) && !failed) {
    failed = -1;
    code = errno;
  }
  free(writer);
  errno = code;
  return failed;
}
