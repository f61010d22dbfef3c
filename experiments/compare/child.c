/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "experiments/cli/as_found.h"
#include "experiments/compare/supervisor.h"

/* Linux schedules sessions against each other (sched_autogroup): a niceness
 * that vat was given counts for nothing in a new one unless that is told, too.
 * Without CAP_SYS_ADMIN the kernel takes one such write per 100 ms on the whole
 * machine and refuses others with EAGAIN: try for a second. */
static void keep_niceness(void) {
  int nice = getpriority(PRIO_PROCESS, 0);
  int fd = nice ? open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  for (int i = 0; i < 20 && dprintf(fd, "%d", nice) < 0 && errno == EAGAIN; i++)
    usleep(50000 + getpid() % 10000);
  close(fd);
}

static int pin_to(int cpu) {
  cpu_set_t set;
  if (cpu < 0) return 0;
  CPU_ZERO(&set);
  CPU_SET((unsigned)cpu, &set);
  return sched_setaffinity(0, sizeof set, &set);
}

static int open_standard_files(const struct child *child, const char *input) {
  int in = open(input ? input : "/dev/null", O_RDONLY);
  if (in < 0 || dup2(in, STDIN_FILENO) < 0) return -1;
  if (in > STDERR_FILENO) close(in);
  return dup2(child->out, STDOUT_FILENO) < 0 ||
                 dup2(child->err, STDERR_FILENO) < 0
             ? -1
             : 0;
}

/* Everything a program may inherit is as vat itself found it. */
static int become(const struct child *child, const struct launch *launch,
                  pid_t supervisor) {
  setsid(); /* out of reach of the terminal and of what it sends */
  keep_niceness();
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) return -1;
  if (getppid() != supervisor) {
    errno = ESRCH;
    return -1;
  }
  if (launch->forbid_thp) prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  as_found_restore();
  return pin_to(launch->pin) || open_standard_files(child, launch->input) ||
                 sigprocmask(SIG_SETMASK, &launch->mask, NULL)
             ? -1
             : 0;
}

static _Noreturn void be_child(const struct child *child,
                               const struct launch *launch, int go, int failed,
                               pid_t supervisor) {
  char told;
  if (!become(child, launch, supervisor) && read(go, &told, 1) == 1)
    execve(launch->path, launch->argv, launch->environment);
  int error = errno ? errno : EIO;
  ssize_t put = write(failed, &error, sizeof error);
  _exit(put == sizeof error ? 127 : 126);
}

int child_fork(struct child *child, const struct launch *launch) {
  int go[2], failed[2];
  if (pipe2(go, O_CLOEXEC)) return -1;
  if (pipe2(failed, O_CLOEXEC)) {
    close(go[0]);
    close(go[1]);
    return -1;
  }
  pid_t supervisor = getpid();
  child->pid = fork();
  if (!child->pid) {
    close(go[1]);
    be_child(child, launch, go[0], failed[1], supervisor);
  }
  int error = errno;
  close(go[0]);
  close(failed[1]);
  child->go = go[1];
  child->failed = failed[0];
  errno = error;
  return child->pid < 0 ? -1 : 0;
}

int child_exec(struct child *child) {
  int error = 0;
  ssize_t put = write(child->go, "", 1), got;
  /* One that is gone already (EPIPE) said why before it went; one that could
   * not be told sees that nobody will. */
  (void)put;
  close(child->go);
  got = TEMP_FAILURE_RETRY(read(child->failed, &error, sizeof error));
  close(child->failed);
  errno = error;
  return got == sizeof error ? -1 : 0;
}
