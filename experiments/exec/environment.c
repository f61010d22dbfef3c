/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/environment.h"

#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/program.h"

static bool is_changed(const char *entry, const char *const *changes) {
  for (; changes && *changes; changes += 2) {
    size_t length = strlen(*changes);
    if (!strncmp(entry, *changes, length) && entry[length] == '=') return true;
  }
  return false;
}

char **environment_with(char *const *environment, const char *const *changes) {
  size_t room = 1, used = 0;
  for (char *const *at = environment; *at; at++) room++;
  for (const char *const *at = changes; at && *at; at += 2) room++;
  char **copy = memory_zeroed(room, sizeof *copy);
  for (char *const *at = environment; *at; at++)
    if (!is_changed(*at, changes)) copy[used++] = memory_text(*at);
  for (; changes && *changes; changes += 2)
    copy[used++] = memory_format("%s=%s", changes[0], changes[1]);
  return copy;
}

void environment_free(char **environment) {
  for (char **at = environment; at && *at; at++) free(*at);
  free(environment);
}

char *environment_join(const char *name, const char *own, char between) {
  const char *given = getenv(name);
  if (given && *given) return memory_format("%s%c%s", given, between, own);
  return memory_text(own);
}

bool glibc_has_tunables(void) {
  unsigned major = 0, minor = 0;
  return sscanf(gnu_get_libc_version(), "%u.%u", &major, &minor) == 2 &&
         (major > 2 || minor >= 35);
}

void preload_add(char **preload, const char *path) {
  char *before = *preload;
  *preload = before ? memory_format("%s:%s", before, path) : memory_text(path);
  free(before);
}

static const char by_descriptor[] = "/proc/%d/fd/%d";

static bool is_ours(const char *path) {
  static const char *const names[] = {"page_shim.so", "site_shim.so"};
  char real[PATH_MAX];
  if (!realpath(path, real)) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(basename(real), names[i])) return true;
  return false;
}

void preload_add_given(char **preload) {
  const char *given = getenv("LD_PRELOAD");
  char *list = memory_text(given ? given : ""), *rest = list, *path;
  while ((path = strsep(&rest, ": ")))
    if (*path && !is_ours(path)) preload_add(preload, path);
  free(list);
}

static bool name_by_descriptor(char path[PATH_MAX]) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  snprintf(path, PATH_MAX, by_descriptor, (int)getpid(), fd);
  return true;
}

int preload_find(char **preload, const char *library) {
  char path[PATH_MAX], beside[64], installed[PATH_MAX];
  snprintf(beside, sizeof beside, "exec/%s", library);
  snprintf(installed, sizeof installed, PKGLIBDIR "/%s", library);
  if (!program_part(path, beside, installed)) {
    if (access("/proc/self/exe", F_OK)) return fail_without_proc();
    return fail(VAT_ABSENT,
                "%s is neither beside vat nor in %s; fix: make, or make "
                "install, with the prefix that ./configure was told",
                library, PKGLIBDIR);
  }
  if (strpbrk(path, " :") && !name_by_descriptor(path))
    return fail(VAT_ABSENT, "%s: %s", path, strerror(errno));
  preload_add(preload, path);
  return VAT_OK;
}

bool preload_needs_us(const char *preload) {
  char start[40];
  snprintf(start, sizeof start, "/proc/%d/fd/", (int)getpid());
  return strstr(preload, start) != NULL;
}
