/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds of runs. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cpu_algos/random.h"
#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "experiments/compare/comparison.h"
#include "experiments/memory/workspaces.h"

/* For one run: the switches of a size between, by --reserve, or as they are. */
static int switches_take(const struct comparison *c, const struct arm *arm,
                         struct hp_reservation **held) {
  const struct hp_kind *kind = arm->kind;
  *held = NULL;
  if (!kind || !kind->alone) return VAT_OK;
  return workspace_alone(kind, arm->asks, c->options.reserve, held);
}

/* Are the pools of huge pages large enough for this program?  Pages beyond what
 * the memory itself takes: each of malloc's chunks that has a mapping of its
 * own ends in a page that is not full. */
enum { MORE_SMALL = 16, MORE_LARGE = 1 };
static const size_t large_page = (size_t)1 << 30;

int pools_check(const struct comparison *c) {
  for (size_t i = 0; i < c->arms.count; i++) {
    struct hp_missing missing;
    const struct hp_kind *kind = c->arms.at[i].kind;
    if (!kind) continue;
    if (kind->alone) {
      struct hp_reservation *held;
      int code = switches_take(c, &c->arms.at[i], &held);
      hp_pool_release(held);
      if (code) return code;
    }
    if (kind->pooled && !c->options.warmup)
      return fail(VAT_USAGE,
                  "--warmup 0: only a run shows how large the pool of %s pages "
                  "has to be; fix: --warmup 1",
                  kind->name);
    struct hp_pool pool;
    if (kind->pooled && hp_pool_read(kind->bytes, &pool) &&
        hp_kind_explain(kind, kind->bytes, &missing))
      return workspace_missing(kind, &missing, false);
  }
  return VAT_OK;
}

/* Once the program has run on base pages: see to it that each pool has what it
 * takes, growing it for the runs by --reserve. */
static int pools_prepare(struct comparison *c) {
  size_t open = granted_backing(c, 0, &c->warm[0])->open;
  for (size_t i = 0; i < c->arms.count; i++) {
    struct hp_missing missing;
    const struct hp_kind *kind = c->arms.at[i].kind;
    if (!kind || !kind->pooled) continue;
    size_t more = kind->bytes >= large_page ? MORE_LARGE : MORE_SMALL;
    size_t pages = open / kind->bytes + (open % kind->bytes != 0);
    /* Memory that no look saw counts here, too; and the program's files. */
    size_t most = c->warm[0].peak_bytes / kind->bytes + 1;
    if (most < pages) most = pages;
    size_t wanted = (most + most / 4 + more) * kind->bytes;
    int code = VAT_OK;
    if (c->options.reserve)
      code = workspace_reserve(kind, wanted, false, &c->reservations[i]);
    else if (hp_kind_explain(kind, (pages + !pages) * kind->bytes, &missing)) {
      /* Named is what leaves room, though less than that may do. */
      hp_kind_explain(kind, wanted, &missing);
      code = workspace_missing(kind, &missing, false);
    }
    if (code) return code;
  }
  return VAT_OK;
}

void pools_release(struct comparison *c) {
  for (size_t i = 0; i < c->arms.count; i++) {
    hp_pool_release(c->reservations[i]);
    c->reservations[i] = NULL;
  }
}

/* A stop costs the program two switches of context and what the supervisor
 * does: on a virtual machine of two processors 11 us where both share one, 50
 * to 120 where the other has to be woken.  Above this share of a run processes
 * are not stopped. */
static const double stop_s = 100e-6, stops_share = 0.005;

void series_order(uint64_t seed, uint32_t round, size_t arms,
                  size_t order[ARMS_MAX]) {
  struct cpu_random random = {.state = cpu_random_at(seed, round)};
  for (size_t i = 0; i < arms; i++) order[i] = i;
  cpu_random_shuffle(&random, order, arms);
}

struct ticking {
  struct comparison *comparison;
  double begun_s, run_begun_s;
  size_t done, all; /* runs, those before the first that counts, too */
  char label[ARM_WORDS + 32];
};

/* As far as one can tell of a run from the ones before it. */
static int on_tick(void *context) {
  const struct ticking *ticking = context;
  double now = progress_now_s(), done = (double)ticking->done;
  if (!ticking->done) {
    progress_draw(&ticking->comparison->progress, 0, NAN, ticking->label);
  } else {
    double each = (ticking->run_begun_s - ticking->begun_s) / done;
    double part = fmin((now - ticking->run_begun_s) / each, 0.95);
    progress_draw_part(&ticking->comparison->progress,
                       (done + part) / (double)ticking->all, ticking->begun_s,
                       ticking->label);
  }
  return interrupt_pending();
}

static void begin_run(struct ticking *ticking, const struct arm *arm,
                      const char *what, uint32_t round) {
  char text[ARM_WORDS];
  ticking->run_begun_s = progress_now_s();
  snprintf(ticking->label, sizeof ticking->label, "%s %u, %s", what, round + 1,
           arm_text(arm, text));
}

static int complain(const struct comparison *c, const struct arm *arm,
                    const struct launch_result *result) {
  const char *path = arm->command ? arm->command : c->program.path;
  const char *words = result->last_words;
  const char *before = *words ? "; its last words: " : "";
  char on[ARM_WORDS];
  arm_text(arm, on);
  if (result->error)
    return fail(fail_code(result->error), "%s: cannot be executed: %s", path,
                strerror(result->error));
  if (WIFSIGNALED(result->status))
    return fail(
        VAT_FAILED,
        "%s was killed by signal %d (%s) on %s%s%s; fix: run it without "
        "vat to see whether it is killed there, too",
        path, WTERMSIG(result->status), strsignal(WTERMSIG(result->status)), on,
        before, words);
  if (WEXITSTATUS(result->status) && !c->options.ignore_failure)
    return fail(VAT_FAILED, "%s exited with status %d on %s (%s)%s%s", path,
                WEXITSTATUS(result->status), on,
                arm->command && WEXITSTATUS(result->status) == 127
                    ? "the shell found no such command"
                    : "-i accepts such runs",
                before, words);
  if (c->launch.metric && !result->has_metric)
    return fail(VAT_FAILED,
                "--metric: no line that %s printed on %s matches with a "
                "number in the first group; --show-output shows the lines",
                path, on);
  return VAT_OK;
}

/* One run; VAT_FAILED with a signal pending where it was stopped. */
static int run_once(struct comparison *c, size_t index,
                    struct launch_result *result, struct ticking *ticking) {
  const struct arm *arm = &c->arms.at[index];
  struct launch launch_it = c->launch;
  char *shell[] = {"sh", "-c", arm->command, NULL};
  if (arm->command) {
    launch_it.path = "/bin/sh";
    launch_it.argv = shell;
  }
  launch_it.environment = arm->environment;
  launch_it.forbid_thp = arm->forbid_thp;
  launch_it.collapse = arm->collapse;
  launch_it.sized_bytes = arm->kind && arm->kind->alone ? arm->kind->bytes : 0;
  launch_it.chosen = arm->planned > 0;
  launch_it.trace = c->trace;
  launch_it.trace_threads = c->trace_threads;
  if (c->options.prewarm) first_touch_warm(c->warm[0].peak_bytes * 5 / 4);
  struct hp_reservation *held;
  int code = switches_take(c, arm, &held);
  if (code) return code;
  int failed = launch(&launch_it, result, on_tick, ticking), error = errno;
  hp_pool_release(held);
  if (failed) {
    progress_clear(&c->progress);
    errno = error; /* EIO: who watches it was killed */
    return fail(errno == EIO ? VAT_FAILED : VAT_ABSENT, "%s cannot be run: %s",
                launch_it.path, strerror(errno));
  }
  if (result->interrupted || interrupt_pending()) return VAT_FAILED;
  ticking->done++;
  progress_clear(&c->progress); /* or a complaint would be behind it */
  return complain(c, arm, result);
}

/* Threads are left alone where none starts processes; stopping processes as
 * they exit is given up where it would cost too much. */
static void weigh_stops(struct comparison *c) {
  double share = 0;
  c->trace_threads = !c->options.warmup;
  for (size_t i = 0; i < c->arms.count; i++)
    c->trace_threads |= c->warmed[i] && c->warm[i].threads_fork;
  for (size_t i = 0; i < c->arms.count; i++) {
    const struct launch_result *warm = &c->warm[i];
    if (!c->warmed[i] || !(warm->wall_s > 0)) continue;
    uint64_t stops = warm->stops - (c->trace_threads ? 0 : warm->thread_stops);
    share = fmax(share, (double)stops * stop_s / warm->wall_s);
  }
  c->trace = share <= stops_share;
}

/* Base pages come first: they tell how large a pool the others need. */
static int warm_up_arm(struct comparison *c, size_t arm, uint32_t round,
                       struct ticking *ticking) {
  begin_run(ticking, &c->arms.at[arm], "warming up", round);
  c->launch.closely = true;
  int code = run_once(c, arm, &c->warm[arm], ticking);
  c->launch.closely = false;
  if (code) return code;
  bool first = arm == 0 && !c->warmed[0];
  c->warmed[arm] = true;
  return first ? pools_prepare(c) : VAT_OK;
}

static int warm_up(struct comparison *c, struct ticking *ticking) {
  int code = VAT_OK;
  c->trace = c->trace_threads = true;
  for (uint32_t i = 0; !code && i < c->options.warmup; i++)
    for (size_t arm = 0; !code && arm < c->arms.count; arm++)
      if (!c->arms.at[arm].control) code = warm_up_arm(c, arm, i, ticking);
  if (!code) weigh_stops(c);
  return code;
}

static bool counts(const struct comparison *c, size_t arm,
                   const struct launch_result *result) {
  const struct hp_kind *kind = c->arms.at[arm].kind;
  const struct backing *backing = granted_backing(c, arm, result);
  double share = granted_to_arm(c, &c->arms.at[arm], backing);
  if (c->arms.at[arm].contiguous && !granted_no_huge(backing)) return false;
  /* What is chosen may be freed before anybody looks. */
  if (kind && !arm_is_pages(&c->arms.at[arm])) return isnan(share) || share > 0;
  return !kind || granted_enough(share, kind);
}

static int run_round(struct comparison *c, uint32_t round,
                     struct ticking *ticking) {
  size_t order[ARMS_MAX], arms = c->arms.count;
  series_order(c->options.seed, round, arms, order);
  for (size_t i = 0; i < arms; i++) {
    struct compare_run *run = &c->runs[c->count];
    *run = (struct compare_run){.round = round, .arm = order[i]};
    begin_run(ticking, &c->arms.at[order[i]], "round", round);
    int code = run_once(c, order[i], &run->result, ticking);
    if (code) return code;
    run->counts = counts(c, order[i], &run->result);
    c->count++;
    if (c->writer && results_write_new(c->writer, compare_run_to_json(c, run)))
      return fail_write(c->options.output);
  }
  return VAT_OK;
}

int series_run(struct comparison *c) {
  size_t arms = c->arms.count, controls = 0;
  for (size_t i = 0; i < arms; i++) controls += c->arms.at[i].control;
  struct ticking ticking = {
      .comparison = c,
      .begun_s = progress_now_s(),
      .all = c->options.runs * arms + c->options.warmup * (arms - controls)};
  c->runs = memory_zeroed(c->options.runs * arms, sizeof *c->runs);
  progress_init(&c->progress);
  int code = warm_up(c, &ticking);
  for (uint32_t round = 0; !code && round < c->options.runs; round++)
    code = run_round(c, round, &ticking);
  progress_clear(&c->progress);
  return code;
}
