/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat pages: on which pages the memory of processes is, and why not on larger
 * ones. */
#include <config.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/progress.h"
#include "experiments/commands/commands.h"
#include "experiments/pages/pages_watch.h"
#include "experiments/pages/process_switches.h"
#include "huge_pages/kind_list.h"

struct request {
  int pid;
  const char *cgroup;
  bool all, json;
  double watch_s;
};

static const struct option_row option_rows[] = {
    {"pid", "PID", OPTION_WHOLE, .letter = 'p', OPTION_AT(struct request, pid),
     .least = 1, .most = 1 << 22, .conflicts = "cgroup,all", .once = true,
     .help = "look at this process"},
    {"cgroup", "DIR", OPTION_FILE, OPTION_AT(struct request, cgroup),
     .conflicts = "all", .once = true,
     .help = "look at the processes of this cgroup and those in it: its "
             "directory, or its name in /proc/PID/cgroup"},
    {"all", NULL, OPTION_FLAG, OPTION_AT(struct request, all),
     .help = "look at all processes"},
    {"json", NULL, OPTION_FLAG, OPTION_AT(struct request, json),
     .help = "print one JSON object; with --watch, one a line"},
    {"watch", "SECONDS", OPTION_REAL, OPTION_AT(struct request, watch_s),
     .low = .1, .high = 86400,
     .help = "look again every SECONDS, and print what has changed by a huge "
             "page or more; ends with the process, or by Ctrl-C"},
    {0}};

const struct option_table pages_table = {
    .rows = option_rows,
    .too_many = "unexpected; fix: name a process by -p: vat pages -p PID",
    .doc =
        "Show on which pages the memory of a process is, and for what is "
        "not on huge pages, why not, and what changes that.",
    .examples =
        "vat pages -p $(pidof postgres)  which memory is huge, and why not\n"
        "sudo vat pages --all  all processes, shared memory counted once\n",
};

/* Of a process that is the only one asked for. */
static int fail_process(const struct pages_absent *absent, int pid) {
  if (absent && absent->fix)
    return fail(VAT_ABSENT, "--pid %d: %s; fix: %s", pid, absent->reason,
                absent->fix);
  if (absent && *absent->name)
    return fail(VAT_USAGE, "--pid %d: %s: %s; fix: choose another process", pid,
                absent->name, absent->reason);
  return fail(VAT_USAGE,
              "--pid %d: no such process here; fix: a number that ls /proc "
              "shows",
              pid);
}

static int read_list(const struct request *request, struct process_list *list) {
  *list = (struct process_list){0};
  if (request->all)
    return process_list_all(list) || !list->count ? fail_without_proc()
                                                  : VAT_OK;
  if (!request->cgroup) {
    *ARRAY_ADD(list->at, list->count) = request->pid;
    return VAT_OK;
  }
  if (!process_list_cgroup(list, request->cgroup)) return VAT_OK;
  return fail(VAT_USAGE,
              "--cgroup %s: no such cgroup; fix: a directory below "
              "/sys/fs/cgroup, or a name that /proc/PID/cgroup shows",
              request->cgroup);
}

static int look(const struct request *request, struct pages_survey *survey) {
  struct process_list list;
  struct machine_facts machine;
  int code = read_list(request, &list);
  *survey = (struct pages_survey){0};
  if (!code) {
    machine_facts_read(&machine);
    pages_survey_read(survey, &list, &machine);
  }
  process_list_fini(&list);
  return code;
}

static void print(const struct request *request,
                  const struct pages_survey *survey, double at_s) {
  json_t *json = NULL;
  if (request->json) {
    json = request->pid ? process_pages_json(survey->at)
                        : pages_survey_json(survey);
    if (request->pid)
      json_object_set_new(json, "applications",
                          process_switches_json(request->pid));
    if (request->watch_s > 0)
      json_object_set_new(json, "seconds", json_real(at_s));
    json_line(stdout, json, JSON_PRESERVE_ORDER);
  } else if (request->pid) {
    process_pages_print(stdout, survey->at);
    process_switches_print(stdout, request->pid);
  } else {
    pages_survey_print(stdout, survey);
  }
  fflush(stdout);
}

static void print_change(const struct request *request,
                         const struct pages_survey *before,
                         const struct pages_survey *after, double at_s) {
  size_t huge = hp_thp_page_bytes();
  if (!pages_watch_print(NULL, before, after, huge)) return;
  if (request->json && !(request->pid && !after->count)) {
    print(request, after, at_s);
  } else if (!request->json) {
    printf("\nafter %.0f s:\n", at_s);
    pages_watch_print(stdout, before, after, huge);
    fflush(stdout);
  }
}

static void sleep_until(void *until) {
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, until, NULL);
}

static struct timespec after_s(double seconds) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  long ns = at.tv_nsec + (long)((seconds - (double)(time_t)seconds) * 1e9);
  at.tv_sec += (time_t)seconds + ns / 1000000000;
  at.tv_nsec = ns % 1000000000;
  return at;
}

/* Until a signal, until the one process is gone, or nobody reads. */
static int watch(const struct request *request, struct pages_survey *survey) {
  double start_s = progress_now_s();
  int code = VAT_OK;
  if (interrupt_arm()) return fail(VAT_ABSENT, "--watch: %s", strerror(errno));
  while (!code && !ferror(stdout) && !(request->pid && !survey->count)) {
    struct pages_survey next;
    struct timespec until = after_s(request->watch_s);
    if (interruptible(sleep_until, &until)) break;
    code = look(request, &next);
    if (!code) print_change(request, survey, &next, progress_now_s() - start_s);
    pages_survey_fini(survey);
    *survey = next;
  }
  interrupt_disarm();
  return code;
}

int cmd_pages(int argc, char **argv) {
  struct request request = {0};
  struct pages_survey survey;
  int code = options_parse(&pages_table, argc, argv, &request);
  if (code) return code;
  if (!request.pid && !request.cgroup && !request.all)
    return fail(VAT_USAGE, "say -p PID, --cgroup DIR or --all");
  code = look(&request, &survey);
  if (!code && request.pid && !survey.count)
    code = fail_process(survey.absent, request.pid);
  if (!code) print(&request, &survey, 0);
  if (!code && request.watch_s > 0) code = watch(&request, &survey);
  pages_survey_fini(&survey);
  interrupt_die();
  return code;
}
