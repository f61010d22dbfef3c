/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat's side of a run. */
#include "experiments/compare/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/compare/process_tree.h"
#include "experiments/compare/supervise.h"

enum { TICK_MS = 100 };

/* Report whatever happened: half a result would be taken for none. */
static _Noreturn void be_supervisor(const struct launch *launch, int report,
                                    pid_t vat) {
  struct launch_result result = {0};
  prctl(PR_SET_PDEATHSIG, LAUNCH_STOP);
  if (getppid() == vat) supervise(launch, vat, &result);
  ssize_t put = write(report, &result, sizeof result);
  _exit(put != sizeof result);
}

/* False when the supervisor ended without a word. */
static bool receive(int report, struct launch_result *result) {
  size_t used = 0;
  while (used < sizeof *result) {
    ssize_t got = read(report, (char *)result + used, sizeof *result - used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    used += (size_t)got;
  }
  return true;
}

static bool await(int report, pid_t supervisor, int (*tick)(void *),
                  void *context) {
  struct pollfd event = {.fd = report, .events = POLLIN};
  bool stopped = false;
  while (poll(&event, 1, TICK_MS) <= 0) {
    if (!tick || stopped || !tick(context)) continue;
    stopped = true;
    kill(supervisor, LAUNCH_STOP);
  }
  return stopped;
}

int launch(const struct launch *launch, struct launch_result *result,
           int (*tick)(void *context), void *context) {
  static pid_t ours[TREE_MAX];
  int ends[2], status;
  sigset_t all, before;
  *result = (struct launch_result){0};
  if (pipe2(ends, O_CLOEXEC)) return -1;
  /* None of vat's handlers may run in the supervisor. */
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  size_t count = process_tree(getpid(), 0, ours);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  pid_t vat = getpid(), supervisor = fork();
  if (!supervisor) be_supervisor(launch, ends[1], vat);
  int error = errno;
  sigprocmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  bool heard = false, stopped = false;
  if (supervisor > 0) {
    stopped = await(ends[0], supervisor, tick, context);
    heard = receive(ends[0], result);
    while (waitpid(supervisor, &status, 0) < 0 && errno == EINTR) continue;
    error = EIO;
  }
  close(ends[0]);
  /* Somebody killed it: what it would have ended is ours now. */
  if (!heard) process_tree_end_others(ours, count);
  prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
  if (stopped) result->interrupted = true;
  if (heard) return 0;
  errno = error;
  return -1;
}
