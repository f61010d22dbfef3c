/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/guard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/compare/process_tree.h"

/* What the caller ignores (nohup) stays ignored. */
static void listen_to(struct guard *guard) {
  static const int interrupts[] = {SIGHUP, SIGINT, SIGTERM};
  struct sigaction action;
  sigemptyset(&guard->heard);
  sigaddset(&guard->heard, SIGCHLD);
  signal(SIGCHLD, SIG_DFL); /* who ignores it does not hear of children */
  for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++)
    if (!sigaction(interrupts[i], NULL, &action) &&
        action.sa_handler != SIG_IGN)
      sigaddset(&guard->heard, interrupts[i]);
  sigprocmask(SIG_BLOCK, &guard->heard, &guard->before);
}

bool guard_is_orphan(const struct guard *guard) {
  return getppid() != guard->caller;
}

void guard_release(const struct guard *guard) {
  sigprocmask(SIG_SETMASK, &guard->before, NULL);
}

/* One that is heard, or it would learn nothing of the caller's death: SIGCHLD
 * is, also where all that interrupts is ignored. */
static int signal_of_death(const struct guard *guard) {
  static const int heard[] = {SIGTERM, SIGINT, SIGHUP};
  for (size_t i = 0; i < sizeof heard / sizeof *heard; i++)
    if (sigismember(&guard->heard, heard[i]) == 1) return heard[i];
  return SIGCHLD;
}

static _Noreturn void be_worker(const struct guard *guard,
                                int (*work)(const struct guard *guard,
                                            void *context),
                                void *context) {
  prctl(PR_SET_PDEATHSIG, signal_of_death(guard));
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  /* With what main() has to check of the standard output at the end. */
  exit(guard_is_orphan(guard) ? VAT_FAILED : work(guard, context));
}

/* Its status.  What the terminal sends, it has had itself; what the program
 * sends to its process group, in which vat is, is none of vat's business. */
static int await(const struct guard *guard, pid_t worker) {
  siginfo_t info;
  int status;
  while (waitpid(worker, &status, WNOHANG) != worker)
    if (sigwaitinfo(&guard->heard, &info) > 0 && info.si_signo != SIGCHLD &&
        info.si_code != SI_KERNEL && !process_tree_has(info.si_pid))
      kill(worker, info.si_signo);
  return status;
}

static int conclude(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  int number = WTERMSIG(status);
  /* As it would by itself, where who reads its output has gone, too. */
  if (number == SIGHUP || number == SIGINT || number == SIGTERM ||
      number == SIGPIPE) {
    signal(number, SIG_DFL);
    raise(number);
  }
  return fail(VAT_FAILED, "what watches the program was killed by signal %d",
              number);
}

int guarded(int (*work)(const struct guard *guard, void *context),
            void (*clean)(void *context), void *context) {
  static pid_t ours[TREE_MAX];
  struct guard guard = {.caller = getpid()};
  int status = 0;
  size_t count = process_tree(getpid(), 0, ours);
  listen_to(&guard);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  fflush(NULL);
  pid_t worker = fork();
  if (!worker) be_worker(&guard, work, context);
  int error = errno;
  if (worker > 0) status = await(&guard, worker);
  process_tree_end_others(ours, count);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  clean(context);
  guard_release(&guard);
  if (worker < 0) return fail(VAT_ABSENT, "fork: %s", strerror(error));
  return conclude(status);
}
