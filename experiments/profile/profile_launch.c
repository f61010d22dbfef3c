/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_launch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/as_found.h"
#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/progress.h"
#include "experiments/compare/process_tree.h"
#include "experiments/profile/plan_told.h"
#include "experiments/profile/trace_pump.h"

enum { INTERRUPTS = 3 };
static const int interrupts[INTERRUPTS] = {SIGTERM, SIGINT, SIGHUP};

/* What the caller ignores (nohup) stays ignored. */
static void listen_to(struct guard *guard) {
  struct sigaction action;
  sigemptyset(&guard->heard);
  sigaddset(&guard->heard, SIGCHLD);
  signal(SIGCHLD, SIG_DFL); /* who ignores it does not hear of children */
  for (int i = 0; i < INTERRUPTS; i++)
    if (!sigaction(interrupts[i], NULL, &action) &&
        action.sa_handler != SIG_IGN)
      sigaddset(&guard->heard, interrupts[i]);
  sigprocmask(SIG_BLOCK, &guard->heard, &guard->before);
}

/* In the worker: is there nobody who waits? */
static bool guard_is_orphan(const struct guard *guard) {
  return getppid() != guard->caller;
}

void guard_release(const struct guard *guard) {
  sigprocmask(SIG_SETMASK, &guard->before, NULL);
}

/* One that is heard, or it would learn nothing of the caller's death: SIGCHLD
 * is, also where all that interrupts is ignored. */
static int signal_of_death(const struct guard *guard) {
  for (int i = 0; i < INTERRUPTS; i++)
    if (sigismember(&guard->heard, interrupts[i]) == 1) return interrupts[i];
  return SIGCHLD;
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
  if (!worker) {
    prctl(PR_SET_PDEATHSIG, signal_of_death(&guard));
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    /* With what main() has to check of the standard output at the end. */
    exit(guard_is_orphan(&guard) ? VAT_FAILED : work(&guard, context));
  }
  int error = errno;
  if (worker > 0) status = await(&guard, worker);
  process_tree_end_others(ours, count);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  clean(context);
  guard_release(&guard);
  if (worker < 0) return fail(VAT_ABSENT, "fork: %s", strerror(error));
  return conclude(status);
}

struct run {
  pid_t child;
  int signals; /* as a file */
  unsigned interrupts;
  double interrupted_s; /* when the last of them came */
  int signal;           /* which it was */
  bool insisted;        /* it was passed on anew, and that was told */
  bool ended;           /* the child */
  int status;           /* its */
  const struct guard *guard;
  struct valgrind *valgrind;
  struct trace_pump *pump;
  const char *name; /* the program */
  double began_s, told_s, ended_s;
  bool daemon_told;
};

enum { FIXED = 20 + PROFILE_ALLOCATORS };

/* As experiments/valgrind/main.c reads them. */
static char *tlb_argument(const struct tlb_shape *tlb) {
  return memory_format("--tlb=%ux%u,%ux%u,%ux%u", tlb->level[0].entries,
                       tlb->level[0].ways, tlb->level[1].entries,
                       tlb->level[1].ways, tlb->walk.entries, tlb->walk.ways);
}

static char *itlb_argument(const struct mixed_tlb_shape *itlb) {
  const struct tlb_cache_shape *all = itlb->all.level;
  const struct tlb_cache_shape *large = itlb->from[0].level;
  return memory_format("--itlb=%ux%u,%ux%u,%ux%u,%ux%u", all[0].entries,
                       all[0].ways, all[1].entries, all[1].ways,
                       large[0].entries, large[0].ways, large[1].entries,
                       large[1].ways);
}

/* What Valgrind says goes to a file: it is no output of the program. */
static char **make_arguments(const struct profile_request *request,
                             const char *path,
                             const struct valgrind *valgrind) {
  static const char *const always[] = {"--tool=vat",
                                       "-q",
                                       "--vgdb=no",
                                       "--trace-children=yes",
                                       "--read-inline-info=yes",
                                       "--fullpath-after=",
                                       NULL};
  const struct tlb_shape *tlb = &request->tlb;
  size_t count = 0;
  char log[PATH_MAX];
  while (request->program[count]) count++;
  char **args = memory_zeroed(count + FIXED, sizeof *args), **to = args;
  *to++ = memory_text(valgrind->program);
  for (size_t i = 0; always[i]; i++) *to++ = memory_text(always[i]);
  *to++ = memory_format("--log-file=%s", valgrind_log(valgrind, log));
  *to++ = memory_format("--vat-out=%s/out", valgrind->directory);
  *to++ = memory_format("--pages=%s", request->pages);
  if (!tlb->level[0].entries)
    *to++ = memory_format("--policy=%s", request->policy);
  *to++ = memory_format("--tc=%llu", (unsigned long long)request->nodes);
  if (request->what_if || request->save) *to++ = memory_text("--flow=yes");
  if (tlb->level[0].entries) *to++ = tlb_argument(tlb);
  if (request->code) *to++ = itlb_argument(&request->itlb);
  for (unsigned i = 0; i < request->allocator.count; i++)
    *to++ = memory_format("--allocator=%s", request->allocator.at[i]);
  if (request->plan)
    *to++ = memory_format("--plan=%s/plan", valgrind->directory);
  if (request->trace)
    *to++ = memory_format("--trace=%s/trace", valgrind->directory);
  *to++ = memory_text(path);
  for (size_t i = 1; i < count; i++) *to++ = memory_text(request->program[i]);
  return args;
}

static void become(const struct profile_request *request, const struct run *run,
                   char **args) {
  guard_release(run->guard);
  as_found_restore();
  if (!request->output) dup2(STDERR_FILENO, STDOUT_FILENO);
  /* Who kills vat does not want to wait for the program either. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  execv(args[0], args);
  fail(VAT_ABSENT, "%s: %s", args[0], strerror(errno));
  _exit(VAT_ABSENT);
}

/* Children of this process: of what is left, the topmost.  One that is stopped
 * would not hear it. */
static void signal_children(int number) {
  static pid_t children[TREE_MAX];
  size_t count = process_tree(getpid(), 0, children);
  while (count--) {
    kill(children[count], number);
    kill(children[count], SIGCONT);
  }
}

/* Who signals a process group has this process get the signal, and have it from
 * the guard again; timeout(1) sends it to both.  Nobody types so fast. */
static const double same_s = 0.3;

static bool is_new(struct run *run, const struct signalfd_siginfo *info) {
  double now = progress_now_s();
  if (info->ssi_signo == SIGCHLD) return false;
  if (process_tree_has((pid_t)info->ssi_pid)) return false;
  if (run->interrupts && now - run->interrupted_s < same_s) return false;
  run->interrupted_s = now;
  return true;
}

/* From a terminal the program has had the signal, too, but may be stopped. */
static void take_signal(struct run *run) {
  struct signalfd_siginfo info;
  if (read(run->signals, &info, sizeof info) != sizeof info) return;
  if (guard_is_orphan(run->guard)) { /* nobody wants the profile */
    process_tree_end();
    valgrind_clean(run->valgrind);
    _exit(VAT_FAILED);
  }
  if (!is_new(run, &info)) return;
  if (run->interrupts++)
    signal_children(SIGKILL);
  else
    signal_children(info.ssi_code == SI_KERNEL ? SIGCONT : (int)info.ssi_signo);
  run->signal = (int)info.ssi_signo;
}

/* False when there is nobody left. */
static bool reap(struct run *run) {
  int status;
  for (;;) {
    pid_t child = waitpid(-1, &status, WNOHANG);
    if (child <= 0) return !child;
    long stopped = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
    /* It asked its parent to trace it, which it would wait for. */
    if (stopped)
      ptrace(PTRACE_DETACH, child, NULL, stopped == SIGTRAP ? 0L : stopped);
    if (child != run->child || stopped) continue;
    run->ended = true;
    run->ended_s = progress_now_s();
    run->status = status;
    if (run->interrupts) signal_children(SIGTERM);
  }
}

/* One that came while Valgrind began was once seen to have no effect. */
static const int again_ms = 10000, tick_ms = 1000;

static void insist(struct run *run) {
  signal_children(run->signal);
  if (run->insisted) return;
  run->insisted = true;
  fprintf(stderr, "vat: note: it goes on after SIG%s; another one kills it\n",
          sigabbrev_np(run->signal));
}

/* Who waits is to know for what, and how to go on. */
static void tell_wait(struct run *run) {
  static pid_t left[TREE_MAX];
  char how[32] = "Ctrl-C";
  double now = progress_now_s();
  bool terminal = isatty(STDERR_FILENO) == 1;
  double due = run->told_s ? run->told_s + PROGRESS_LOG_S
                           : run->began_s + (terminal ? 2 : PROGRESS_LOG_S);
  bool daemon = run->ended && !run->daemon_told && now > run->ended_s + 2;
  if (run->interrupts || (now < due && !daemon)) return;
  run->told_s = now;
  if (!terminal || run->ended) /* a daemon's session has no terminal */
    snprintf(how, sizeof how, "kill -INT %d", (int)run->guard->caller);
  size_t count = run->ended ? process_tree(getpid(), 1, left) : 0;
  run->daemon_told |= daemon;
  if (count)
    fprintf(stderr,
            "vat: %s has ended and left %zu process%s running (pid %d); vat "
            "profiles until the last one ends; to write the profile now: %s\n",
            run->name, count, count > 1 ? "es" : "", (int)left[0], how);
  else if (!run->ended)
    fprintf(stderr,
            "vat: %s has run in Valgrind for %.0f s; to end it and write the "
            "profile now: %s\n",
            run->name, now - run->began_s, how);
}

static int attend(struct run *run) {
  int code = VAT_OK;
  struct pollfd files[2] = {{.fd = run->signals, .events = POLLIN},
                            {.fd = -1, .events = POLLIN}};
  if (run->pump) files[1].fd = trace_pump_fd(run->pump);
  while (reap(run)) {
    int ready = poll(files, 2, run->interrupts == 1 ? again_ms : tick_ms);
    if (ready < 0 && errno != EINTR) break;
    if (!ready && run->interrupts == 1) insist(run);
    tell_wait(run);
    if (files[0].revents & POLLIN) take_signal(run);
    if (!(files[1].revents & POLLIN)) continue;
    code = trace_pump_take(run->pump);
    if (!code) continue;
    files[1].fd = -1;
    signal_children(SIGKILL);
  }
  return code;
}

int profile_launch(const struct profile_request *request, const char *path,
                   struct valgrind *valgrind, const struct guard *guard,
                   int *status) {
  struct run run = {.guard = guard,
                    .valgrind = valgrind,
                    .name = request->program[0],
                    .began_s = progress_now_s(),
                    .signals = signalfd(-1, &guard->heard, SFD_CLOEXEC)};
  int code = request->trace
                 ? trace_pump_create(&run.pump, valgrind, request->trace)
                 : VAT_OK;
  if (!code && request->plan)
    code = plan_told_write(request->plan_told, valgrind);
  if (code) {
    trace_pump_destroy(run.pump);
    return code;
  }
  char **args = make_arguments(request, path, valgrind);
  memory_check(setenv("VALGRIND_LIB", valgrind->directory, 1));
  fflush(NULL);
  run.child = fork();
  if (!run.child) become(request, &run, args);
  code = run.child > 0 && run.signals >= 0
             ? attend(&run)
             : fail(VAT_ABSENT, "fork: %s", strerror(errno));
  if (run.signals >= 0) close(run.signals);
  for (char **arg = args; *arg; arg++) free(*arg);
  free(args);
  if (!code && run.pump) code = trace_pump_finish(run.pump);
  if (run.pump) valgrind->traced = trace_pump_first(run.pump);
  trace_pump_destroy(run.pump);
  *status = run.status;
  return code;
}
