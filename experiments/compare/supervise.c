/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The supervisor: one program, from fork to the last of its descendants. */
#include "experiments/compare/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/progress.h"
#include "experiments/compare/child.h"
#include "experiments/compare/output_tail.h"
#include "experiments/compare/process_tree.h"
#include "experiments/compare/tracer.h"
#include "experiments/compare/watch.h"

struct supervision {
  const struct launch *launch;
  struct launch_result *result;
  struct watch watch;
  struct output_tail out, err;
  struct tree_counters counters;
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
      tracer_go_on(pid, status, &s->watch);
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
  watch_left_behind(&s->watch);
  process_tree_end();
  output_tail_drain(&s->out);
  output_tail_drain(&s->err);
  read_usage(result);
  tree_counters_close(&s->counters, &result->counts);
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
    s->result->trace_error = tracer_seize(child.pid, s->launch->trace_threads);
    s->result->traced = !s->result->trace_error;
  }
  tree_counters_open(&s->counters, s->launch->counters, child.pid);
  watch_begin(&s->watch, s->result, s->launch);
  return child_exec(&child);
}

void supervise(const struct launch *launch, pid_t vat,
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
