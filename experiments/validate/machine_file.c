/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/machine_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_pipe(struct calibration *cal, const char *path, char *why,
                     size_t why_size) {
  char reason[CALIBRATION_TEXT];
  json_error_t syntax;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    snprintf(why, why_size, "%s: %s", path, strerror(errno));
    return -1;
  }
  json_t *object = json_loadfd(fd, JSON_REJECT_DUPLICATES, &syntax);
  close(fd);
  int failed = object ? calibration_from_json(cal, object, reason) : -1;
  if (!object)
    snprintf(why, why_size, "%s:%d: not JSON: %s", path, syntax.line,
             syntax.text);
  else if (failed)
    snprintf(why, why_size, "%s: %s", path, reason);
  json_decref(object);
  if (failed) errno = EINVAL;
  return failed;
}

int machine_file_read(struct calibration *cal, const char *path, char *why,
                      size_t why_size) {
  struct stat file;
  if (stat(path, &file) || !S_ISFIFO(file.st_mode))
    return calibration_read(cal, path, why, why_size);
  *cal = (struct calibration){0};
  return read_pipe(cal, path, why, why_size);
}
