/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/wake.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "huge_pages/kernel_files.h"

static void wait_ms(int ms) {
  struct pollfd none = {.fd = -1};
  poll(&none, 1, ms);
}

/* By its state, which follows its name in parentheses: proc(5). */
static bool is_stopped(pid_t pid) {
  char path[40], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  if (hp_kernel_read_text(path, text, sizeof text)) return false;
  const char *end = strrchr(text, ')');
  return end && (end[2] == 'T' || end[2] == 't');
}

/* In a session of its own: it is not stopped with the others. */
static _Noreturn void wake(pid_t vat, pid_t child) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (; getppid() == vat; wait_ms(50))
    if (!is_stopped(child)) kill(vat, SIGCONT);
  _exit(0);
}

static bool was_continued(pid_t child) {
  siginfo_t info = {0};
  return !waitid(P_PID, (id_t)child, &info, WCONTINUED | WNOHANG) &&
         info.si_pid == child;
}

void wake_stop_with(pid_t child) {
  static const struct timespec now;
  sigset_t continuing;
  pid_t vat = getpid(), waker = fork();
  if (!waker) wake(vat, child);
  kill(vat, SIGSTOP);
  if (waker > 0) {
    kill(waker, SIGKILL);
    waitpid(waker, NULL, 0);
  }
  sigemptyset(&continuing);
  sigaddset(&continuing, SIGCONT);
  sigtimedwait(&continuing, NULL, &now);
  /* Who continues the whole group continues the program, too, soon. */
  if (!was_continued(child)) wait_ms(10);
  if (is_stopped(child)) kill(child, SIGCONT);
}
