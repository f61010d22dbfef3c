/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/out_file.h"
#include "experiments/cli/progress.h"
#include "experiments/probe/calibration.h"
#include "experiments/report/figure.h"
#include "experiments/report/gnuplot.h"
#include "experiments/report/report_page.h"
#include "experiments/report/table.h"
#include "experiments/report/tc_curves.h"
#include "experiments/validate/validate.h"

struct report {
  struct tc_curves curves;
  struct validation validation;
  const char *const *machine_paths; /* NULL or empty: none */
  struct calibration *machines;
  const struct calibration **calibrations; /* these, NULL-ended */
  struct report_part *parts;
  const struct survey **surveys; /* of the parts, NULL-ended */
  size_t count;
  const char *path; /* of the directory */
  int dir;
  char *error;
  struct progress progress;
  size_t figures, drawn;
  double since_s; /* the first is drawn */
};

enum { FILE_NAME_SIZE = 48 };

static int cannot_write(const struct report *report, const char *name) {
  snprintf(
      report->error, RESULTS_ERROR_SIZE, "%.300s%s%s: %s%s", report->path,
      *name ? "/" : "", name, strerror(errno),
      errno == ENOTDIR ? "; fix: -o DIR, a folder, which vat creates" : "");
  return fail_code(errno);
}

static int cannot_draw(const struct report *report, const char *name,
                       const char *why) {
  if (*why && errno == ENOENT) {
    snprintf(report->error, RESULTS_ERROR_SIZE,
             "gnuplot is missing, which draws the figures: run ./bootstrap "
             "--install-deps or sudo apt-get install gnuplot-nox");
    return VAT_ABSENT;
  }
  if (!*why) return cannot_write(report, name);
  if (errno != EPROTO) {
    snprintf(report->error, RESULTS_ERROR_SIZE, "%.200s: %s", why,
             strerror(errno));
    return fail_code(errno) == VAT_ABSENT ? VAT_ABSENT : VAT_FAILED;
  }
  snprintf(report->error, RESULTS_ERROR_SIZE,
           "gnuplot could not draw %s (is gnuplot-nox 5.4 or later "
           "installed?): %.200s",
           name, why);
  return VAT_ABSENT;
}

static int draw_chart(const struct report *report, struct report_part *part,
                      size_t index, const struct chart *chart,
                      enum chart_format format) {
  char name[FILE_NAME_SIZE], why[GNUPLOT_WHY_SIZE];
  struct out_file file;
  snprintf(name, sizeof name, "%s%s.%s", figures[index]->name, part->suffix,
           format == CHART_SVG ? "svg" : "png");
  if (out_file_begin(&file, report->dir, name))
    return cannot_write(report, name);
  int code = VAT_OK;
  FILE *script = gnuplot_memory();
  if (script) chart_gnuplot(script, chart, format);
  if (!script || gnuplot_run(script, file.stream, why)) {
    code = cannot_draw(report, name, script ? why : "");
  } else {
    if (format == CHART_SVG) part->svg[index] = gnuplot_read_back(file.stream);
    if (out_file_commit(&file)) code = cannot_write(report, name);
  }
  out_file_end(&file);
  if (script) fclose(script);
  return code;
}

/* Text files: the CSV of a figure, or the table where there is none. */
static int write_text(const struct report *report,
                      const struct report_part *part,
                      const struct figure *figure, const struct chart *chart) {
  char name[FILE_NAME_SIZE];
  struct out_file file;
  snprintf(name, sizeof name, "%s%s.%s", figure ? figure->name : "table",
           part->suffix, figure ? "csv" : "txt");
  if (out_file_begin(&file, report->dir, name))
    return cannot_write(report, name);
  if (figure)
    figure_write_csv(figure, file.stream, &part->survey, chart);
  else
    table_print(file.stream, part->rows, part->row_count);
  return out_file_commit(&file) ? cannot_write(report, name) : VAT_OK;
}

static int write_figure(struct report *report, struct report_part *part,
                        size_t index) {
  struct chart chart;
  int code = VAT_OK;
  if (figure_chart(figures[index], &part->survey, &chart)) {
    progress_draw_part(&report->progress,
                       (double)report->drawn++ / (double)report->figures,
                       report->since_s, figures[index]->name);
    code = draw_chart(report, part, index, &chart, CHART_SVG);
    if (!code) code = draw_chart(report, part, index, &chart, CHART_PNG);
    if (!code) code = write_text(report, part, figures[index], &chart);
  }
  chart_fini(&chart);
  return code;
}

static int write_page(const struct report *report) {
  static const char name[] = "index.html";
  struct out_file file;
  if (out_file_begin(&file, report->dir, name))
    return cannot_write(report, name);
  report_page(file.stream, report->parts, report->count);
  return out_file_commit(&file) ? cannot_write(report, name) : VAT_OK;
}

/* Seconds that the figures may simulate for, in all. */
enum { SIMULATE_S = 20 };

/* What was counted and what was measured on a GPU may be in different files. */
static void find_beside(struct report_part *part, struct report_part *parts,
                        size_t count) {
  static const char *const devices[] = {"emu", "cuda"};
  for (size_t d = 0; d < 2; d++)
    for (size_t i = 0; i < count && !part->survey.beside; i++)
      if (survey_has_device(&parts[i].survey, devices[d]) &&
          !survey_has_device(&part->survey, devices[d]))
        part->survey.beside = &parts[i].survey;
}

static void prepare(const struct report *report, const struct results *results,
                    const char *const *paths) {
  for (size_t i = 0; i < report->count; i++) {
    struct report_part *part = &report->parts[i];
    part->path = paths[i];
    part->results = &results[i];
    if (i) snprintf(part->suffix, sizeof part->suffix, "-%zu", i + 1);
    summaries_make(results[i].samples, results[i].count, &part->rows,
                   &part->row_count);
    survey_init(&part->survey, part->rows, part->row_count);
    part->survey.record = results[i].machine;
    part->survey.curves = &report->curves;
    pieces_make(&part->pieces, &part->survey);
    summaries_add_simulated(part->rows, part->row_count, results[i].simulated,
                            results[i].simulated_count);
  }
  for (size_t i = 0; i < report->count; i++) {
    find_beside(&report->parts[i], report->parts, report->count);
    report->surveys[i] = &report->parts[i].survey;
    report->parts[i].survey.all = report->surveys;
  }
}

static size_t count_figures(const struct report *report) {
  size_t count = 0;
  for (size_t i = 0; i < report->count; i++)
    for (size_t j = 0; figures[j]; j++)
      count += figure_has_data(figures[j], &report->parts[i].survey);
  return count;
}

/* Before anything is created: without gnuplot there is no half a report. */
static int try_gnuplot(const struct report *report) {
  char why[GNUPLOT_WHY_SIZE] = "";
  FILE *script = gnuplot_memory(), *picture = fopen("/dev/null", "we");
  int code = VAT_OK;
  if (!script || !picture) {
    code = cannot_write(report, "");
  } else {
    fputs("set terminal svg\nplot x\n", script);
    if (gnuplot_run(script, picture, why))
      code = cannot_draw(report, "a figure", why);
  }
  if (script) fclose(script);
  if (picture) fclose(picture);
  return code;
}

static int write_files(struct report *report) {
  int code = VAT_OK;
  progress_init(&report->progress);
  report->figures = count_figures(report); /* simulations may have added some */
  report->since_s = report->progress.start_s;
  for (size_t i = 0; !code && i < report->count; i++) {
    for (size_t j = 0; !code && figures[j]; j++)
      code = write_figure(report, &report->parts[i], j);
    if (!code) code = write_text(report, &report->parts[i], NULL, NULL);
  }
  progress_clear(&report->progress);
  return code ? code : write_page(report);
}

/* From profiles on disk or else simulated, which may take minutes. */
static int predict(struct report *report) {
  struct report_part *first = &report->parts[0];
  report->validation =
      (struct validation){.path = first->path,
                          .machine_path = *report->machine_paths,
                          .results = first->results,
                          .cal = report->machines};
  if (interrupt_arm()) return VAT_OK; /* without it */
  int code = validation_make(&report->validation);
  interrupt_disarm();
  if (interrupt_pending()) return VAT_FAILED;
  if (!code) first->survey.validation = &report->validation;
  return VAT_OK;
}

/* The part in what follows a stem: ".svg" is 1, "-2.svg" 2; 0: not ours. */
static size_t part_of(const char *rest, const char *const *endings) {
  size_t part = 1;
  if (*rest == '-') {
    char *end;
    if (rest[1] < '1' || rest[1] > '9') return 0;
    part = strtoul(rest + 1, &end, 10);
    rest = end;
    if (part < 2) return 0;
  }
  for (; *endings; endings++)
    if (!strcmp(rest, *endings)) return part;
  return 0;
}

/* Of which figure, too; that past the last is the table. */
static size_t part_of_file(const char *name, size_t *figure) {
  static const char *const drawn[] = {".svg", ".png", ".csv", NULL};
  static const char *const text[] = {".txt", NULL};
  for (*figure = 0; figures[*figure]; ++*figure) {
    const char *stem = figures[*figure]->name;
    if (!strncmp(name, stem, strlen(stem)))
      return part_of(name + strlen(stem), drawn);
  }
  return strncmp(name, "table", 5) ? 0 : part_of(name + 5, text);
}

/* As out_file_begin() names them: ".NAME.<16 digits>". */
static bool is_temporary(const char *name) {
  char stem[64];
  size_t length = strlen(name), figure;
  if (*name != '.' || length < 19 || length - 18 >= sizeof stem) return false;
  const char *digits = name + length - 16;
  if (digits[-1] != '.' || strspn(digits, "0123456789abcdef") != 16)
    return false;
  snprintf(stem, sizeof stem, "%.*s", (int)(length - 18), name + 1);
  return !strcmp(stem, "index.html") || !strcmp(stem, "what-if.html") ||
         !strcmp(stem, "plans.html") || !strcmp(stem, "mosaics.html") ||
         part_of_file(stem, &figure);
}

/* Is it of a part that is not there, or of a figure that the part has not? */
static bool is_old(const struct report *report, const char *name) {
  size_t figure, part = part_of_file(name, &figure);
  return part > report->count ||
         (part && figures[figure] && !report->parts[part - 1].svg[figure]);
}

/* Remove what earlier reports left: figures and tables that this one has not,
 * once it is there; before, the temporary files of those that were killed.
 * What cannot be removed stays: it does no harm but to the eye. */
static void remove_leftovers(const struct report *report, bool written) {
  struct dirent *entry;
  int own = openat(report->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = own < 0 ? NULL : fdopendir(own);
  if (!stream) {
    if (own >= 0) close(own);
    return;
  }
  while ((entry = readdir(stream))) {
    const char *name = entry->d_name;
    if (written ? is_old(report, name) : is_temporary(name))
      unlinkat(report->dir, name, 0);
  }
  closedir(stream);
}

static int write_in_dir(struct report *report) {
  double until_s = progress_now_s() + SIMULATE_S;
  for (size_t i = 0; i < report->count; i++)
    tc_curves_add(&report->curves, &report->parts[i].survey, until_s);
  int code = report->machines ? predict(report) : VAT_OK;
  if (code) return code;
  /* Held until the end: another report's temporary files are in use. */
  if (!flock(report->dir, LOCK_EX | LOCK_NB)) remove_leftovers(report, false);
  code = write_files(report);
  /* An older report's figure must not stand beside a page that has none. */
  if (!code && report->count) remove_leftovers(report, true);
  return code;
}

static int write_all(struct report *report) {
  int code = count_figures(report) ? try_gnuplot(report) : VAT_OK;
  if (code) return code;
  report->dir = out_dir_open(report->path);
  if (report->dir < 0) return cannot_write(report, "");
  code = write_in_dir(report);
  out_dir_close(report->dir);
  return code;
}

/* The models predict with the first. */
static int open_calibrations(struct report *report) {
  size_t count = 0;
  while (report->machine_paths[count]) count++;
  report->machines = memory_zeroed(count, sizeof *report->machines);
  report->calibrations = memory_zeroed(count + 1, sizeof *report->calibrations);
  for (size_t i = 0; i < count; i++) {
    if (calibration_read(&report->machines[i], report->machine_paths[i],
                         report->error, RESULTS_ERROR_SIZE))
      return fail_code(errno);
    report->calibrations[i] = &report->machines[i];
  }
  return VAT_OK;
}

/* Of the first results the first calibration, whosever it is; of others their
 * own. */
static void give_calibrations(const struct report *report) {
  for (size_t i = 0; i < report->count; i++) {
    struct survey *survey = &report->parts[i].survey;
    survey->calibrations = report->calibrations;
    if (!i) survey->calibration = report->calibrations[0];
    for (size_t j = 0; i && report->calibrations[j]; j++)
      if (!survey->calibration &&
          calibration_is_of(report->calibrations[j], survey->record))
        survey->calibration = report->calibrations[j];
  }
}

static void release(struct report *report) {
  for (size_t i = 0; i < report->count; i++) {
    struct report_part *part = &report->parts[i];
    for (size_t j = 0; j < REPORT_FIGURES_MAX; j++) free(part->svg[j]);
    pieces_fini(&part->pieces);
    survey_fini(&part->survey);
    free(part->rows);
  }
  free(report->parts);
  free(report->surveys);
  tc_curves_fini(&report->curves);
  validation_fini(&report->validation);
  for (size_t i = 0; report->machines && report->calibrations[i]; i++)
    calibration_fini(&report->machines[i]);
  free(report->machines);
  free(report->calibrations);
}

int report_write_results(const struct results *results,
                         const char *const *results_paths, size_t count,
                         const char *const *machine_paths, const char *dir,
                         char error[RESULTS_ERROR_SIZE]) {
  struct report report = {.count = count,
                          .path = dir,
                          .error = error,
                          .machine_paths = machine_paths};
  int code = VAT_OK;
  *error = '\0';
  report.parts = memory_zeroed(count + 1, sizeof *report.parts);
  report.surveys = memory_zeroed(count + 1, sizeof *report.surveys);
  prepare(&report, results, results_paths);
  if (machine_paths && *machine_paths && count) {
    code = open_calibrations(&report);
    if (!code) give_calibrations(&report);
  }
  if (!code) code = write_all(&report);
  release(&report);
  return code;
}

int report_write(const char *path, const char *dir,
                 char error[RESULTS_ERROR_SIZE]) {
  struct results results;
  int code = results_read(&results, path, error) ? fail_code(errno) : VAT_OK;
  if (!code) code = report_write_results(&results, &path, 1, NULL, dir, error);
  results_fini(&results);
  return code;
}
