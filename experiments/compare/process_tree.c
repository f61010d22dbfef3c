/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/process_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "huge_pages/kernel_files.h"

/* Of a millisecond each. */
enum { ATTEMPTS = 10000 };

static void add_list(const char *text, pid_t *pids, size_t *count) {
  while (*count < TREE_MAX) {
    char *end;
    long pid = strtol(text, &end, 10);
    if (end == text || pid <= 0) return;
    pids[(*count)++] = (pid_t)pid;
    text = end;
  }
}

/* The kernel lists the children of each thread, where it was built to. */
static bool add_by_list(pid_t parent, pid_t *pids, size_t *count) {
  char path[80], text[4096];
  snprintf(path, sizeof path, "/proc/%d/task", (int)parent);
  DIR *threads = opendir(path);
  if (!threads) return true; /* it is gone */
  bool listed = true;
  for (const struct dirent *entry; (entry = readdir(threads));) {
    if (!isdigit((unsigned char)*entry->d_name)) continue;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)parent,
             entry->d_name);
    if (hp_kernel_read_text(path, text, sizeof text)) {
      if (errno == ENOENT && kill(parent, 0) == 0) listed = false;
      continue;
    }
    if (strlen(text) == sizeof text - 1) /* half a number is none */
      *(strrchr(text, ' ') + 1) = '\0';
    add_list(text, pids, count);
  }
  closedir(threads);
  return listed;
}

/* The parent of a process: field 4, after a name that may hold anything. */
static pid_t parent_of(pid_t pid) {
  char path[48], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  if (hp_kernel_read_text(path, text, sizeof text)) return 0;
  const char *after = strrchr(text, ')');
  return after && strlen(after) > 4 ? (pid_t)strtol(after + 3, NULL, 10) : 0;
}

static void add_by_search(pid_t parent, pid_t *pids, size_t *count) {
  DIR *proc = opendir("/proc");
  if (!proc) return;
  for (const struct dirent *entry; (entry = readdir(proc));) {
    pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10); /* 0: no number */
    if (pid > 0 && parent_of(pid) == parent && *count < TREE_MAX)
      pids[(*count)++] = pid;
  }
  closedir(proc);
}

static void add_children(pid_t parent, pid_t *pids, size_t *count) {
  static bool lists = true; /* until seen otherwise */
  size_t before = *count;
  if (lists) lists = add_by_list(parent, pids, count);
  if (lists) return;
  *count = before;
  add_by_search(parent, pids, count);
}

size_t process_tree(pid_t root, int deep, pid_t pids[TREE_MAX]) {
  size_t count = 0;
  add_children(root, pids, &count);
  for (size_t i = 0; deep && i < count; i++)
    add_children(pids[i], pids, &count);
  return count;
}

bool process_tree_has(pid_t pid) {
  pid_t self = getpid();
  for (int climbed = 0; pid > 1 && climbed < TREE_MAX; climbed++)
    if ((pid = parent_of(pid)) == self) return true;
  return false;
}

/* Orphans become children of the subreaper, so that killing children again and
 * again ends all of them; no number of a child is given to anybody else before
 * it is waited for.  One that gained rights may refuse to die. */
void process_tree_end(void) {
  static pid_t pids[TREE_MAX];
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    size_t count = process_tree(getpid(), 0, pids);
    for (size_t i = 0; i < count; i++) kill(pids[i], SIGKILL);
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, __WALL | WNOHANG)) > 0)
      if (WIFSTOPPED(status)) ptrace(PTRACE_CONT, pid, NULL, NULL);
    if (pid < 0 && errno == ECHILD) return;
    nanosleep(&pause, NULL);
  }
}

static bool is_among(pid_t pid, const pid_t *pids, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (pids[i] == pid) return true;
  return false;
}

void process_tree_end_others(const pid_t *kept, size_t count) {
  static pid_t pids[TREE_MAX];
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    size_t children = process_tree(getpid(), 0, pids), left = 0;
    for (size_t i = 0; i < children; i++) {
      if (is_among(pids[i], kept, count)) continue;
      left++;
      kill(pids[i], SIGKILL);
      waitpid(pids[i], NULL, __WALL | WNOHANG);
    }
    if (!left) return;
    nanosleep(&pause, NULL);
  }
}
