/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/probe/machine_file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "experiments/cli/json_file.h"

static int read_pipe(struct calibration *cal, const char *path, char *why,
                     size_t why_size) {
  char reason[CALIBRATION_TEXT];
  json_t *object = json_file_read(path, why, why_size);
  int failed = object ? calibration_from_json(cal, object, reason) : -1;
  if (object && failed) snprintf(why, why_size, "%s: %s", path, reason);
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
