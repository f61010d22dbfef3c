/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/progress.h"
#include "experiments/compare/process_tree.h"
#include "experiments/compare/supervisor.h"
#include "experiments/machine/counter_backend.h"
#include "experiments/machine/counters.h"

enum { TICK_MS = 100 };

/* Tracing is by ptrace(2) with PTRACE_SEIZE, so that a program that is stopped
 * and continued by others behaves as ever.  System calls are not traced;
 * starts, ends and signals cost a stop each, which is counted.  Threads are
 * only traced where that is asked for: their stops say nothing of memory, but a
 * process that is started by one is traced only if that is.  Tracees die with
 * the tracer.  What these requests take last is data, not an address. */
static long request(enum __ptrace_request what, pid_t pid, long data) {
  return ptrace(what, pid, NULL, (void *)data);
}

/* Returns 0, or the errno of a kernel that refuses. */
static int seize(pid_t pid, bool threads) {
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

static void count_stop(struct launch_result *result, pid_t pid, int event) {
  bool of_thread = !is_process(pid), clone = event == PTRACE_EVENT_CLONE;
  result->stops++;
  result->thread_stops += of_thread || clone;
  if ((of_thread || clone) && starts_process(pid, event))
    result->threads_fork = true;
}

/* `pid` stopped with `status`, as waitpid() has it: let it go on, after a last
 * look if it exits.  Stops are counted in the watch's result. */
static void go_on(pid_t pid, int status, struct watch *watch) {
  int event = status >> 16, number = WSTOPSIG(status);
  count_stop(watch->result, pid, event);
  if (event == PTRACE_EVENT_EXIT && is_process(pid)) watch_exit(watch, pid);
  /* Stopped by a signal with its whole group: stay so until it is continued
   * by whoever stopped it. */
  if (event == PTRACE_EVENT_STOP && is_stop_signal(number))
    request(PTRACE_LISTEN, pid, 0);
  else
    request(PTRACE_CONT, pid, event ? 0 : number);
}

/* Hardware counters over the program and all that it starts: inherited by
 * children, they start with the program.  What is absent in vat's own is absent
 * here, too: those have found out which quantities the processor counts at
 * once, and events that share a counter would only be estimates. */
typedef int tree_counters[QUANTITY_COUNT][RUNG_EVENTS]; /* fds; -1: none */

/* All events of a rung or none: a part of a sum is another quantity. */
static bool open_rung(int fds[RUNG_EVENTS], const struct rung *rung,
                      pid_t pid) {
  for (size_t i = 0; i < rung->count; i++) {
    fds[i] = counter_event_open(&rung->events[i], pid);
    if (fds[i] >= 0) continue;
    while (i) close(fds[--i]);
    fds[0] = -1;
    return false;
  }
  return true;
}

/* Attach to `pid`, which has yet to execute the program; `own` are vat's, of
 * all quantities, or NULL to count nothing. */
static void tree_counters_open(tree_counters counters,
                               const struct counters *own, pid_t pid) {
  struct cpu_id cpu;
  cpu_id_read(&cpu);
  const struct cpu_arch *arch = cpu_arch_find(&cpu);
  for (int q = 0; q < QUANTITY_COUNT; q++) {
    struct rung rungs[RUNGS_MAX];
    int *fds = counters[q];
    for (int i = 0; i < RUNG_EVENTS; i++) fds[i] = -1;
    if (!own || !counters_info(own, (size_t)q)->present) continue;
    size_t count = ladder_rungs(arch, (enum quantity_id)q, rungs);
    for (size_t i = 0; i < count; i++)
      if (rungs[i].kind != RUNG_NATIVE && open_rung(fds, &rungs[i], pid)) break;
  }
}

/* Read, after the tree has ended, and close.  NAN: absent. */
static void tree_counters_close(tree_counters counters,
                                double counts[QUANTITY_COUNT]) {
  for (int q = 0; q < QUANTITY_COUNT; q++) {
    const int *fds = counters[q];
    struct counter_reading reading = {0};
    for (int i = 0; i < RUNG_EVENTS && fds[i] >= 0; i++) {
      if (counter_event_read(fds[i], &reading)) reading.lost = true;
      close(fds[i]);
    }
    /* What shared a hardware counter is a guess: it is left out. */
    counts[q] = fds[0] >= 0 && !reading.lost ? (double)reading.value : NAN;
  }
}

struct supervision {
  const struct launch *launch;
  struct launch_result *result;
  struct watch watch;
  struct output_tail out, err;
  tree_counters counters;
  int signals; /* signalfd */
  pid_t vat;
  pid_t child;
  bool ended; /* the program itself, its children may go on */
};

/* All are blocked here: launch() saw to that. */
static int listen_to_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, LAUNCH_STOP);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* What the program and its children send their parent stops nothing. */
static void read_signals(struct supervision *s) {
  struct signalfd_siginfo info;
  while (read(s->signals, &info, sizeof info) == sizeof info)
    if ((int)info.ssi_signo == LAUNCH_STOP &&
        ((pid_t)info.ssi_pid == s->vat || getppid() != s->vat))
      s->result->interrupted = true;
}

/* Every change of state of every child and tracee. */
static void reap(struct supervision *s) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
    if (WIFSTOPPED(status)) {
      go_on(pid, status, &s->watch);
    } else if (pid == s->child) {
      s->result->wall_s =
          progress_now_s() - s->watch.start_s - s->watch.stopped_s;
      s->result->status = status;
      s->ended = true;
    }
  }
}

static void run(struct supervision *s) {
  while (!s->ended && !s->result->interrupted) {
    struct pollfd events[] = {{.fd = s->signals, .events = POLLIN},
                              {.fd = s->out.fd, .events = POLLIN},
                              {.fd = s->err.fd, .events = POLLIN}};
    poll(events, 3, watch_timeout_ms(&s->watch));
    read_signals(s);
    reap(s);
    output_tail_drain(&s->out);
    output_tail_drain(&s->err);
    if (!s->ended) watch_sample(&s->watch);
  }
}

static double seconds(struct timeval time) {
  return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/*
 * All that has been waited for, by us or by one that we waited for.  The most
 * memory of a process that the kernel tells counts ours at the moment of exec,
 * too: what is more than that is the program's.
 */
static void read_usage(struct launch_result *result) {
  struct rusage usage, own;
  getrusage(RUSAGE_CHILDREN, &usage);
  getrusage(RUSAGE_SELF, &own);
  result->user_s = seconds(usage.ru_utime);
  result->sys_s = seconds(usage.ru_stime);
  result->minor_faults = (uint64_t)usage.ru_minflt;
  result->major_faults = (uint64_t)usage.ru_majflt;
  size_t most = (size_t)usage.ru_maxrss * 1024;
  if (usage.ru_maxrss > own.ru_maxrss && most > result->peak_bytes)
    result->peak_bytes = most;
}

/* Its output is read to the end when nobody is left to write any. */
static void conclude(struct supervision *s) {
  struct launch_result *result = s->result;
  watch_end(&s->watch);
  process_tree_end();
  output_tail_drain(&s->out);
  output_tail_drain(&s->err);
  read_usage(result);
  tree_counters_close(s->counters, result->counts);
  const regex_t *metric = s->launch->metric;
  if (metric)
    result->has_metric = output_tail_metric(&s->out, metric, &result->metric) ||
                         output_tail_metric(&s->err, metric, &result->metric);
  output_tail_last_line(&s->err, result->last_words, sizeof result->last_words);
}

/* Off the processor that the program is pinned to, where there are others. */
static void make_room(int pin) {
  cpu_set_t set;
  if (pin < 0 || sched_getaffinity(0, sizeof set, &set)) return;
  CPU_CLR((unsigned)pin, &set);
  if (CPU_COUNT(&set)) sched_setaffinity(0, sizeof set, &set);
}

static int start(struct supervision *s) {
  struct child child;
  int copy = s->launch->show_output ? STDERR_FILENO : -1;
  s->out.fd = s->err.fd = -1;
  if (output_tail_init(&s->out, &child.out, copy) ||
      output_tail_init(&s->err, &child.err, copy))
    return -1;
  if (child_fork(&child, s->launch)) return -1;
  s->child = child.pid;
  close(child.out);
  close(child.err);
  make_room(s->launch->pin);
  if (s->launch->trace) {
    s->result->trace_error = seize(child.pid, s->launch->trace_threads);
    s->result->traced = !s->result->trace_error;
  }
  tree_counters_open(s->counters, s->launch->counters, child.pid);
  watch_begin(&s->watch, s->result, s->launch);
  return child_exec(&child);
}

/* In the supervisor: run it and fill `result`. */
static void supervise(const struct launch *launch, pid_t vat,
                      struct launch_result *result) {
  struct supervision s = {.launch = launch, .vat = vat, .result = result};
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  s.signals = listen_to_signals();
  if (s.signals < 0 || start(&s))
    result->error = errno ? errno : EIO;
  else
    run(&s);
  if (s.child)
    conclude(&s);
  else
    process_tree_end();
  output_tail_fini(&s.out);
  output_tail_fini(&s.err);
}

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
    ssize_t got = TEMP_FAILURE_RETRY(
        read(report, (char *)result + used, sizeof *result - used));
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
