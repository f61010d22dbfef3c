/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat run: measure algorithms on every kind of page. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu_algos/shares.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/output_path.h"
#include "experiments/commands/commands.h"
#include "experiments/doctor/doctor.h"
#include "experiments/machine/process.h"
#include "experiments/memory/workspaces.h"
#include "experiments/report/meaning.h"
#include "experiments/report/report.h"
#include "experiments/report/table.h"
#include "experiments/results/machine_record.h"
#include "experiments/results/summary.h"
#include "experiments/run/driver.h"
#include "experiments/run/run_options.h"
#include "gpu_algos/gpu_algo.h"
#include "gpu_algos/simt/simt.h"

/* One measurement from start to end, and what it holds. */
struct session {
  struct run_options options;
  char *algo; /* where only the file to resume names it */
  struct data data;
  struct plan plan;
  struct result_paths paths;
  struct results resumed;
  struct workspaces workspaces;
  struct driver driver;
  struct offload offload;
  struct simulation simulation;
  json_t *machine;            /* the record of this one */
  char smaller[PLAN_SMALLER]; /* than what offload may find too large */
  bool resuming;
};

static const char *why_not_opened(int error) {
  if (error == EWOULDBLOCK)
    return "another vat is writing to it; wait for it or choose another -o";
  if (error == EEXIST)
    return "another vat has just created it; choose another -o";
  if (error == ESTALE) return "it changed while vat read it; try again";
  return strerror(error);
}

/* Remove a file that held no sample, under a writer's lock: whoever is writing
 * it now, or wrote to it since it was read, keeps it. */
static int remove_unbegun(const char *path, long good_bytes) {
  struct results_writer *writer = results_writer_create(path, good_bytes);
  int failed = !writer || unlink(path) ? errno : 0;
  results_writer_destroy(writer);
  if (failed) return fail(VAT_USAGE, "%s: %s", path, why_not_opened(failed));
  fprintf(stderr,
          "vat: note: %s contains no samples yet and is started again\n", path);
  return VAT_OK;
}

/* The device of algorithms and of an input, and the algorithm that this is for,
 * where only the file to resume names them.  What else may be wrong with that
 * file is told when it is resumed. */
static int name_resumed(struct session *s) {
  struct run_options *o = &s->options;
  bool named = o->algos.count > 0;
  struct results file;
  struct plan plan = {0};
  char error[RESULTS_ERROR_SIZE], reason[PLAN_REASON];
  int code = VAT_OK;
  if (!o->resume || !o->output || (!o->data.input && !named)) return VAT_OK;
  bool known = !results_read(&file, o->output, error) && file.plan &&
               !plan_from_json(&plan, file.plan, reason);
  if (known && !o->device) o->device = plan.device->name;
  if (known && !named && !*plan.variant.file)
    code = data_resume(&o->data, &plan, &plan, o->output);
  else if (known && !named) {
    s->algo = (char *)plan.entries[0].algo->name;
    o->algos = (struct option_words){&s->algo, 1};
  }
  plan_fini(&plan);
  results_fini(&file);
  return code;
}

/* Read the file to resume, and take its plan.  One that is not there yet is
 * begun: the same command can then be repeated until it is done. */
static int read_resumed(struct session *s) {
  char error[RESULTS_ERROR_SIZE], reason[PLAN_REASON];
  const char *path = s->options.output;
  const struct plan *asked = &s->options.asked;
  if (results_read(&s->resumed, path, error)) {
    if (errno == ENOENT) {
      fprintf(stderr, "vat: note: %s does not exist yet and is created\n",
              path);
      return VAT_OK;
    }
    if (errno != ENODATA) return fail(fail_code(errno), "%s", error);
    return remove_unbegun(path, s->resumed.good_bytes);
  }
  if (s->resumed.cut)
    fprintf(stderr,
            "vat: note: %s ends in an incomplete line, which is dropped\n",
            path);
  if (s->resumed.runs > 1)
    return fail(VAT_USAGE,
                "%s: is merged from several runs; resume the file of one run",
                path);
  if (!s->resumed.plan)
    return fail(VAT_USAGE, "%s: has no plan to resume; choose another -o",
                path);
  struct plan made = s->plan; /* by the options: they were in order */
  int code = VAT_OK;
  if (plan_from_json(&s->plan, s->resumed.plan, reason))
    code = fail(fail_code(errno), "%s: %s; choose another -o", path, reason);
  if (!code) code = data_resume(&s->options.data, &made, &s->plan, path);
  const char *conflict =
      code ? NULL : run_plan_conflict(&s->options, &made, &s->plan);
  plan_fini(&made);
  if (conflict)
    code = fail(VAT_USAGE,
                "%s: was started with different %s; leave %s out, or choose "
                "another -o",
                path, conflict, *conflict == '-' ? "the option" : "ALGO");
  if (code) return code;
  if (asked->time_budget_s > 0) s->plan.time_budget_s = asked->time_budget_s;
  s->driver.samples = s->resumed.samples;
  s->driver.count = s->resumed.count;
  s->resumed.samples = NULL;
  if (asked->simulate) s->plan.simulate = asked->simulate;
  s->simulation.records = s->resumed.simulated;
  s->simulation.count = s->resumed.simulated_count;
  s->resumed.simulated = NULL;
  s->resuming = true;
  return VAT_OK;
}

static int find_machine(struct session *s) {
  s->machine = machine_record(s->driver.counters);
  json_object_set_new(s->machine, "gpu", device_record(s->plan.device));
  if (!s->resuming || results_same_machine(s->machine, s->resumed.machine))
    return VAT_OK;
  return fail(VAT_USAGE,
              "%s: was measured on another machine; fix: name its algorithms "
              "and --sizes again, and a new -o, without --resume; vat merge "
              "then joins both files",
              s->options.output);
}

static int open_results(struct session *s) {
  const char *path = s->paths.file;
  json_t *header = json_pack("[O, o]", s->machine, plan_to_json(&s->plan));
  int code = VAT_OK;
  s->driver.path = path;
  s->driver.writer = s->resuming
                         ? results_writer_create(path, s->resumed.good_bytes)
                         : results_writer_begin(path, header);
  if (!s->driver.writer)
    code = fail(fail_code(errno), "%s: cannot be written: %s", path,
                why_not_opened(errno));
  json_decref(header);
  return code;
}

/* On one processor, but for an emulator or an algorithm that asks for several.
 */
static int run_place(const struct session *s) {
  const struct run_options *o = &s->options;
  uint32_t threads = s->plan.emu_threads;
  if (o->asked.emu_threads && !threads &&
      strcmp(s->plan.device->name, "emu") != 0)
    return fail(VAT_USAGE, "--emu-threads: only with --device emu");
  if (threads && simt_set_threads(threads))
    return fail(errno == EINVAL ? VAT_USAGE : VAT_ABSENT,
                "--emu-threads %u: %s; choose fewer", threads, strerror(errno));
  simt_set_stop(interrupt_pending);
  const unsigned own = plan_threads(&s->plan);
  if (own > 1 && cpu_shares_probe(own))
    return fail(VAT_ABSENT,
                "%u threads: %s; choose fewer: --parameters threads=", own,
                strerror(errno));
  if ((threads > 1 || own > 1) && o->pin < 0) return VAT_OK;
  return pin_or_fail(o->pin);
}

/* Of what the device has no room for as a whole, and no one asked for parts.
 * What the parts share may be too large by itself. */
static int note_parts(const struct plan *plan) {
  const size_t room = plan_room(plan);
  for (size_t i = 0; i < plan->count; i++) {
    const struct plan_entry *e = &plan->entries[i];
    const struct gpu_algo *gpu = e->algo->gpu;
    for (size_t j = 0; gpu && gpu->chunk && j < e->sizes.count; j++) {
      struct algo_run run = plan_run(plan, e, e->sizes.at[j]);
      const uint64_t chunk = gpu->chunk(&run, room);
      if (!chunk || gpu->chunk(&run, SIZE_MAX)) continue;
      const double all = (double)run.bytes / 0x1p20;
      run.chunk = chunk;
      const size_t least = gpu->part_bytes(&run);
      if (least > room)
        return fail(VAT_ABSENT,
                    "%s, n = %llu: even parts of %llu need %.3g MiB, but %s "
                    "has %.3g; choose a larger --device-memory",
                    e->algo->name, (unsigned long long)run.n,
                    (unsigned long long)chunk, (double)least / 0x1p20,
                    plan->device->name, (double)room / 0x1p20);
      fprintf(
          stderr,
          "vat: note: %s, n = %llu, is processed in parts of %llu: %s has %.3g "
          "MiB, the whole input needs %.3g; --device-memory sets the limit\n",
          e->algo->name, (unsigned long long)run.n, (unsigned long long)chunk,
          plan->device->name, (double)room / 0x1p20, all);
    }
  }
  return VAT_OK;
}

/* Memory of the device; what counts is run where anything is to be counted. */
static int open_offload(struct session *s) {
  int code = note_parts(&s->plan);
  if (!code)
    code =
        offload_open(&s->offload, s->plan.device, plan_device_bytes(&s->plan),
                     plan_room(&s->plan), plan_smaller(&s->plan, s->smaller));
  s->offload.counted =
      s->plan.device->counted && counters_count(s->driver.counters);
  return code;
}

/* Everything between having a plan and having samples. */
static int measure(struct session *s) {
  struct driver *d = &s->driver;
  size_t bytes;
  int code = plan_check_alloc(&s->plan);
  if (!code) code = run_memory(&s->options, &s->plan, &bytes);
  if (!code) code = run_place(s);
  if (code) return code;
  if (!(d->counters = run_counters(&s->plan, &code))) return code;
  code = device_open(s->plan.device); /* of a plan that was resumed */
  if (!code) code = find_machine(s);
  if (code) return code;
  bool optional = !page_set_is_named(s->options.pages) && !s->resuming &&
                  !s->plan.device->own_memory;
  code = driver_map(d, &s->plan, &s->workspaces, bytes, s->options.reserve,
                    optional);
  if (!code) code = open_offload(s);
  if (!code) code = result_paths_choose(s->options.output, &s->paths);
  memory_clean_up(result_paths_give_up, &s->paths);
  if (!code && (code = open_results(s))) result_paths_give_up(&s->paths);
  memory_clean_up(NULL, NULL);
  if (code) return code;
  if (s->plan.device->own_memory) d->offload = &s->offload;
  code = driver_run(d);
  if (!code) code = data_write_answer(&s->options.data, d);
  if (code || !s->plan.simulate) return code;
  workspaces_fini(&s->workspaces); /* a simulation needs memory, too */
  return simulate_run(&s->simulation, d);
}

/* Standard output, unless the answer went there. */
static FILE *table_stream(const struct session *s) {
  const char *answer = s->options.data.output;
  return answer && output_is_stdout(answer) ? stderr : stdout;
}

/* In one sentence, and what to try next. */
static void show_answer(FILE *out, const struct summary *rows, size_t count) {
  fputc('\n', out);
  meaning_print_headline(out, rows, count);
  fputs(
      "\nnext: vat compare -- ./prog     what they save in your own program\n"
      "      vat run                   more programs, all sizes, figures\n",
      out);
}

static int show(struct session *s) {
  struct summary *rows;
  size_t count;
  summaries_make(s->driver.samples, s->driver.count, &rows, &count);
  summaries_add_simulated(rows, count, s->simulation.records,
                          s->simulation.count);
  int code = VAT_OK;
  FILE *out = table_stream(s);
  if (s->options.json) {
    for (size_t i = 0; i < count; i++)
      json_line(out, summary_to_json(&rows[i]), SUMMARY_JSON_FLAGS);
    fprintf(stderr, "vat: results: %s\n", s->paths.file);
  } else {
    char error[RESULTS_ERROR_SIZE];
    const char *file = s->paths.file;
    table_print(out, rows, count);
    fputc('\n', out);
    meaning_print(out, rows, count);
    fprintf(out, "\nresults: %s\n", file);
    fflush(out);
    code = report_write(file, s->paths.report, error);
    if (code)
      fail(code, "no report: %s", error);
    else
      fprintf(out, "report: %s/index.html\n", s->paths.report);
    if (s->options.quick) show_answer(out, rows, count);
    if (code == VAT_ABSENT) code = VAT_OK; /* what was asked was measured */
  }
  free(rows);
  return code;
}

/* A run that was stopped: what it measured, for who will not resume it.  JSON
 * has no place to say that rows are missing, so there is none. */
static void show_partial(const struct session *s) {
  struct summary *rows;
  size_t count;
  if (s->options.json || !s->driver.count) return;
  summaries_make(s->driver.samples, s->driver.count, &rows, &count);
  /* A reader that is gone must not change what we die of. */
  signal(SIGPIPE, SIG_IGN);
  FILE *out = table_stream(s);
  fputs("partial result: the run was stopped; these are the samples so far\n",
        out);
  table_print(out, rows, count);
  fflush(out);
  free(rows);
}

static void say_how_to_go_on(const struct session *s) {
  const struct data_options *data = &s->options.data;
  const char *file = s->paths.file;
  fprintf(stderr,
          "vat: stopped; %zu samples are in %s; continue with -o %s "
          "--resume",
          s->driver.count, file, file);
  if (data->input) fprintf(stderr, " --input %s", data->input);
  if (data->queries) fprintf(stderr, " --queries %s", data->queries);
  if ((data->input && !strcmp(data->input, "-")) ||
      (data->queries && !strcmp(data->queries, "-")))
    fputs(" (and the same data)", stderr);
  if (data->output) fprintf(stderr, " --output %s", data->output);
  fprintf(stderr, ", or see them with vat report %s -o %s\n", file,
          s->paths.report);
}

static int run_session(struct session *s) {
  int code = result_paths_check(s->options.output, s->options.resume);
  if (!code && s->options.quick) code = quick_options(&s->options);
  if (!code) code = set_options(&s->options);
  if (!code && s->options.quick && !s->options.json) doctor_verdict(stdout);
  if (!code) code = name_resumed(s);
  if (!code) code = run_plan(&s->options, &s->data, &s->plan);
  if (!code && s->options.resume) code = read_resumed(s);
  if (!code && !s->resuming) code = run_shard(&s->options, &s->plan);
  if (!code)
    code = data_check_output(&s->options.data, &s->plan, s->options.output);
  if (!code && s->plan.simulate && s->plan.device->own_memory)
    code = fail(VAT_USAGE, "--simulate: only with --device cpu"); /* resumed */
  if (!code && s->plan.simulate) code = simulate_check(&s->plan);
  if (code) return code;
  if (interrupt_arm()) return fail(VAT_ABSENT, "signals: %s", strerror(errno));
  code = measure(s);
  /* Results are made durable and memory is given back before anything else,
   * also when a signal asked us to stop. */
  if (results_writer_destroy(s->driver.writer) && !code)
    code = fail_write(s->paths.file);
  progress_clear(&s->driver.progress);
  offload_close(&s->offload);
  workspaces_fini(&s->workspaces);
  interrupt_disarm();
  bool interrupted = interrupt_pending(); /* until then */
  if (interrupted && s->driver.writer) say_how_to_go_on(s);
  if (interrupted && s->driver.writer) show_partial(s);
  if (interrupted) interrupt_die();
  return code ? code : show(s);
}

int cmd_run(int argc, char **argv) {
  struct session session = {.options = {.pin = -1}};
  int code = options_parse(&run_table, argc, argv, &session.options);
  /* Nothing tells which pages were granted, and the file would be in the way.
   */
  if (!code && access("/proc/self/exe", F_OK)) code = fail_without_proc();
  if (!code) code = run_session(&session);
  counters_close(session.driver.counters);
  free(session.driver.samples);
  free(session.simulation.records);
  json_decref(session.machine);
  results_fini(&session.resumed);
  plan_fini(&session.plan);
  data_fini(&session.data);
  options_fini(&run_table, &session.options);
  return code;
}
