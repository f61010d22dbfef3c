/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/trace_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/kill_guard.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/output_path.h"

/* Split after the last slash: a directory to open and a name in it. */
static int begin_file(struct trace_output *output) {
  char *slash = strrchr(output->path, '/');
  const char *name = slash ? slash + 1 : output->path;
  char *dir =
      slash ? memory_text_part(output->path, (size_t)(name - output->path))
            : memory_text(".");
  output->file.dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
  free(dir);
  if (output->file.dir < 0) return -1;
  kill_guard_arm();
  int at = output->file.dir; /* which begin overwrites */
  return out_file_begin(&output->file, at, name);
}

/* What replaces a file is as private as that was, and whose it was: as far as
 * we may give it away. */
static int keep_owner(int fd, const struct stat *file) {
  if (fchown(fd, file->st_uid, file->st_gid) &&
      fchown(fd, (uid_t)-1, file->st_gid))
    errno = 0;
  return fchmod(fd, file->st_mode & 0777);
}

int trace_output_begin(struct trace_output *output, const char *path) {
  struct stat file;
  *output = (struct trace_output){.fd = output_standard(path), .file.dir = -1};
  if (output->fd >= 0) return 0;
  bool there = !stat(path, &file);
  if (there && !S_ISREG(file.st_mode)) {
    output->fd = open(path, O_WRONLY | O_CLOEXEC);
    output->opened = output->fd >= 0;
    return output->opened ? 0 : -1;
  }
  if (output_path_try(path)) return -1;
  output->path = output_path(path);
  if (!output->path || begin_file(output)) return -1;
  return there ? keep_owner(fileno(output->file.stream), &file) : 0;
}

int trace_output_fd(const struct trace_output *output) {
  return output->file.stream ? fileno(output->file.stream) : output->fd;
}

int trace_output_commit(struct trace_output *output) {
  return output->file.stream ? out_file_commit(&output->file) : 0;
}

void trace_output_fini(struct trace_output *output) {
  out_file_abandon(&output->file);
  if (output->path && output->file.dir >= 0) {
    kill_guard_disarm();
    close(output->file.dir);
  }
  if (output->opened) close(output->fd);
  free(output->path);
}
