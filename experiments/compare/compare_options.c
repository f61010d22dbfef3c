/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/compare_options.h"

#include <sched.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/whole_number.h"

enum {
  KEY_INPUT = 256,
  KEY_JSON,
  KEY_MALLOC,
  KEY_METRIC,
  KEY_PAGES,
  KEY_PIN,
  KEY_PREWARM,
  KEY_RESERVE,
  KEY_SEED,
  KEY_SHOW_OUTPUT,
  KEY_WARMUP
};

static const struct argp_option options_table[] = {
    {"pages", KEY_PAGES, "KIND,...", 0,
     "page kinds, of 4k,thp,2m,1g (default: 4k,thp); 4k is always among them",
     0},
    {"runs", 'r', "N", 0, "rounds, each kind once and 4k twice (default 11)",
     0},
    {"warmup", KEY_WARMUP, "N", 0,
     "runs of each kind before the first that counts (default 1)", 0},
    {"metric", KEY_METRIC, "REGEX", 0,
     "compare the program's own figure, too: what the first group of this "
     "extended regular expression catches, in the last line of its output that "
     "matches",
     0},
    {"malloc", KEY_MALLOC, "jemalloc", 0,
     "give the program this allocator, on every kind of page", 0},
    {"reserve", KEY_RESERVE, NULL, 0,
     "grow the pools of huge pages for these runs (root), and give them back",
     0},
    {"prewarm", KEY_PREWARM, NULL, 0,
     "before each run touch as much memory as the program takes, so that it "
     "need not be had from the host of a virtual machine",
     0},
    {"pin", KEY_PIN, "CPU", 0, "keep the program on this processor", 0},
    {"input", KEY_INPUT, "FILE", 0,
     "standard input of the program (default: /dev/null)", 0},
    {"show-output", KEY_SHOW_OUTPUT, NULL, 0,
     "show what the program prints, on standard error", 0},
    {"ignore-failure", 'i', NULL, 0,
     "count runs that exit with a status other than 0", 0},
    {"seed", KEY_SEED, "S", 0, "seed of the order of runs (default 1)", 0},
    {"output", 'o', "FILE.jsonl", 0, "write every run there, as it ends", 0},
    {"json", KEY_JSON, NULL, 0, "print the result as JSON", 0},
    {0}};

static int processor(const char *text) {
  cpu_set_t mine;
  int cpu = (int)whole_number_option("--pin", text, 0, CPU_SETSIZE - 1);
  if (sched_getaffinity(0, sizeof mine, &mine) ||
      !CPU_ISSET((unsigned)cpu, &mine))
    exit(fail(VAT_USAGE, "--pin %d: no processor of that number may be used",
              cpu));
  return cpu;
}

static error_t parse_rest(int key, char *arg, struct argp_state *state) {
  struct compare_options *o = state->input;
  switch (key) {
    case 'i':
      o->ignore_failure = true;
      break;
    case KEY_RESERVE:
      o->reserve = true;
      break;
    case KEY_PREWARM:
      o->prewarm = true;
      break;
    case KEY_JSON:
      o->json = true;
      break;
    case KEY_SHOW_OUTPUT:
      o->show_output = true;
      break;
    case ARGP_KEY_ARG: /* what follows the first is the program's own */
      (void)arg;
      o->program = &state->argv[state->next - 1];
      state->next = state->argc;
      break;
    case ARGP_KEY_NO_ARGS:
      exit(fail(VAT_USAGE, "no program; write vat compare -- PROG ARGS"));
    default:
      return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct compare_options *o = state->input;
  switch (key) {
    case KEY_PAGES:
      o->pages = arg;
      break;
    case 'r':
      o->runs = (uint32_t)whole_number_option("--runs", arg, 1, 100000);
      break;
    case KEY_WARMUP:
      o->warmup = (uint32_t)whole_number_option("--warmup", arg, 0, 1000);
      break;
    case KEY_METRIC:
      o->metric = arg;
      break;
    case KEY_MALLOC:
      o->allocator = arg;
      break;
    case KEY_PIN:
      o->pin = processor(arg);
      break;
    case KEY_INPUT:
      o->input = arg;
      break;
    case KEY_SEED:
      o->seed = whole_number_option("--seed", arg, 0, UINT64_MAX);
      break;
    case 'o':
      o->output = arg;
      break;
    default:
      return parse_rest(key, arg, state);
  }
  return 0;
}

const struct argp compare_argp = {
    .options = options_table,
    .parser = parse,
    .args_doc = "-- PROG [ARG...]",
    .doc =
        "Run any program on several kinds of page, side by side.\v"
        "The kinds are interleaved in random order, 4k twice for a control; "
        "the pages really granted are read back for each run.  "
        "doc/comparing.md says how to read the result.",
};
