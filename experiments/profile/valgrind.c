/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/valgrind.h"

#include <config.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/program.h"
#include "experiments/profile/profile_objects.h"

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

static int find_library(const struct valgrind *valgrind, char *library) {
  char bin[PATH_MAX], core[PATH_MAX + 64];
  if (!realpath(valgrind->program, bin))
    return fail(VAT_ABSENT, "%s: %s", valgrind->program, strerror(errno));
  *strrchr(bin, '/') = '\0';
  for (size_t i = 0; libraries[i]; i++) {
    snprintf(library, PATH_MAX, "%.4000s/../%s", bin, libraries[i]);
    snprintf(core, sizeof core, "%s/" CORE, library);
    if (!access(core, R_OK)) return VAT_OK;
  }
  return fail(VAT_ABSENT,
              "%s: its library %s was not found: apt-get install --reinstall "
              "valgrind",
              valgrind->program, CORE);
}

static int find_tool(char *tool) {
  if (program_part(tool, "valgrind/" TOOL, PKGLIBEXECDIR "/valgrind/" TOOL)) {
    *strrchr(tool, '/') = '\0';
    return VAT_OK;
  }
  if (access("/proc/self/exe", F_OK)) return fail_without_proc();
  return fail(VAT_ABSENT,
              "vat's Valgrind tool is neither beside vat nor in %s: make "
              "install puts it there, with the prefix that ./configure was "
              "told; was vat built without, then apt-get "
              "install valgrind, ./configure --with-valgrind=yes && make",
              PKGLIBEXECDIR "/valgrind");
}

int valgrind_find(struct valgrind *valgrind) {
  *valgrind = (struct valgrind){0};
  int code = find_tool(valgrind->tool);
  if (code) return code;
  if (!program_find("valgrind", valgrind->program))
    return fail(
        VAT_ABSENT,
        "valgrind is missing along PATH; fix: sudo apt-get install valgrind");
  return find_library(valgrind, valgrind->library);
}

const char *valgrind_log(const struct valgrind *valgrind, char log[PATH_MAX]) {
  snprintf(log, PATH_MAX, "%.4000s/log%s", valgrind->directory,
           valgrind->shared ? "" : ".%p");
  return log;
}

/* See valgrind.h.  A umask may not narrow what others may do. */
static int share(struct valgrind *valgrind) {
  char log[PATH_MAX];
  if (geteuid()) return 0;
  valgrind->shared = true;
  int fd = open(valgrind_log(valgrind, log), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (fd < 0) return -1;
  int failed = fchmod(fd, 0622);
  close(fd);
  return failed ? failed : chmod(valgrind->directory, 01733);
}

int valgrind_prepare(struct valgrind *valgrind) {
  const char *tmp = getenv("TMPDIR");
  if (!tmp || !*tmp) tmp = "/tmp";
  snprintf(valgrind->directory, sizeof valgrind->directory,
           "%.4000s/vat-profile-XXXXXX", tmp);
  if (!mkdtemp(valgrind->directory)) {
    valgrind->directory[0] = '\0';
    return fail(fail_code(errno), "%s: %s; set TMPDIR to a place with room",
                tmp, strerror(errno));
  }
  if (share(valgrind) || make_link(valgrind, valgrind->library, CORE) ||
      make_link(valgrind, valgrind->library, SUPPRESSIONS) ||
      make_link(valgrind, valgrind->tool, TOOL))
    return fail(fail_code(errno), "%s: %s", valgrind->directory,
                strerror(errno));
  return VAT_OK;
}

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
              "%s: there is no room left for the profile; fix: set TMPDIR to "
              "a place with room",
              valgrind->directory);
}

FILE *valgrind_open(const char *path) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return NULL;
  FILE *file = !fstat(fd, &status) && S_ISREG(status.st_mode)
                   ? memory_need(fdopen(fd, "r"))
                   : NULL;
  if (file) return file;
  close(fd);
  errno = EINVAL;
  return NULL;
}

static int read_one(const char *path, struct profile *profile,
                    char error[PROFILE_ERROR_SIZE]) {
  FILE *file = valgrind_open(path);
  if (!file) {
    snprintf(error, PROFILE_ERROR_SIZE, "%.200s", strerror(errno));
    return -1;
  }
  int failed = profile_read(profile, file, basename(path), error);
  fclose(file);
  return failed;
}

/* Processes that began there and left nothing, or half of it. */
static unsigned count_lost(const struct valgrind *valgrind) {
  char path[PATH_MAX + 300], output[PATH_MAX + 300];
  unsigned lost = 0;
  DIR *dir = opendir(valgrind->directory);
  while (next(dir, valgrind, "out-begun.", path)) {
    snprintf(output, sizeof output, "%s/out.%s.1", valgrind->directory,
             strrchr(path, '.') + 1);
    lost += access(output, F_OK) != 0;
  }
  if (dir) closedir(dir);
  return lost;
}

int valgrind_read(const struct valgrind *valgrind, struct profile *profile) {
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
  profile->lost = count_lost(valgrind);
  profile->directory = valgrind->directory;
  if (!code) profile_finish(profile);
  if (!code) profile_objects_find(profile);
  return code;
}

void valgrind_show_log(const struct valgrind *valgrind) {
  char path[PATH_MAX + 300], line[512];
  DIR *dir = opendir(valgrind->directory);
  while (next(dir, valgrind, "log", path)) {
    FILE *file = valgrind_open(path);
    for (int i = 0; file && i < 5 && fgets(line, sizeof line, file); i++)
      fprintf(stderr, "vat: note: Valgrind: %.*s\n", (int)strcspn(line, "\n"),
              line);
    if (file) fclose(file);
  }
  if (dir) closedir(dir);
}

void valgrind_clean(struct valgrind *valgrind) {
  char path[PATH_MAX + 300];
  if (!*valgrind->directory) return;
  DIR *dir = opendir(valgrind->directory);
  while (next(dir, valgrind, "", path)) unlink(path);
  if (dir) closedir(dir);
  rmdir(valgrind->directory);
  valgrind->directory[0] = '\0';
}
