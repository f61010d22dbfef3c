/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat profile: which functions, lines and allocations of a program miss. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "experiments/command.h"
#include "experiments/profile/profile.h"
#include "experiments/profile/profile_launch.h"
#include "experiments/whatif/what_if_table.h"

/* Each process left a file; one that was killed left half of one or none. */
static int read_outputs(const struct valgrind *valgrind,
                        struct profile *profile) {
  char path[PATH_MAX + 300], error[PROFILE_ERROR_SIZE];
  DIR *dir = opendir(valgrind->directory);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    if (strncmp(e->d_name, "out.", 4)) continue;
    snprintf(path, sizeof path, "%s/%s", valgrind->directory, e->d_name);
    FILE *file = fopen(path, "r");
    if (!file || profile_read(profile, file, e->d_name, error))
      fail(VAT_FAILED, "a process is left out: %s",
           file ? error : strerror(errno));
    if (file) fclose(file);
  }
  if (dir) closedir(dir);
  return profile_finish(profile) ? fail(VAT_ABSENT, "out of memory") : VAT_OK;
}

/* The first words of Valgrind, which say why there is no profile. */
static void show_log(const struct valgrind *valgrind) {
  char path[PATH_MAX + 300], line[512];
  DIR *dir = opendir(valgrind->directory);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    if (strncmp(e->d_name, "log.", 4)) continue;
    snprintf(path, sizeof path, "%s/%s", valgrind->directory, e->d_name);
    FILE *file = fopen(path, "r");
    for (int i = 0; file && i < 5 && fgets(line, sizeof line, file); i++)
      fputs(line, stderr);
    if (file) fclose(file);
  }
  if (dir) closedir(dir);
}

static int write_file(const char *path, const struct profile_request *request,
                      const struct profile *profile,
                      int (*write)(const struct profile_request *request,
                                   const struct profile *profile, FILE *to)) {
  FILE *to = path ? fopen(path, "w") : stdout;
  if (!to) return fail(VAT_USAGE, "%s: %s", path, strerror(errno));
  int code = write(request, profile, to);
  if (path && (ferror(to) | fclose(to)))
    code = fail(VAT_USAGE, "%s: %s", path, strerror(errno));
  return code;
}

static int write_profile(const struct profile_request *request,
                         const struct profile *profile) {
  int code = write_file(request->output, request, profile,
                        request->json ? profile_json : profile_print);
  if (!code && request->callgrind)
    code = write_file(request->callgrind, request, profile, profile_callgrind);
  return code;
}

/* The program's own failure is one, and so told; what it did is profiled. */
static int tell_status(const char *name, int status) {
  if (WIFEXITED(status) && !WEXITSTATUS(status)) return VAT_OK;
  if (WIFEXITED(status))
    return fail(VAT_FAILED, "%s exited with status %d", name,
                WEXITSTATUS(status));
  return fail(VAT_FAILED, "%s was killed by signal %d (%s)", name,
              WTERMSIG(status), strsignal(WTERMSIG(status)));
}

static int profile_run(const struct profile_request *request, const char *path,
                       const struct valgrind *valgrind, struct trace_pump *pump,
                       struct what_if_table *table) {
  struct profile profile;
  int status, code = profile_launch(request, path, valgrind, pump, &status);
  if (!code && pump) code = trace_pump_finish(pump);
  if (code) return code;
  profile_init(&profile);
  code = read_outputs(valgrind, &profile);
  if (!code && !profile.processes) {
    show_log(valgrind);
    code = tell_status(path, status);
    if (!code) code = VAT_FAILED;
    fail(code, "there is no profile");
  } else if (!code) {
    if (request->what_if) {
      profile.what_if = table;
      code = what_if_predict(table, &profile);
    }
    if (!code) code = write_profile(request, &profile);
    if (!code) code = tell_status(path, status);
  }
  profile_fini(&profile);
  return code;
}

static int run(int argc, char **argv) {
  struct profile_request request;
  struct valgrind valgrind = {0};
  struct trace_pump *pump = NULL;
  struct what_if_table table = {0};
  char path[PATH_MAX], pipe[PATH_MAX + 16];
  int code = profile_request_parse(&request, argc, argv);
  if (!code) code = profile_program_check(request.program[0], path);
  if (!code && request.what_if) code = what_if_begin(&table, &request);
  if (!code) code = valgrind_prepare(&valgrind);
  if (!code && request.what_if)
    code = native_measure(&table.native, &request, path);
  if (!code && request.trace) {
    snprintf(pipe, sizeof pipe, "%s/trace", valgrind.directory);
    pump = trace_pump_create(pipe, request.trace);
    if (!pump) code = VAT_USAGE;
  }
  if (!code) code = profile_run(&request, path, &valgrind, pump, &table);
  trace_pump_destroy(pump);
  what_if_end(&table);
  valgrind_clean(&valgrind);
  return code;
}

const struct command cmd_profile = {
    .name = "profile",
    .summary = "tell which functions and allocations of a program miss",
    .run = run,
};
