/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat exec: a program with just what a plan chooses on larger pages. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/output_path.h"
#include "experiments/commands/commands.h"
#include "experiments/exec/carry_out.h"
#include "experiments/exec/environment.h"
#include "experiments/exec/granted.h"
#include "experiments/exec/huge_list.h"
#include "experiments/exec/plan_match.h"
#include "experiments/exec/rules_text.h"
#include "experiments/exec/run_program.h"
#include "experiments/memory/workspaces.h"

struct exec_request {
  const char *plan, *huge, *pages, *report;
  uint64_t reserve_bytes;
  bool reserve, perf_map;
  struct option_words program;
};

#define AT(member) OPTION_AT(struct exec_request, member)

static const struct option_row rows[] = {
    {.help = "What goes on larger pages"},
    {"plan", "PLAN.json", OPTION_FILE, AT(plan), .conflicts = "huge",
     .once = true, .help = "what vat plan chose"},
    {"huge", "WHAT,...", OPTION_TEXT, AT(huge), .once = true,
     .help = "heap, data (zeroed static data), stack (of the main thread), "
             "mappings (anonymous ones of at least 256 KiB, and shared memory "
             "of at least 2 MiB), "
             "mappings>=SIZE, site=FUNCTION (what FUNCTION allocates; "
             "site=FUNCTION@OBJECT if it is in a library), file=NAME, all "
             "(heap, data, stack, mappings), text (the code of the program and "
             "of its libraries), text=NAME (of one of them)"},
    {"pages", "KIND", OPTION_TEXT, AT(pages),
     .help = "thp, thp-16k to thp-1m, 2m or 1g (default: those of the plan, or "
             "thp)"},
    {"reserve", "SIZE", OPTION_SIZE, AT(reserve_bytes), .without = "0",
     OPTION_GIVEN(struct exec_request, reserve),
     .help = "for this run, grow the pool of these pages by SIZE (default: "
             "what the plan chose), or set the switches of thp-16k to thp-1m "
             "(without SIZE); restore them at the end (root)"},
    {.help = "Output"},
    {"perf-map", NULL, OPTION_FLAG, AT(perf_map),
     .help = "of text that is no mapping of its file any more, write "
             "/tmp/perf-PID.map while the program runs, by which perf names "
             "functions"},
    {"report", "FILE.json", OPTION_FILE, AT(report),
     .help = "write what was granted of each choice when PROG ends, and each "
             "time that vat gets SIGUSR1"},
    {0}};

const struct option_table exec_table = {
    .rows = rows,
    .usage = "-- PROG [ARG...]",
    .examples =
        "  vat exec --huge heap -- ./prog        its whole heap\n"
        "  vat exec --huge site=make_table -- ./prog\n"
        "  vat exec --plan plan.json --report report.json -- ./prog\n",
    .words = offsetof(struct exec_request, program),
    .words_most = SIZE_MAX,
    .program = true,
    .doc =
        "Run a program with chosen parts of its memory on larger pages.\v"
        "The program need not be recompiled.  Its output, exit status and "
        "signals are its own; vat prints only what keeps it from starting, and "
        "what of a plan is not of this build.",
};

struct running_exec {
  const struct exec_request *request;
  const struct hp_kind *kind;
  struct page_plan plan;
  struct executable program;
  struct granted *granted;
  struct look_sum *sums;
  struct hp_reservation *reservation;
  char **environment;
  char *emptied;  /* a file that had a report of an earlier run */
  bool unwritten; /* the report could not be written, and that was said */
  bool counts;    /* the kernel counts page faults of this size */
  struct hp_thp_faults before;
};

static int read_plan(struct running_exec *e) {
  char why[400];
  const struct exec_request *request = e->request;
  if (!request->plan && !request->huge)
    return fail(VAT_USAGE,
                "nothing is chosen; write --plan PLAN.json or --huge heap");
  if (request->huge) return huge_list_read(&e->plan, request->huge);
  if (!page_plan_read(&e->plan, request->plan, why, sizeof why)) return VAT_OK;
  return fail(fail_code(errno), "%s", why);
}

static int find_kind(struct running_exec *e) {
  const char *name = e->request->pages ? e->request->pages : e->plan.pages;
  e->kind = hp_kind_find(name);
  if (e->kind && (e->kind->for_programs || e->kind->alone || e->kind->base))
    return VAT_OK;
  return fail(hp_kind_is_between(name) ? VAT_ABSENT : VAT_USAGE,
              "%s: '%s' is none of thp, thp-16k to thp-1m, 2m, 1g that this "
              "machine has; fix: --pages thp, or see vat list pages",
              e->request->pages ? "--pages" : e->request->plan, name);
}

/* Each block may end in a page that is not full. */
static size_t plan_bytes(const struct running_exec *e) {
  size_t bytes = 0;
  for (size_t i = 0; i < e->plan.choice_count; i++) {
    const struct plan_choice *choice = &e->plan.choices[i];
    if (choice->bytes && !choice->refused && choice->what != PLAN_SHARED)
      bytes += choice->bytes + e->kind->bytes;
  }
  return bytes;
}

static int reserve(struct running_exec *e) {
  const struct exec_request *request = e->request;
  size_t bytes =
      request->reserve_bytes ? request->reserve_bytes : plan_bytes(e);
  if (!e->kind->pooled)
    return fail(VAT_USAGE, "--reserve: %s pages have no pool; fix: --pages 2m",
                e->kind->name);
  if (!bytes)
    return fail(VAT_USAGE,
                "--reserve: the size of what --huge chooses is not known; "
                "write --reserve=256M, for example");
  return workspace_reserve(e->kind, bytes, false, &e->reservation);
}

static int check_switches(struct running_exec *e) {
  if (e->request->reserve_bytes)
    return fail(VAT_USAGE,
                "--reserve: %s pages have no pool to grow; fix: --reserve "
                "without a size, which sets their switches",
                e->kind->name);
  return workspace_alone(e->kind, HP_THP_ASKS_ALWAYS, e->request->reserve,
                         &e->reservation);
}

/* What the plan knows of its size must be free in the pool; else one page. */
static int check_pages(struct running_exec *e) {
  struct hp_missing missing;
  const struct hp_kind *kind = e->kind;
  if (!e->plan.choice_count) return VAT_OK;
  if (kind->alone) return check_switches(e);
  if (e->request->reserve) return reserve(e);
  size_t bytes = kind->pooled ? plan_bytes(e) / kind->bytes * kind->bytes : 0;
  if (!bytes) bytes = kind->bytes;
  if (!hp_kind_explain(kind, bytes, &missing)) return VAT_OK;
  return workspace_missing(kind, &missing, false);
}

/* A pipe would wait for somebody to read it. */
static int check_report(const struct running_exec *e) {
  const char *path = e->request->report;
  struct stat file, other;
  if (!path) return VAT_OK;
  bool there = !stat(path, &file);
  if (there && (S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode)))
    return fail(VAT_USAGE, "--report %s: is a pipe; fix: name a file", path);
  const char *const read[] = {e->program.path, e->program.elf,
                              e->request->plan};
  for (size_t i = 0; there && i < sizeof read / sizeof *read; i++)
    if (read[i] && *read[i] && !stat(read[i], &other) &&
        other.st_ino == file.st_ino && other.st_dev == file.st_dev)
      return fail(
          VAT_USAGE,
          "--report %s: vat exec reads this file; fix: name another one", path);
  if (output_standard(path) >= 0 || !strcmp(path, "-"))
    return fail(
        VAT_USAGE,
        "--report %s: standard output and error are the program's; fix: "
        "name a file",
        path);
  if (output_path_try(path)) return fail_write(path);
  return VAT_OK;
}

static int prepare(struct running_exec *e) {
  char why[EXECUTABLE_WHY];
  const struct exec_request *request = e->request;
  if (!request->program.count)
    return fail(VAT_USAGE, "no program; write vat exec ... -- PROG ARGS");
  int code = read_plan(e);
  if (!code) code = find_kind(e);
  if (code) return code;
  if (executable_find(&e->program, *request->program.at, why))
    return fail(fail_code(errno), "%s", why);
  if ((code = check_report(e))) return code;
  if (request->plan && (code = plan_match(&e->plan, request->plan, &e->program,
                                          request->program.at)))
    return code;
  char *text = rules_text(&e->plan);
  if (request->report) {
    e->granted = granted_begin(text);
    e->sums = memory_zeroed(RULES_CHOICES, sizeof *e->sums);
    if (!e->granted)
      code = fail(
          VAT_ABSENT, "--report: no shared memory: %s%s", strerror(errno),
          errno == EFBIG ? "; fix: ulimit -f unlimited, or no --report" : "");
  }
  free(text);
  if (request->perf_map) setenv("VAT_PERF_MAP", "1", 1);
  if (!code)
    code = carry_out(&e->plan, e->kind, &e->program,
                     e->granted ? granted_path(e->granted) : NULL,
                     &e->environment);
  return code ? code : check_pages(e);
}

static void look(void *context) {
  struct running_exec *e = context;
  if (e->granted) granted_look(e->granted);
}

static void write_report(struct running_exec *e, bool now, int status) {
  struct hp_thp_faults faults;
  if (!e->granted) return;
  granted_look(e->granted);
  struct granted_report report = {
      .plan = &e->plan, .kind = e->kind, .sums = e->sums, .status = status};
  report.processes = granted_sums(e->granted, now, e->sums);
  if (e->counts && !hp_thp_faults_read(e->kind->bytes, &faults))
    granted_by_faults(e->sums, e->plan.choice_count, e->kind->bytes, &e->before,
                      &faults);
  if (!granted_write(e->request->report, &report) || e->unwritten) return;
  fail_write(e->request->report);
  e->unwritten = true;
}

static void report(void *context) { write_report(context, true, -1); }

/* The file of a report of an earlier run, to free(), or NULL. */
static char *stale_report(const char *path) {
  char why[400];
  struct stat status;
  bool there = path && !stat(path, &status) && S_ISREG(status.st_mode);
  char *file = there ? output_path(path) : NULL;
  json_t *json = file ? json_file_read(file, why, sizeof why) : NULL;
  const char *record = json_string_value(json_object_get(json, "record"));
  bool stale = record && !strcmp(record, "exec-report");
  json_decref(json);
  if (stale) return file;
  free(file);
  return NULL;
}

/* It would be taken for one of this run, if vat is killed.  What is written
 * later keeps the owner and the mode of the file. */
static void empty_stale_report(struct running_exec *e) {
  e->emptied = stale_report(e->request->report);
  if (e->emptied && truncate(e->emptied, 0)) unlink(e->emptied);
}

static void remove_stale_report(struct running_exec *e) {
  if (!e->emptied) e->emptied = stale_report(e->request->report);
  if (e->emptied) unlink(e->emptied);
}

static int run(struct running_exec *e) {
  struct run_program program = {.path = e->program.path,
                                .argv = e->request->program.at,
                                .environment = e->environment};
  struct run_watch watch = {look, report, e};
  int status;
  sigprocmask(SIG_SETMASK, NULL, &program.mask);
  if (!e->granted && !e->reservation && !carry_out_needs_us(e->environment))
    return program_become(&program);
  empty_stale_report(e);
  e->counts = e->kind->alone && !hp_thp_faults_read(e->kind->bytes, &e->before);
  int code = program_run(&program, &watch, &status);
  if (code) return code;
  write_report(e, false, status);
  hp_pool_release(e->reservation);
  program_end_like(status);
}

int cmd_exec(int argc, char **argv) {
  struct exec_request request = {0};
  struct running_exec e = {.request = &request};
  int code = options_parse(&exec_table, argc, argv, &request);
  if (!code) code = prepare(&e);
  if (!code) code = run(&e);
  if (code) remove_stale_report(&e);
  hp_pool_release(e.reservation);
  granted_end(e.granted);
  free(e.sums);
  free(e.emptied);
  environment_free(e.environment);
  page_plan_fini(&e.plan);
  options_fini(&exec_table, &request);
  return code;
}
