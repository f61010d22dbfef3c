/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/outputs.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"

/* The path of a file there that begins so; NULL: no more. */
static const char *next(DIR *dir, const struct valgrind *valgrind,
                        const char *begins, char path[PATH_MAX + 300]) {
  for (struct dirent *e; dir && (e = readdir(dir));) {
    if (strncmp(e->d_name, begins, strlen(begins))) continue;
    snprintf(path, PATH_MAX + 300, "%s/%s", valgrind->directory, e->d_name);
    return path;
  }
  return NULL;
}

/* Valgrind and the tool write on where nothing fits, and say nothing. */
static int check_room(const struct valgrind *valgrind) {
  enum { ROOM = 64 << 10 };
  struct statvfs system;
  if (statvfs(valgrind->directory, &system) ||
      system.f_bavail > ROOM / system.f_frsize)
    return VAT_OK;
  return fail(VAT_USAGE,
              "%s: there is no room left for the profile; mend: set TMPDIR to "
              "a place with room",
              valgrind->directory);
}

static int read_one(const char *path, struct profile *profile,
                    char error[PROFILE_ERROR_SIZE]) {
  FILE *file = memory_need(fopen(path, "r"));
  if (!file) {
    snprintf(error, PROFILE_ERROR_SIZE, "%.200s", strerror(errno));
    return -1;
  }
  int failed = profile_read(profile, file, strrchr(path, '/') + 1, error);
  int code = errno;
  fclose(file);
  errno = code;
  return failed;
}

int outputs_read(const struct valgrind *valgrind, struct profile *profile) {
  char path[PATH_MAX + 300], error[PROFILE_ERROR_SIZE];
  DIR *dir = opendir(valgrind->directory);
  int code = VAT_OK;
  if (!dir)
    return fail(fail_code(errno), "%s: %s", valgrind->directory,
                strerror(errno));
  while (!code && next(dir, valgrind, "out.", path)) {
    if (!read_one(path, profile, error)) continue;
    code = check_room(valgrind);
    if (!code) fail(VAT_OK, "a process is left out: %s", error);
    unlink(path);
  }
  closedir(dir);
  if (!code && !profile->processes) code = check_room(valgrind);
  if (!code) profile_finish(profile);
  return code;
}

void outputs_show_log(const struct valgrind *valgrind) {
  char path[PATH_MAX + 300], line[512];
  DIR *dir = opendir(valgrind->directory);
  while (next(dir, valgrind, "log.", path)) {
    FILE *file = fopen(path, "r");
    for (int i = 0; file && i < 5 && fgets(line, sizeof line, file); i++)
      fprintf(stderr, "vat: note: Valgrind: %.*s\n", (int)strcspn(line, "\n"),
              line);
    if (file) fclose(file);
  }
  if (dir) closedir(dir);
}
