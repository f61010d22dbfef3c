/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/output_path.h"
#include "experiments/run/run_options.h"

static int fail_default(const char *directory) {
  return fail(fail_code(errno),
              "%s: cannot be created in this folder: %s; fix: -o FILE.jsonl in "
              "a folder that you may write to",
              directory, strerror(errno));
}

/* A directory of its own for each run, also for two in one second. */
static int default_paths(struct result_paths *paths) {
  char stem[40], directory[sizeof paths->made];
  time_t now = time(NULL);
  struct tm local;
  localtime_r(&now, &local);
  strftime(stem, sizeof stem, "vat-results/%Y%m%d-%H%M%S", &local);
  snprintf(directory, sizeof directory, "%s", stem);
  bool failed = mkdir("vat-results", 0777) && errno != EEXIST;
  for (int i = 2; !failed && mkdir(directory, 0777); i++) {
    failed = errno != EEXIST;
    if (!failed) snprintf(directory, sizeof directory, "%s-%d", stem, i);
  }
  if (failed) return fail_default(directory);
  memcpy(paths->made, directory, sizeof directory);
  snprintf(paths->file, sizeof paths->file, "%s/results.jsonl", directory);
  snprintf(paths->report, sizeof paths->report, "%s/report", directory);
  return VAT_OK;
}

int result_paths_choose(const char *output, struct result_paths *paths) {
  *paths->made = '\0';
  if (!output) return default_paths(paths);
  size_t length = strlen(output);
  const char *ending = ".jsonl";
  snprintf(paths->file, sizeof paths->file, "%s", output);
  if (length > strlen(ending) &&
      !strcmp(output + length - strlen(ending), ending))
    length -= strlen(ending);
  snprintf(paths->report, sizeof paths->report, "%.*s-report", (int)length,
           output);
  return VAT_OK;
}

void result_paths_give_up(void *context) {
  const struct result_paths *paths = context;
  /* The one of all runs goes with the last in it, and stays with any other. */
  if (*paths->made && !rmdir(paths->made)) rmdir("vat-results");
}

/* Can a file be made beside `path`? */
static int check_directory(const char *path) {
  char *copy = memory_text(path);
  bool closed = access(dirname(copy), W_OK | X_OK);
  int error = errno;
  free(copy);
  if (!closed) return VAT_OK;
  errno = error;
  return fail_write(path);
}

int result_paths_check(const char *output, bool resume) {
  struct stat link, file;
  if (!output)
    return access(".", W_OK | X_OK) ? fail_default("vat-results") : VAT_OK;
  if (!*output || strlen(output) + 16 > PATH_MAX)
    return fail(VAT_USAGE, "-o: '%.40s' is not a usable file name", output);
  if (output_is_stdout(output))
    return fail(VAT_USAGE,
                "-o %s: standard output is for the table; fix: name a file, or "
                "print the rows with --json",
                output);
  if (lstat(output, &link) && errno == ENOENT) return check_directory(output);
  if (stat(output, &file))
    return fail(fail_code(errno), "%s: %s; choose another -o", output,
                strerror(errno));
  if (!S_ISREG(file.st_mode))
    return fail(VAT_USAGE, "%s: is not a regular file; choose another -o",
                output);
  if (resume) return VAT_OK;
  return fail(VAT_USAGE,
              "%s: exists; continue it with --resume, or choose another -o",
              output);
}
