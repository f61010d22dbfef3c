/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/native.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/progress.h"
#include "experiments/compare/launch.h"
#include "experiments/profile/timed.h"
#include "experiments/results/ratio.h"

extern char **environ;

struct series {
  double user_s[PROFILE_RUNS], sys_s[PROFILE_RUNS], faults[PROFILE_RUNS];
  unsigned run, runs;
  struct progress progress;
};

static int tick(void *context) {
  struct series *series = context;
  progress_draw_part(&series->progress, (double)series->run / series->runs,
                     series->progress.start_s, "the program by itself");
  return interrupt_pending();
}

/* What was typed or came through a pipe is gone after one run. */
static int open_input(struct launch *launch) {
  struct stat file;
  if (fstat(STDIN_FILENO, &file) || S_ISCHR(file.st_mode)) return VAT_OK;
  launch->input = "/proc/self/fd/0"; /* anew, from its beginning */
  if (S_ISREG(file.st_mode)) return VAT_OK;
  return fail(VAT_USAGE,
              "standard input can be read but once, and --what-if runs PROG "
              "more often; mend: < FILE, or --user-time SECONDS");
}

/* What went wrong took other time than what is predicted. */
static int complain(const struct launch *run,
                    const struct launch_result *result) {
  static const char mend[] =
      "; mend: a run that succeeds, or --user-time "
      "SECONDS";
  const char *words = result->last_words;
  const char *so = *words ? "; its last words: " : "";
  if (result->error)
    return fail(fail_code(result->error), "%s: %s", run->path,
                strerror(result->error));
  if (WIFSIGNALED(result->status))
    return fail(VAT_FAILED, "%s by itself was killed by signal %d (%s)%s%s%s",
                run->path, WTERMSIG(result->status),
                strsignal(WTERMSIG(result->status)), so, words, mend);
  if (WEXITSTATUS(result->status))
    return fail(VAT_FAILED, "%s by itself exited with status %d%s%s%s",
                run->path, WEXITSTATUS(result->status), so, words, mend);
  return VAT_OK;
}

static int run_all(const struct launch *run, struct series *series) {
  struct launch_result result;
  progress_init(&series->progress);
  for (unsigned i = 0; i < series->runs; i++) {
    series->run = i;
    int failed = launch(run, &result, tick, series);
    progress_clear(&series->progress);
    if (failed)
      return fail(VAT_ABSENT, "a run without Valgrind: %s", strerror(errno));
    if (result.interrupted) return VAT_FAILED;
    int code = complain(run, &result);
    if (code) return code;
    series->user_s[i] = result.user_s;
    series->sys_s[i] = result.sys_s;
    series->faults[i] = (double)result.minor_faults;
  }
  return VAT_OK;
}

/* Of many runs some were held up: the least and the most are without a sixth
 * of them on either side, and so do not grow with the runs. */
static void conclude(struct native *native, double *user_s, double *sys_s,
                     double *faults) {
  unsigned out = native->runs / 6;
  gsl_sort(user_s, 1, native->runs);
  native->time =
      (struct what_if_time){ratio_median(user_s, native->runs), user_s[out],
                            user_s[native->runs - 1 - out]};
  native->sys_s = ratio_median(sys_s, native->runs);
  native->faults = (uint64_t)ratio_median(faults, native->runs);
}

static int take_timed(struct native *native,
                      const struct profile_request *request) {
  static struct timed timed;
  int code = timed_read(&timed, request->timed, request->program);
  if (code) return code;
  native->runs = timed.runs;
  native->touch = timed.touch;
  conclude(native, timed.user_s, timed.sys_s, timed.faults);
  if (native->time.lo_s > 0) return VAT_OK;
  return fail(VAT_USAGE, "--timed %s: its user time is too short",
              request->timed);
}

int native_measure(struct native *native, const struct profile_request *request,
                   const char *path) {
  static struct series series;
  *native = (struct native){0};
  if (request->user_s > 0) {
    native->time = (struct what_if_time){request->user_s, request->user_s,
                                         request->user_s};
    native->sys_s = NAN;
    return VAT_OK;
  }
  if (request->timed) return take_timed(native, request);
  struct launch run = {.path = path,
                       .argv = request->program,
                       .environment = environ,
                       .forbid_thp = true,
                       .pin = -1};
  native->runs = request->runs;
  sigprocmask(SIG_SETMASK, NULL, &run.mask);
  int code = open_input(&run);
  if (code) return code;
  if (interrupt_arm()) return fail(VAT_ABSENT, "signals: %s", strerror(errno));
  series.runs = native->runs;
  code = run_all(&run, &series);
  bool interrupted = interrupt_pending();
  interrupt_disarm();
  if (interrupted) interrupt_die();
  if (code) return code;
  conclude(native, series.user_s, series.sys_s, series.faults);
  first_touch_probe(&native->touch);
  if (native->time.lo_s > 0) return VAT_OK;
  return fail(VAT_USAGE,
              "%s: its user time is too short to be measured; mend: more work, "
              "or --user-time SECONDS",
              path);
}
