/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat compare: any program on every kind of page. */
#include <errno.h>
#include <regex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/commands/commands.h"
#include "experiments/compare/comparison.h"
#include "experiments/machine/process.h"
#include "experiments/profile/layouts.h"
#include "experiments/profile/profile_request.h"
#include "experiments/results/machine_record.h"
#include "experiments/results/summary.h"

#define AT(member) OPTION_AT(struct compare_options, member)

static const struct option_row rows[] = {
    {.help = "What to compare"},
    {"pages", "KIND,...", OPTION_TEXT, AT(pages),
     .help = "page kinds from 4k,thp,2m,1g, sizes such as thp-64k, and "
             "4k-contiguous, which tells translation from placement (default: "
             "4k,thp); 4k is always measured"},
    {"arm", "NAME=COMMAND|NAME:VARIABLE=VALUE", OPTION_TEXTS, AT(arms),
     .conflicts = "pages,malloc,reserve",
     .help = "compare commands or settings instead of page kinds: give --arm "
             "twice or more, the baseline first; NAME=COMMAND runs a shell "
             "command; NAME:VARIABLE=VALUE runs PROG with that environment "
             "variable; NAME: runs PROG unchanged"},
    {"plan", "PLAN.json", OPTION_TEXTS, AT(plans), .conflicts = "arm,malloc",
     .help = "also run the program with this plan of vat plan carried out; may "
             "be repeated"},
    {"huge", "WHAT,...", OPTION_TEXTS, AT(huge), .conflicts = "arm,malloc",
     .help =
         "also run the program with just this on transparent huge pages, as "
         "vat exec --huge WHAT does; may be repeated"},
    {"layouts", "N", OPTION_WHOLE, AT(layouts), .least = 1,
     .most = LAYOUTS_MOST, .needs = "from", .conflicts = "arm,malloc",
     .help = "also run the program with N layouts that are drawn from the "
             "profile of --from: some of its memory on transparent huge pages, "
             "by budgets and by lot; vat validate --mosaics compares their "
             "times with predictions"},
    {"from", "PROFILE", OPTION_FILE, AT(from), .needs = "layouts",
     .help = "the profile that vat profile --what-if --save wrote"},
    {"machine", "MACHINE.json", OPTION_TEXTS, AT(machine), .needs = "layouts",
     .items = PROFILE_MACHINES,
     .help = "predict layouts by this calibration (vat calibrate -o) instead "
             "of those that PROFILE has; may be repeated"},
    {"timed", "RUNS.jsonl", OPTION_FILE, AT(timed), .needs = "layouts",
     .help = "and by PROG's time in the 4k runs of this output of vat compare "
             "-o, not as PROFILE has it"},
    {"metric", "REGEX", OPTION_TEXT, AT(metric),
     .help = "also compare a number that the program prints: group 1 of this "
             "extended regular expression, in the last output line that "
             "matches"},
    {"higher-is-better", NULL, OPTION_FLAG, AT(higher_is_better),
     .needs = "metric", .conflicts = "lower-is-better",
     .help = "the number of --metric is a rate: a higher one is faster"},
    {"lower-is-better", NULL, OPTION_FLAG, AT(lower_is_better),
     .needs = "metric",
     .help = "the number of --metric is a time: a lower one is faster "
             "(default: vat says lower or higher)"},
    {.help = "How to run the program"},
    {"input", "FILE", OPTION_TEXT, AT(input),
     .help = "standard input of PROG (default: /dev/null)"},
    {"malloc", "jemalloc|glibc", OPTION_CHOICE, AT(allocator),
     .help = "replace the program's allocator, for every page kind (default: "
             "keep it)"},
    {"pin", "CPU", OPTION_WHOLE, AT(pin), .most = CPU_SETSIZE - 1,
     .help = "keep the program on this processor"},
    {"prewarm", NULL, OPTION_FLAG, AT(prewarm),
     .help = "before each run, touch as much memory as the program needs, so "
             "that the host of a virtual machine has already provided it"},
    {"reserve", NULL, OPTION_FLAG, AT(reserve),
     .help = "grow the pools of huge pages for these runs, and set the "
             "switches of sizes such as thp-64k for each run; restore them at "
             "the end (root)"},
    {.help = "How often"},
    {"runs", "N", OPTION_WHOLE, AT(runs), .letter = 'r', .least = 1,
     .most = 100000, .usual = "11",
     .help = "rounds; each round runs every page kind once, and 4k twice"},
    {"seed", "S", OPTION_WHOLE, AT(seed), .usual = "1",
     .help = "seed of the random order of runs"},
    {"warmup", "N", OPTION_WHOLE, AT(warmup), .most = 1000, .usual = "1",
     .help = "runs of each page kind that are not counted, at the beginning"},
    {.help = "Output"},
    {"ignore-failure", NULL, OPTION_FLAG, AT(ignore_failure), .letter = 'i',
     .help = "also count runs whose exit status is not 0"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print the result as JSON"},
    {"output", "FILE.jsonl", OPTION_TEXT, AT(output), .letter = 'o',
     .help = "write every run to this file as soon as it ends"},
    {"show-output", NULL, OPTION_FLAG, AT(show_output),
     .help = "show the program's output, on standard error"},
    {0}};

const struct option_table compare_table = {
    .rows = rows,
    .usage = "-- PROG [ARG...]",
    .examples =
        "  vat compare -- ./prog                 what do huge pages save it?\n"
        "  vat compare --runs 21 -- ./prog       narrower intervals\n"
        "  vat compare --huge text -- ./prog     its code alone on huge pages\n"
        "  sudo vat compare --pages 4k,4k-contiguous,thp --reserve -- ./prog\n"
        "                                        translation, or where memory "
        "lies?\n"
        "  vat compare --arm off='./prog -a' --arm on='./prog -b'\n"
        "  vat compare --arm plain: --arm tuned:MALLOC_CONF=thp:always -- "
        "./prog\n",
    .words = offsetof(struct compare_options, program),
    .words_most = SIZE_MAX,
    .program = true,
    .doc =
        "Run a program on several page kinds and compare its times.\v"
        "vat runs the page kinds in random order, and 4k twice: the second one "
        "is the control.  For each run, vat reads back which pages the kernel "
        "really gave.  doc/comparing.md says how to read the result.",
};

static int open_output(struct comparison *c) {
  const char *path = c->options.output;
  if (!path) return VAT_OK;
  if (!*path || !strcmp(path, "-"))
    return fail(VAT_USAGE,
                "-o '%s': is no file; what is printed is the result, as JSON "
                "by --json",
                path);
  json_t *header = json_pack("[o, o]", machine_record(c->counters),
                             comparison_plan_to_json(c));
  c->writer = results_writer_begin(path, header);
  int error = errno;
  json_decref(header);
  if (c->writer) return VAT_OK;
  errno = error;
  if (error != EEXIST) return fail_write(path);
  return fail(VAT_USAGE, "%s: exists; choose another -o", path);
}

static int compile_metric(const char *text, regex_t *regex) {
  char why[200];
  int error = regcomp(regex, text, REG_EXTENDED | REG_NEWLINE);
  if (error) {
    regerror(error, regex, why, sizeof why);
    return fail(fail_code(errno), "--metric '%s': not a pattern: %s", text,
                why);
  }
  if (regex->re_nsub) return VAT_OK;
  regfree(regex);
  return fail(VAT_USAGE,
              "--metric '%s': no group says which part is the number; put it "
              "in parentheses, for example 'rps: ([0-9.]+)'",
              text);
}

/* Each run begins at its beginning. */
static int check_input(const char *path) {
  struct stat file;
  if (!path) return VAT_OK;
  if (access(path, R_OK) || stat(path, &file))
    return fail(fail_code(errno), "--input %s: %s", path, strerror(errno));
  if (S_ISREG(file.st_mode) || S_ISCHR(file.st_mode)) return VAT_OK;
  if (S_ISDIR(file.st_mode))
    return fail(VAT_USAGE, "--input %s: %s", path, strerror(EISDIR));
  return fail(VAT_USAGE, "--input %s: can be read only once; fix: name a file",
              path);
}

static int check_pin(int cpu) {
  cpu_set_t mine;
  if (cpu < 0 || (!sched_getaffinity(0, sizeof mine, &mine) &&
                  CPU_ISSET((unsigned)cpu, &mine)))
    return VAT_OK;
  return pin_refuse(cpu);
}

/* All that can be wrong before anything runs. */
static int prepare(struct comparison *c, regex_t *metric) {
  char why[EXECUTABLE_WHY];
  struct compare_options *options = &c->options;
  const bool named = options->arms.count > 0;
  if (!options->program.count && !named)
    return fail(VAT_USAGE, "no program; write vat compare -- PROG ARGS");
  int code = check_input(options->input);
  if (!code) code = check_pin(options->pin);
  if (!code && options->prewarm && !options->warmup)
    code = fail(VAT_USAGE,
                "--warmup 0: only a run shows how much memory --prewarm has to "
                "touch; fix: --warmup 1");
  if (!code && named) code = arms_make_named(&c->arms, options);
  if (code) return code;
  if (options->program.count &&
      executable_find(&c->program, *options->program.at, why))
    return fail(fail_code(errno), "%s", why);
  c->launch = (struct launch){.path = c->program.path,
                              .argv = options->program.at,
                              .pin = options->pin,
                              .input = options->input,
                              .show_output = options->show_output};
  if (options->metric) {
    if ((code = compile_metric(options->metric, metric))) return code;
    c->launch.metric = metric;
  }
  if (!named && (code = arms_make(&c->arms, &c->program, options))) return code;
  if ((code = pools_check(c))) return code;
  c->launch.counters = c->counters = counters_open(NULL, NULL, 0);
  return VAT_OK;
}

/* They are of the program that is run, or arms_make() refuses them. */
static int draw(struct compare_options *options, struct layouts *layouts,
                const char *name[LAYOUTS_MOST]) {
  if (!options->layouts) return VAT_OK;
  const struct layouts_request of = {options->from, &options->machine,
                                     options->timed};
  int code = layouts_draw(layouts, &of, options->layouts, options->seed);
  for (size_t i = 0; i < layouts->count; i++) name[i] = layouts->name[i];
  if (!code && layouts->count < options->layouts)
    fprintf(stderr, "vat: %s: only %zu layouts differ, not %u\n", options->from,
            layouts->count, options->layouts);
  options->layout = layouts->plan;
  options->layout_name = name;
  options->layout_count = layouts->count;
  return code;
}

static void show(struct comparison *c, bool complete) {
  outcomes_make(c);
  if (!c->options.json) {
    if (!complete)
      puts("partial: stopped before the end; these are the runs so far\n");
    comparison_print(stdout, c);
  } else {
    json_line(stdout, comparison_to_json(c, complete), SUMMARY_JSON_FLAGS);
  }
  fflush(stdout);
}

/* A file without runs would only be in the way of the next try. */
static void remove_unbegun(void *context) {
  const struct comparison *c = context;
  if (c->writer && !c->count) unlink(c->options.output);
}

static int measure(struct comparison *c) {
  first_touch_probe(&c->touch);
  memory_clean_up(remove_unbegun, c);
  int code = open_output(c);
  if (!code) code = series_run(c);
  memory_clean_up(NULL, NULL);
  remove_unbegun(c);
  if (results_writer_destroy(c->writer) && !code)
    code = fail_write(c->options.output);
  return code;
}

static int compare(struct comparison *c, regex_t *metric) {
  int code = prepare(c, metric);
  if (code) return code;
  sigprocmask(SIG_SETMASK, NULL, &c->launch.mask);
  if (interrupt_arm()) return fail(VAT_ABSENT, "signals: %s", strerror(errno));
  code = measure(c);
  pools_release(c);
  bool interrupted = interrupt_pending();
  interrupt_disarm();
  if (!code || c->count) show(c, !code);
  if (interrupted && !c->count)
    fail(VAT_FAILED,
         "stopped before the first round ended: nothing to compare; fix: wait "
         "longer, or give the program less work");
  if (interrupted) interrupt_die();
  return code;
}

int cmd_compare(int argc, char **argv) {
  struct comparison *c = memory_zeroed(1, sizeof *c);
  struct layouts *layouts = memory_zeroed(1, sizeof *layouts);
  const char *names[LAYOUTS_MOST];
  regex_t metric;
  c->options.pin = -1;
  int code = options_parse(&compare_table, argc, argv, &c->options);
  if (!code) code = draw(&c->options, layouts, names);
  if (!code) code = compare(c, &metric);
  if (c->launch.metric) regfree(&metric);
  counters_close(c->counters);
  arms_fini(&c->arms);
  options_fini(&compare_table, &c->options);
  free(c->runs);
  free(c);
  layouts_fini(layouts);
  free(layouts);
  return code;
}
