/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/process_list.h"

#include <config.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "huge_pages/kernel_files.h"

static int by_number(const void *a, const void *b) {
  const pid_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void sort(struct process_list *list) {
  size_t kept = 0;
  if (list->count) qsort(list->at, list->count, sizeof *list->at, by_number);
  for (size_t i = 0; i < list->count; i++)
    if (!i || list->at[i] != list->at[i - 1]) list->at[kept++] = list->at[i];
  list->count = kept;
}

static DIR *open_folder(const char *path) {
  char full[PATH_MAX];
  if (hp_kernel_path(path, full, sizeof full)) return NULL;
  return memory_need(opendir(full));
}

static void add(struct process_list *list, const char *number) {
  char *end;
  long pid = strtol(number, &end, 10);
  if (end == number || (*end && *end != '\n') || pid > INT_MAX) return;
  if (pid > 0)
    *ARRAY_ADD(list->at, list->count) = (pid_t)pid;
  else
    list->outside++;
}

int process_list_all(struct process_list *list) {
  *list = (struct process_list){0};
  DIR *folder = open_folder("/proc");
  if (!folder) return -1;
  for (const struct dirent *entry; (entry = readdir(folder));)
    if (*entry->d_name >= '1' && *entry->d_name <= '9')
      add(list, entry->d_name);
  closedir(folder);
  sort(list);
  return 0;
}

/* False where it is no cgroup.  One whose processes are told of those around it
 * ("threaded") fails to be read. */
static bool read_processes(struct process_list *list, const char *folder) {
  char path[PATH_MAX], line[32];
  int length = snprintf(path, sizeof path, "%s/cgroup.procs", folder);
  if (length < 0 || (size_t)length >= sizeof path) return false;
  int file = hp_kernel_open(path, 0);
  if (file < 0) return false;
  FILE *text = memory_need(fdopen(file, "r"));
  while (text && fgets(line, sizeof line, text)) add(list, line);
  if (text) fclose(text);
  return true;
}

static bool read_cgroup(struct process_list *list, const char *path) {
  if (!read_processes(list, path)) return false;
  DIR *folder = open_folder(path);
  if (!folder) return true;
  for (const struct dirent *entry; (entry = readdir(folder));) {
    if (entry->d_type != DT_DIR || *entry->d_name == '.') continue;
    char *inside = memory_format("%s/%s", path, entry->d_name);
    read_cgroup(list, inside);
    free(inside);
  }
  closedir(folder);
  return true;
}

int process_list_cgroup(struct process_list *list, const char *path) {
  /* The second is the memory controller of cgroups of version 1. */
  static const char *const mounts[] = {
      "", "/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/unified"};
  bool found = false;
  *list = (struct process_list){0};
  for (size_t i = 0; !found && i < sizeof mounts / sizeof *mounts; i++) {
    char *folder =
        memory_format("%s%s%s", mounts[i], i && *path != '/' ? "/" : "", path);
    found = read_cgroup(list, folder);
    free(folder);
  }
  sort(list);
  if (!found) errno = ENOENT;
  return found ? 0 : -1;
}

void process_list_fini(struct process_list *list) {
  free(list->at);
  *list = (struct process_list){0};
}
