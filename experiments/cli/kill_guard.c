/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/kill_guard.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The standard ones that end a process, but those of an error in it; SIGABRT
 * may come from outside, too. */
static const int kills[] = {SIGINT,    SIGTERM, SIGHUP,  SIGQUIT,   SIGPIPE,
                            SIGALRM,   SIGUSR1, SIGUSR2, SIGXCPU,   SIGIO,
                            SIGVTALRM, SIGPROF, SIGPWR,  SIGSTKFLT, SIGABRT};
enum { KILLS = sizeof kills / sizeof *kills };

static struct sigaction former[KILLS], former_xfsz;

/* Changed only while the signals are held. */
static char making[80];
static int making_dir;
static char folders[PATH_MAX];
static size_t folders_there;
/* Whose they are: not a process' that was forked meanwhile. */
static pid_t maker;

/* From the innermost on: each path up to a slash.  Called by a signal, too. */
void kill_guard_remove_folders(void) {
  int code = errno;
  for (size_t end = strlen(folders); end > folders_there; end--) {
    if (folders[end] && folders[end] != '/') continue;
    folders[end] = '\0';
    rmdir(folders);
  }
  *folders = '\0';
  errno = code;
}

void kill_guard_clean(void) {
  if (maker != getpid()) return;
  if (*making) unlinkat(making_dir, making, 0);
  *making = '\0';
  kill_guard_remove_folders();
}

/* Raised anew, the signal waits until this returns, and then kills. */
static void on_kill(int number) {
  int code = errno;
  kill_guard_clean();
  for (int i = 0; i < KILLS; i++)
    if (kills[i] == number) sigaction(number, &former[i], NULL);
  raise(number);
  errno = code;
}

void kill_guard_arm(void) {
  struct sigaction action = {.sa_handler = on_kill};
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  for (int i = 0; i < KILLS; i++) {
    sigaction(kills[i], NULL, &former[i]);
    /* Under nohup, say, it stays ignored. */
    if (former[i].sa_handler != SIG_IGN) sigaction(kills[i], &action, NULL);
  }
  sigaction(SIGXFSZ, &ignore, &former_xfsz);
}

void kill_guard_disarm(void) {
  for (int i = 0; i < KILLS; i++) sigaction(kills[i], &former[i], NULL);
  sigaction(SIGXFSZ, &former_xfsz, NULL);
}

void kill_guard_hold(sigset_t *before) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < KILLS; i++) sigaddset(&set, kills[i]);
  sigprocmask(SIG_BLOCK, &set, before);
}

void kill_guard_release(const sigset_t *before) {
  int code = errno;
  sigprocmask(SIG_SETMASK, before, NULL);
  errno = code;
}

void kill_guard_set(int dir, const char *name) {
  maker = getpid();
  making_dir = dir;
  snprintf(making, sizeof making, "%s", name ? name : "");
}

void kill_guard_set_folders(const char *path, size_t there) {
  size_t length = strlen(path);
  maker = getpid();
  *folders = '\0';
  if (length < sizeof folders) memcpy(folders, path, length + 1);
  folders_there = there;
}
