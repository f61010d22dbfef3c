/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/valgrind.h"

#include <config.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/program.h"

#define CORE "vgpreload_core-amd64-linux.so"
#define SUPPRESSIONS "default.supp"
#define TOOL "vat-amd64-linux"

/* Where distributions have what belongs to Valgrind, below its prefix. */
static const char *const libraries[] = {"libexec/valgrind",
                                        "lib/x86_64-linux-gnu/valgrind",
                                        "lib64/valgrind", "lib/valgrind", NULL};

static int make_link(const struct valgrind *valgrind, const char *from,
                     const char *name) {
  char target[PATH_MAX + 64], path[PATH_MAX + 64];
  snprintf(target, sizeof target, "%s/%s", from, name);
  snprintf(path, sizeof path, "%s/%s", valgrind->directory, name);
  return symlink(target, path);
}

static bool holds(const char *directory, const char *name) {
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return !access(path, R_OK);
}

/* Cut the last `parts` parts of a path off. */
static void climb(char *path, unsigned parts) {
  while (parts--) {
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
  }
}

static int find_library(const struct valgrind *valgrind, char *library) {
  char prefix[PATH_MAX];
  if (!realpath(valgrind->program, prefix))
    return fail(VAT_ABSENT, "%s: %s", valgrind->program, strerror(errno));
  climb(prefix, 2);
  for (size_t i = 0; libraries[i]; i++) {
    snprintf(library, PATH_MAX, "%.4000s/%s", prefix, libraries[i]);
    if (holds(library, CORE)) return VAT_OK;
  }
  return fail(VAT_ABSENT,
              "%s: its library %s was not found: apt-get install --reinstall "
              "valgrind",
              valgrind->program, CORE);
}

/* Beside the command as it was built, or where it was installed. */
static int find_tool(char *tool) {
  ssize_t length = readlink("/proc/self/exe", tool, PATH_MAX - 16);
  if (length > 0) {
    tool[length] = '\0';
    climb(tool, 1);
    strcat(tool, "/valgrind");
    if (holds(tool, TOOL)) return VAT_OK;
  }
  snprintf(tool, PATH_MAX, "%s/valgrind", PKGLIBEXECDIR);
  if (holds(tool, TOOL)) return VAT_OK;
  if (length < 0) return fail_without_proc();
  return fail(VAT_ABSENT,
              "vat's Valgrind tool is neither beside vat nor in %s: make "
              "install puts it there, with the prefix that ./configure was "
              "told; was vat built without, then apt-get "
              "install valgrind, ./configure --with-valgrind=yes && make",
              tool);
}

static int make_directory(struct valgrind *valgrind) {
  const char *tmp = getenv("TMPDIR");
  if (!tmp || !*tmp) tmp = "/tmp";
  snprintf(valgrind->directory, sizeof valgrind->directory,
           "%.4000s/vat-profile-XXXXXX", tmp);
  if (mkdtemp(valgrind->directory)) return VAT_OK;
  int code = errno;
  valgrind->directory[0] = '\0';
  return fail(fail_code(code), "%s: %s; set TMPDIR to a place with room", tmp,
              strerror(code));
}

int valgrind_find(struct valgrind *valgrind) {
  *valgrind = (struct valgrind){0};
  int code = find_tool(valgrind->tool);
  if (code) return code;
  if (!program_find("valgrind", valgrind->program))
    return fail(VAT_ABSENT,
                "valgrind is missing along PATH: apt-get install valgrind");
  return find_library(valgrind, valgrind->library);
}

int valgrind_prepare(struct valgrind *valgrind) {
  int code = make_directory(valgrind);
  if (code) return code;
  if (make_link(valgrind, valgrind->library, CORE) ||
      make_link(valgrind, valgrind->library, SUPPRESSIONS) ||
      make_link(valgrind, valgrind->tool, TOOL))
    return fail(fail_code(errno), "%s: %s", valgrind->directory,
                strerror(errno));
  return VAT_OK;
}

void valgrind_clean(struct valgrind *valgrind) {
  if (!*valgrind->directory) return;
  DIR *dir = opendir(valgrind->directory);
  for (struct dirent *e; dir && (e = readdir(dir));)
    if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
      unlinkat(dirfd(dir), e->d_name, 0);
  if (dir) closedir(dir);
  rmdir(valgrind->directory);
  valgrind->directory[0] = '\0';
}
