/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder may be entered, but not run. */
static bool runs(const char *path) {
  struct stat status;
  return !access(path, X_OK) && !stat(path, &status) && S_ISREG(status.st_mode);
}

const char *program_path(void) {
  static char usual[64];
  const char *path = getenv("PATH");
  if (path) return path;
  confstr(_CS_PATH, usual, sizeof usual);
  return usual;
}

bool program_part(char path[PATH_MAX], const char *beside,
                  const char *installed) {
  ssize_t length =
      readlink("/proc/self/exe", path, PATH_MAX - 1 - strlen(beside));
  if (length > 0) {
    path[length] = '\0';
    strcpy(strrchr(path, '/') + 1, beside);
    if (!access(path, R_OK)) return true;
  }
  strcpy(path, installed);
  return !access(path, R_OK);
}

bool program_find(const char *program, char path[PATH_MAX]) {
  const char *list = program_path();
  while (*list) {
    int length = (int)strcspn(list, ":");
    int used = snprintf(path, PATH_MAX, "%.*s/%s", length, list, program);
    if (used < PATH_MAX && runs(path)) return true;
    list += length;
    list += *list == ':';
  }
  return false;
}
