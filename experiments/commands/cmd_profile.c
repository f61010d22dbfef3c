/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat profile: which functions, lines and allocations of a program miss. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/out_file.h"
#include "experiments/commands/commands.h"
#include "experiments/profile/plan_told.h"
#include "experiments/profile/profile.h"
#include "experiments/profile/profile_launch.h"
#include "experiments/profile/profile_saved.h"
#include "experiments/profile/sampled.h"
#include "experiments/profile/what_if_table.h"

/* `path`: NULL: standard output. */
static int write_to(const char *path, const void *what,
                    int (*write)(const void *what, FILE *to)) {
  struct out_file file;
  if (!path) return write(what, stdout);
  int failed = out_file_open(&file, path);
  int code = failed ? VAT_OK : write(what, file.stream);
  if (!failed && !code) failed = out_file_commit(&file);
  int error = errno;
  out_file_end(&file);
  if (code || !failed) return code;
  return fail(fail_code(error), "%s: %s", path, strerror(error));
}

struct profiled {
  const struct profile_request *request;
  const struct profile *profile;
  int (*write)(const struct profile_request *request,
               const struct profile *profile, FILE *to);
};

static int write_profiled(const void *what, FILE *to) {
  const struct profiled *it = what;
  return it->write(it->request, it->profile, to);
}

static int write_file(const char *path, const struct profile_request *request,
                      const struct profile *profile,
                      int (*write)(const struct profile_request *request,
                                   const struct profile *profile, FILE *to)) {
  struct profiled it = {request, profile, write};
  return write_to(path, &it, write_profiled);
}

/* It may be misspelt, or called in other runs only. */
static void tell_uncalled(const struct profile *profile) {
  for (unsigned i = 0; i < profile->allocators; i++)
    if (!profile->allocator[i].called)
      fail(
          VAT_OK,
          "--allocator %s: no function of that name was called; fix: its name "
          "as `nm PROG` has it, without parameters; if nm does not list it, it "
          "is inlined: compile with -fno-inline",
          profile->allocator[i].name);
}

/* A prediction by a part of the misses would be false. */
static int check_whole(const struct profile_request *request,
                       const struct profile *profile) {
  if (!profile->lost) return VAT_OK;
  return fail(request->what_if ? VAT_FAILED : VAT_OK,
              "%s%u process%s left no profile: Valgrind could not start there, "
              "or SIGKILL ended it",
              request->what_if ? "nothing is predicted: " : "note: ",
              profile->lost, profile->lost > 1 ? "es" : "");
}

static int write_profile(const struct profile_request *request,
                         struct profile *profile, struct what_if_table *table) {
  int code = check_whole(request, profile);
  if (code) return code;
  tell_uncalled(profile);
  profile->what_if = request->what_if ? table : NULL;
  if (request->what_if) {
    what_if_predict(table, profile, NULL);
    what_if_sizes_predict(table, profile);
    what_if_sizes_plan(table, profile);
  }
  code = write_file(request->output, request, profile,
                    request->json ? profile_json : profile_print);
  if (!code && request->callgrind)
    code = write_file(request->callgrind, request, profile, profile_callgrind);
  return code;
}

static bool succeeded(int status) {
  return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* The program's own failure is one, and so told; what it did is profiled. */
static int tell_status(const char *name, int status, const char *so) {
  if (succeeded(status)) return VAT_OK;
  if (WIFEXITED(status))
    return fail(VAT_FAILED, "%s%s exited with status %d", so, name,
                WEXITSTATUS(status));
  return fail(VAT_FAILED, "%s%s was killed by signal %d (%s)", so, name,
              WTERMSIG(status), strsignal(WTERMSIG(status)));
}

struct job {
  const struct profile_request *request;
  struct what_if_table *table;
  struct valgrind valgrind;
  char path[PATH_MAX];
};

/* In a process of its own.  When all is read, nothing need be left but what was
 * asked for. */
static int profile_run(const struct guard *guard, void *context) {
  struct job *job = context;
  const struct profile_request *request = job->request;
  struct profile profile = {0};
  int status = 0;
  int code = profile_launch(request, job->path, &job->valgrind, guard, &status);
  if (!code) code = valgrind_read(&job->valgrind, &profile);
  profile.plan.added = request->added;
  if (!code) code = plan_told_finish(request, &profile, job->valgrind.traced);
  bool none = !code && !profile.processes;
  if (request->what_if) profile.what_if = job->table;
  if (none) valgrind_show_log(&job->valgrind);
  /* By itself it succeeded, and did something else. */
  bool other = request->what_if && job->table->native.runs && !none &&
               !succeeded(status);
  /* What could not be saved is printed all the same, but that no JSON is made
   * once memory was short for it, which is told already. */
  int saved = VAT_OK;
  if (!code && !none && request->save)
    saved = write_file(request->save, request, &profile, profile_saved_write);
  valgrind_clean(&job->valgrind);
  guard_release(guard);
  if (!code && !none && !other)
    code = write_profile(request, &profile, job->table);
  if (!code) code = saved;
  if (!code)
    code = tell_status(job->path, status,
                       none    ? "there is no profile: "
                       : other ? "nothing is predicted: in Valgrind "
                               : "");
  if (!code && none) code = fail(VAT_FAILED, "there is no profile");
  profile_fini(&profile);
  return code;
}

static void clean(void *context) {
  struct job *job = context;
  valgrind_clean(&job->valgrind);
}

/* Somebody at a terminal is to know what there is to wait for: beside other
 * work on two cores of a Zen 4, 31 times its own time of gzip, 68 of sort, 104
 * of python3 with a dict of 10^7 (doc/results/kvm-guest-zen4/what-if-again). */
static void tell_time(const struct native *native) {
  double user_s = native->time.user_s;
  if (native->runs && user_s >= 1 && isatty(STDERR_FILENO) == 1)
    fprintf(stderr,
            "vat: note: by itself it takes %.1f s; simulated, 20 to 100 times "
            "as long\n",
            user_s);
}

/* What the prediction needs besides the profile. */
static int prepare_what_if(struct profile_request *request,
                           struct what_if_table *table, const char *path) {
  bool here = !request->machine.count;
  int code = native_check(request);
  if (!code && here) code = what_if_here_before(table, request);
  if (!code) code = what_if_begin(table, request);
  if (!code && path) code = what_if_take_measured(table, request);
  if (!code && path) code = native_measure(&table->native, request, path);
  if (!code && here && what_if_is_timed_here(request))
    what_if_here_after(table, request);
  return code;
}

/* A plan is a tree beside those of the page sizes. */
static int check_trees(const struct profile_request *request) {
  int trees = 2;
  for (const char *at = request->pages; *at; at++) trees += *at == ',';
  if (!request->plan || trees <= PROFILE_TREES) return VAT_OK;
  return fail(VAT_USAGE,
              "--plan: beside it there are at most %d page sizes; fix: --pages "
              "with fewer",
              PROFILE_TREES - 1);
}

/* By itself first, so that nothing has to be cleaned when it is interrupted. */
static int run_program(struct profile_request *request,
                       struct what_if_table *table) {
  struct job job = {.request = request, .table = table};
  int code = check_trees(request);
  if (!code) code = profile_program_check(request->program[0], job.path);
  if (!code) code = valgrind_find(&job.valgrind);
  if (!code && request->plan)
    code = plan_told_make(request->plan, &request->plan_told, &request->added);
  if (!code && request->what_if)
    code = prepare_what_if(request, table, job.path);
  if (!code && request->what_if) tell_time(&table->native);
  if (!code) code = valgrind_prepare(&job.valgrind);
  if (!code) return guarded(profile_run, clean, &job);
  valgrind_clean(&job.valgrind);
  return code;
}

static int exclude(const char *option) {
  return fail(VAT_USAGE, "%s and --from exclude each other; leave one out",
              option);
}

/* What was simulated is in a saved profile. */
static int look_again(struct profile_request *request,
                      struct what_if_table *table, FILE *file) {
  struct profile_saved saved = {.file = file};
  struct profile profile = {0};
  int code = VAT_OK;
  if (request->cache_given) code = exclude("--tc");
  if (request->tlb.level[0].entries) code = exclude("--tlb");
  if (!code && request->what_if) code = prepare_what_if(request, table, NULL);
  if (!code) code = profile_saved_open(&saved, request);
  if (!code) code = profile_saved_read(&saved, request->from, &profile);
  if (!code && request->what_if && strcmp(profile.tree[0].name, "4k"))
    code = fail(VAT_USAGE, "%s: --what-if compares with 4k, which is missing",
                request->from);
  if (!code && request->what_if) code = what_if_take_measured(table, request);
  if (!code && request->what_if)
    code = native_measure(&table->native, request, NULL);
  if (!code) code = write_profile(request, &profile, table);
  profile_fini(&profile);
  profile_saved_close(&saved);
  return code;
}

static int print_sampled(const void *what, FILE *to) {
  return sampled_print(what, to);
}

static int print_sampled_json(const void *what, FILE *to) {
  return sampled_json(what, to);
}

static int look_at_samples(const struct profile_request *request, FILE *file) {
  struct sampled sampled = {0};
  int code = VAT_OK;
  if (request->callgrind || request->what_if)
    code =
        fail(VAT_USAGE,
             "%s: %s has samples of perf, which do not tell enough; fix: "
             "leave it out, or vat profile --save NEW.profile -- PROG",
             request->callgrind ? "--callgrind" : "--what-if", request->from);
  if (!code) code = sampled_make(&sampled, request, file);
  if (!code)
    code = write_to(request->output, &sampled,
                    request->json ? print_sampled_json : print_sampled);
  sampled_fini(&sampled);
  return code;
}

/* A file of --save, or samples. */
static int look_from(struct profile_request *request,
                     struct what_if_table *table) {
  FILE *file = fopen(request->from, "r");
  if (!file)
    return fail(fail_code(errno), "%s: %s", request->from, strerror(errno));
  if (!sampled_is(file)) return look_again(request, table, file);
  int code = look_at_samples(request, file);
  fclose(file);
  return code;
}

int cmd_profile(int argc, char **argv) {
  struct profile_request request;
  struct what_if_table table = {0};
  int code = profile_request_parse(&request, argc, argv);
  if (!code)
    code = request.from ? look_from(&request, &table)
                        : run_program(&request, &table);
  what_if_end(&table);
  free(request.plan_told);
  options_fini(&profile_table, &request);
  return code;
}
