/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/tracer.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is passed by this type is data, not an address. */
static long request(enum __ptrace_request what, pid_t pid, long data) {
  return ptrace(what, pid, NULL, (void *)data);
}

int tracer_seize(pid_t pid, bool threads) {
  long options = PTRACE_O_TRACEEXIT | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                 PTRACE_O_EXITKILL | (threads ? PTRACE_O_TRACECLONE : 0);
  return request(PTRACE_SEIZE, pid, options) ? errno : 0;
}

/* The thread that has the process's own number; others share its memory. */
static bool is_process(pid_t pid) { return !syscall(SYS_tgkill, pid, pid, 0); }

static bool is_stop_signal(int number) {
  return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN ||
         number == SIGTTOU;
}

/* A clone may be a process, too, by a number other than SIGCHLD. */
static bool starts_process(pid_t pid, int event) {
  unsigned long started = 0;
  if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK) return true;
  return event == PTRACE_EVENT_CLONE &&
         !ptrace(PTRACE_GETEVENTMSG, pid, NULL, &started) &&
         is_process((pid_t)started);
}

static void count(struct launch_result *result, pid_t pid, int event) {
  bool of_thread = !is_process(pid), clone = event == PTRACE_EVENT_CLONE;
  result->stops++;
  result->thread_stops += of_thread || clone;
  if ((of_thread || clone) && starts_process(pid, event))
    result->threads_fork = true;
}

void tracer_go_on(pid_t pid, int status, struct watch *watch) {
  int event = status >> 16, number = WSTOPSIG(status);
  count(watch->result, pid, event);
  if (event == PTRACE_EVENT_EXIT && is_process(pid)) watch_exit(watch, pid);
  /* Stopped by a signal with its whole group: stay so until it is continued
   * by whoever stopped it. */
  if (event == PTRACE_EVENT_STOP && is_stop_signal(number))
    request(PTRACE_LISTEN, pid, 0);
  else
    request(PTRACE_CONT, pid, event ? 0 : number);
}
