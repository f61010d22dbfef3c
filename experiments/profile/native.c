/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/json_file.h"
#include "experiments/compare/comparison.h"
#include "experiments/profile/what_if_table.h"
#include "experiments/results/compared.h"
#include "experiments/results/ratio.h"

extern char **environ;

enum { RUNS_MOST = 2000 /* PROFILE_RUNS at least */ };

struct series {
  struct native *native; /* that it is to become */
  const struct profile_request *request;
  double user_s[RUNS_MOST], sys_s[RUNS_MOST], faults[RUNS_MOST],
      peak[RUNS_MOST];
  unsigned runs; /* so far */
  struct progress progress;
};

static void add_run(struct series *series, const struct launch_result *run) {
  series->user_s[series->runs] = run->user_s;
  series->sys_s[series->runs] = run->sys_s;
  series->peak[series->runs] = (double)run->peak_bytes;
  series->faults[series->runs++] = (double)run->minor_faults;
}

static int tick(void *context) {
  struct series *series = context;
  double done = (double)series->runs / series->request->runs;
  const char *label = "the program by itself";
  if (done > 0)
    progress_draw_part(&series->progress, done, series->progress.start_s,
                       label);
  else
    progress_draw(&series->progress, 0, NAN, label);
  return interrupt_pending();
}

/* What was typed or came through a pipe is gone after one run. */
static int open_input(struct launch *launch) {
  struct stat file;
  if (fstat(STDIN_FILENO, &file) || S_ISCHR(file.st_mode)) return VAT_OK;
  launch->input = "/proc/self/fd/0"; /* anew, from its beginning */
  if (S_ISREG(file.st_mode)) return VAT_OK;
  return fail(VAT_USAGE,
              "standard input can be read only once, and --what-if runs PROG "
              "several times; fix: < FILE, or --user-time SECONDS");
}

/* What went wrong took other time than what is predicted. */
static int complain(const struct launch *run,
                    const struct launch_result *result) {
  static const char fix[] =
      "; fix: a run that succeeds, or --user-time SECONDS";
  const char *words = result->last_words;
  const char *so = *words ? "; its last words: " : "";
  if (result->error)
    return fail(fail_code(result->error), "%s: %s", run->path,
                strerror(result->error));
  if (WIFSIGNALED(result->status))
    return fail(VAT_FAILED, "%s by itself was killed by signal %d (%s)%s%s%s",
                run->path, WTERMSIG(result->status),
                strsignal(WTERMSIG(result->status)), so, words, fix);
  if (WEXITSTATUS(result->status))
    return fail(VAT_FAILED, "%s by itself exited with status %d%s%s%s",
                run->path, WEXITSTATUS(result->status), so, words, fix);
  return VAT_OK;
}

static int run_all(const struct launch *run, struct series *series) {
  struct launch_result result;
  progress_init(&series->progress);
  for (unsigned i = 0; i < series->request->runs; i++) {
    int failed = launch(run, &result, tick, series);
    progress_clear(&series->progress);
    if (failed)
      return fail(VAT_ABSENT, "a run without Valgrind: %s", strerror(errno));
    if (result.interrupted) return VAT_FAILED;
    int code = complain(run, &result);
    if (code) return code;
    add_run(series, &result);
  }
  return VAT_OK;
}

/* Of many runs some were held up: the least and the most are without a sixth
 * of them on either side, and so do not grow with the runs. */
static void conclude(struct series *series) {
  struct native *native = series->native;
  unsigned runs = native->runs = series->runs, out = runs / 6;
  double *user_s = series->user_s;
  gsl_sort(user_s, 1, runs);
  native->time = (struct what_if_time){ratio_median(user_s, runs), user_s[out],
                                       user_s[runs - 1 - out]};
  native->sys_s = ratio_median(series->sys_s, runs);
  native->faults = (uint64_t)ratio_median(series->faults, runs);
  double peak = ratio_median(series->peak, runs);
  native->peak_bytes = peak > 0 ? peak : NAN;
}

static bool is(const json_t *object, const char *key, const char *value) {
  const char *text = json_string_value(json_object_get(object, key));
  return text && !strcmp(text, value);
}

static int read_run(struct series *series, const json_t *record) {
  char why[160];
  struct launch_result run = {.error = 0};
  if (!is(record, "kind", "4k") || series->runs == RUNS_MOST ||
      !json_is_true(json_object_get(record, "counts")))
    return VAT_OK;
  if (record_from_json(launch_fields, record, &run, why, sizeof why))
    return fail(VAT_USAGE, "--timed %s: %s", series->request->timed, why);
  add_run(series, &run);
  return VAT_OK;
}

/* Of what `vat compare -o` wrote: all runs on base pages that count. */
static int read_record(struct series *series, const json_t *record) {
  char why[160];
  const struct profile_request *request = series->request;
  struct first_touch *to = &series->native->touch;
  const json_t *touch = json_object_get(record, "first_touch_s_per_gib");
  if (is(record, "record", "compare_run")) return read_run(series, record);
  if (!is(record, "record", "compare")) return VAT_OK;
  if (json_is_object(touch))
    to->known =
        !record_from_json(first_touch_fields, touch, to, why, sizeof why);
  if (compared_is_of(record, request->program)) return VAT_OK;
  return fail(VAT_USAGE,
              "--timed %s: it is of another command; fix: vat compare -o FILE "
              "-- PROG, with the same words",
              request->timed);
}

static int read_lines(struct series *series, FILE *file) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  unsigned at = 0;
  int code = VAT_OK;
  const char *path = series->request->timed;
  while (!code && (length = getline(&line, &room, file)) > 0) {
    at++;
    if (line[length - 1] != '\n') {
      fail(VAT_OK, "%s:%u: a half line is left out", path, at);
      break;
    }
    json_error_t syntax;
    json_t *record = json_text_read(line, (size_t)length, &syntax);
    code = record
               ? read_record(series, record)
               : fail(VAT_USAGE, "%s:%u: not JSON: %s", path, at, syntax.text);
    json_decref(record);
  }
  if (!code && length < 0 && !feof(file))
    code = fail(fail_code(errno), "%s: %s", path, strerror(errno));
  free(line);
  return code;
}

static int read_timed(struct series *series) {
  const char *path = series->request->timed;
  FILE *file = fopen(path, "r");
  if (!file) return fail(fail_code(errno), "%s: %s", path, strerror(errno));
  int code = read_lines(series, file);
  fclose(file);
  if (code) return code;
  if (!series->runs)
    return fail(VAT_USAGE,
                "--timed %s: no run on 4k pages counts there; fix: vat "
                "compare -o FILE -- PROG",
                path);
  conclude(series);
  if (series->native->time.lo_s > 0) return VAT_OK;
  return fail(VAT_USAGE, "--timed %s: its user time is too short", path);
}

int native_check(const struct profile_request *request) {
  struct launch run = {0};
  return what_if_is_timed_here(request) ? open_input(&run) : VAT_OK;
}

int native_measure(struct native *native, const struct profile_request *request,
                   const char *path) {
  static struct series series;
  double told_s = request->user_s;
  *native = (struct native){
      .time = {told_s, told_s, told_s}, .sys_s = NAN, .peak_bytes = NAN};
  if (told_s > 0) return VAT_OK;
  series.native = native;
  series.request = request;
  if (request->timed) return read_timed(&series);
  struct launch run = {.path = path,
                       .argv = request->program,
                       .environment = environ,
                       .forbid_thp = true,
                       .pin = -1};
  sigprocmask(SIG_SETMASK, NULL, &run.mask);
  int code = open_input(&run);
  if (code) return code;
  if (interrupt_arm()) return fail(VAT_ABSENT, "signals: %s", strerror(errno));
  code = run_all(&run, &series);
  bool interrupted = interrupt_pending();
  interrupt_disarm();
  if (interrupted) interrupt_die();
  if (code) return code;
  conclude(&series);
  first_touch_probe(&native->touch);
  if (native->time.lo_s > 0) return VAT_OK;
  return fail(VAT_USAGE,
              "%s: its user time is too short to be measured; fix: more work, "
              "or --user-time SECONDS",
              path);
}
