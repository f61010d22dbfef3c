/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *search_path(void) {
  static char usual[64];
  const char *path = getenv("PATH");
  if (path) return path;
  confstr(_CS_PATH, usual, sizeof usual);
  return usual;
}

/* The file `part`, seen from the folder of the running program. */
static bool is_near(char path[PATH_MAX], const char *part) {
  size_t room = PATH_MAX - 1 - strlen(part);
  ssize_t length = readlink("/proc/self/exe", path, room);
  if (length <= 0 || (size_t)length == room) return false;
  path[length] = '\0';
  strcpy(strrchr(path, '/') + 1, part);
  return !access(path, R_OK);
}

/* `installed` from BINDIR on, as in ../lib/vat: it holds for an installed tree
 * that was moved, too. */
static void from_bindir(const char *installed, char part[PATH_MAX]) {
  size_t same = 0, used = 0;
  for (size_t i = 0; BINDIR[i] && BINDIR[i] == installed[i]; i++)
    if (BINDIR[i] == '/') same = i + 1;
  for (const char *up = &BINDIR[same]; up; up = strchr(up + 1, '/'))
    used += (size_t)snprintf(part + used, PATH_MAX - used, "../");
  snprintf(part + used, PATH_MAX - used, "%s", installed + same);
}

bool program_part(char path[PATH_MAX], const char *beside,
                  const char *installed) {
  char part[PATH_MAX];
  from_bindir(installed, part);
  if (is_near(path, beside) || is_near(path, part)) return true;
  strcpy(path, installed);
  return !access(path, R_OK);
}

bool program_find(const char *program, char path[PATH_MAX]) {
  int error = ENOENT;
  for (const char *list = search_path(), *end; list;
       list = *end ? end + 1 : NULL) {
    struct stat status;
    end = strchrnul(list, ':');
    int used = snprintf(path, PATH_MAX, "%.*s%s%s", (int)(end - list), list,
                        end > list ? "/" : "", program);
    /* A folder may be entered, but not run. */
    if (used >= PATH_MAX || stat(path, &status) || !S_ISREG(status.st_mode))
      continue;
    if (!access(path, X_OK)) return true;
    error = EACCES;
  }
  errno = error;
  return false;
}

const char *program_hint(const char *name) {
  if (!strchr(name, '/') && !access(name, F_OK))
    return "; fix: for the file in this folder, write ./ before its name";
  if (strchr(name, ' '))
    return "; fix: write the program and its arguments without quotes";
  if (strchr(name, '=')) return "; fix: to set a variable, write env before it";
  return "";
}
