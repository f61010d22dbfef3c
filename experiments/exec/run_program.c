/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/as_found.h"
#include "experiments/cli/command.h"
#include "experiments/cli/progress.h"
#include "experiments/exec/wake.h"

static int refuse(const struct run_program *program, int error) {
  return fail(fail_code(error), "%s: cannot be executed: %s", program->path,
              strerror(error));
}

/* As vat found everything. */
static void execute(const struct run_program *program) {
  as_found_restore();
  sigprocmask(SIG_SETMASK, &program->mask, NULL);
  execve(program->path, program->argv, program->environment);
}

int program_become(const struct run_program *program) {
  execute(program);
  return refuse(program, errno);
}

static _Noreturn void be_child(const struct run_program *program, int failed,
                               pid_t vat) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == vat) execute(program);
  int error = errno;
  ssize_t put = write(failed, &error, sizeof error);
  _exit(put == sizeof error ? 127 : 126);
}

/* Returns once the program runs, or 0 with errno. */
static pid_t start(const struct run_program *program) {
  int failed[2], error = 0;
  if (pipe2(failed, O_CLOEXEC)) return 0;
  pid_t vat = getpid(), child = fork();
  if (!child) be_child(program, failed[1], vat);
  int fork_error = errno;
  close(failed[1]);
  if (child < 0) error = fork_error;
  if (child > 0 && read(failed[0], &error, sizeof error) > 0)
    waitpid(child, NULL, 0);
  close(failed[0]);
  errno = error;
  return error ? 0 : child;
}

struct running {
  const struct run_watch *watch;
  pid_t child;
  int status;
  bool ended;
  double next_s, wait_s;
};

/* Looks begin soon and become rare. */
static const double first_s = 0.01, rarest_s = 1, more = 1.5;
/* At most this share of the time. */
static const double share = 0.005;

static void look(struct running *running) {
  double begun = progress_now_s();
  if (begun < running->next_s) return;
  running->watch->look(running->watch->context);
  double now = progress_now_s(), cost = (now - begun) / share;
  running->wait_s *= more;
  if (running->wait_s > rarest_s) running->wait_s = rarest_s;
  running->next_s = now + (cost > running->wait_s ? cost : running->wait_s);
}

/* A program that stops is a job that stops. */
static void reap(struct running *running) {
  int status;
  while (!running->ended &&
         waitpid(running->child, &status, WNOHANG | WUNTRACED) > 0) {
    if (!WIFSTOPPED(status)) {
      running->status = status;
      running->ended = true;
    } else {
      wake_stop_with(running->child);
    }
  }
}

/* Did a terminal send it to all of the group? */
static bool is_of_terminal(const struct signalfd_siginfo *info) {
  static const int all[] = {SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
  int number = (int)info->ssi_signo;
  if (info->ssi_code != SI_KERNEL) return false;
  /* Of a hangup, the leader of the session alone is told. */
  if (number == SIGHUP) return getsid(0) != getpid();
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (number == all[i]) return true;
  return false;
}

/* What a terminal sends, and others to a whole group, the program has by
 * itself.  The kernel says so of the first; for the others wait a moment
 * whether it ends by that. */
static void pass_on(struct running *running,
                    const struct signalfd_siginfo *info) {
  struct pollfd none = {.fd = -1};
  int number = (int)info->ssi_signo;
  bool by_child = info->ssi_code <= 0 && (pid_t)info->ssi_pid == running->child;
  if (is_of_terminal(info) || by_child) return;
  if (number != SIGCONT) poll(&none, 1, 10);
  reap(running);
  if (!running->ended) kill(running->child, number);
}

static void read_signals(struct running *running, int signals) {
  struct signalfd_siginfo info;
  while (read(signals, &info, sizeof info) == sizeof info)
    if (info.ssi_signo == SIGUSR1)
      running->watch->report(running->watch->context);
    else if (info.ssi_signo != SIGCHLD)
      pass_on(running, &info);
}

static void wait_for(struct running *running, int signals) {
  running->wait_s = first_s;
  running->next_s = progress_now_s() + first_s;
  for (reap(running); !running->ended; reap(running)) {
    struct pollfd event = {.fd = signals, .events = POLLIN};
    double left = running->next_s - progress_now_s();
    poll(&event, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
    read_signals(running, signals);
    if (!running->ended) look(running);
  }
}

/* All that can be blocked, but for what vat itself does wrong. */
static int block_signals(void) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL, SIGABRT,
                            SIGTRAP, SIGSYS, SIGXFSZ, SIGPIPE};
  sigset_t set;
  sigfillset(&set);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&set, own[i]);
  sigprocmask(SIG_SETMASK, &set, NULL);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int program_run(const struct run_program *program,
                const struct run_watch *watch, int *status) {
  struct running running = {.watch = watch};
  int signals = block_signals();
  if (signals < 0 || !(running.child = start(program))) {
    int error = errno;
    sigprocmask(SIG_SETMASK, &program->mask, NULL);
    return refuse(program, error);
  }
  wait_for(&running, signals);
  close(signals);
  *status = running.status;
  return VAT_OK;
}

/* Its core is there already. */
_Noreturn void program_end_like(int status) {
  struct rlimit none = {0, 0};
  if (!WIFSIGNALED(status)) _exit(WEXITSTATUS(status));
  sigset_t set;
  int number = WTERMSIG(status);
  setrlimit(RLIMIT_CORE, &none);
  signal(number, SIG_DFL);
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  kill(getpid(), number);
  _exit(128 + number);
}
