/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/calibrate_options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/sizes.h"

enum {
  KEY_BUDGET = 256,
  KEY_JSON,
  KEY_MEMORY,
  KEY_PAGES,
  KEY_PIN,
  KEY_REFRESH,
  KEY_RESERVE
};

static const struct argp_option options_table[] = {
    {"pages", KEY_PAGES, "KIND,...", 0,
     "page kinds: 4k,thp,2m,1g or all; default: those this machine has", 0},
    {"memory", KEY_MEMORY, "BYTES", 0,
     "so much of each page kind; default: a quarter of the free memory for all "
     "of them, at most 4G each",
     0},
    {"time-budget", KEY_BUDGET, "SEC", 0,
     "be done by then (default 120, and 40 with --refresh); each point is "
     "timed "
     "once at least",
     0},
    {"refresh", KEY_REFRESH, "FILE", 0,
     "measure anew, on the page kinds of FILE, a calibration, only what vat "
     "profile --what-if goes by and neighbours change; all else is FILE's",
     0},
    {"pin", KEY_PIN, "CPU", 0, "measure on this processor (default: the last)",
     0},
    {"reserve", KEY_RESERVE, NULL, 0,
     "grow the pools of huge pages for this run (root), and give them back", 0},
    {"output", 'o', "MACHINE.json", 0, "write all of it there; - is stdout", 0},
    {"json", KEY_JSON, NULL, 0, "print all of it as JSON instead of tables", 0},
    {0}};

static uint64_t memory(const char *text) {
  uint64_t bytes;
  if (size_parse(text, &bytes) || bytes < 1 << 20 || bytes > SIZE_MAX / 16)
    exit(fail(VAT_USAGE,
              "--memory: '%s' is not a size from 1M on; write 512M, 2^30",
              text));
  return bytes;
}

static int processor(const char *text) {
  char *end;
  errno = 0;
  long cpu = strtol(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno || cpu > INT_MAX)
    exit(fail(VAT_USAGE, "--pin: '%s' is not a processor's number", text));
  return (int)cpu;
}

static double seconds(const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !(value > 0 && value < 1e6))
    exit(fail(VAT_USAGE, "--time-budget: '%s' is not a number of seconds",
              text));
  return value;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct calibrate_options *o = state->input;
  switch (key) {
    case KEY_BUDGET:
      o->time_budget_s = seconds(arg);
      break;
    case KEY_JSON:
      o->json = true;
      break;
    case KEY_MEMORY:
      o->memory_bytes = memory(arg);
      break;
    case KEY_PAGES:
      o->pages = arg;
      break;
    case KEY_PIN:
      o->pin = processor(arg);
      break;
    case KEY_REFRESH:
      o->refresh = arg;
      break;
    case KEY_RESERVE:
      o->reserve = true;
      break;
    case 'o':
      o->output = arg;
      break;
    default:
      return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp calibrate_argp = {
    .options = options_table,
    .parser = parse,
    .doc =
        "Measure what accesses, address translations and streams of this "
        "machine cost.\v"
        "By micro-benchmarks alone, page kinds interleaved, each point in "
        "several repetitions, on an idle machine.  vat validate predicts "
        "running times from MACHINE.json; doc/calibration.md tells how "
        "each number is found.",
};
