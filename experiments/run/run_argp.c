/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <argp.h>
#include <limits.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/whole_number.h"
#include "experiments/run/run_options.h"
#include "experiments/run/simulate.h"

enum {
  KEY_ALLOC = 256,
  KEY_BLOCK_THREADS,
  KEY_COUNTERS,
  KEY_DEVICE,
  KEY_DEVICE_MEMORY,
  KEY_DUMMY_SHARED,
  KEY_GRID_BLOCKS,
  KEY_PARAMETERS,
  KEY_EMU_THREADS,
  KEY_JSON,
  KEY_PAGES,
  KEY_PIN,
  KEY_REPS,
  KEY_PASSES,
  KEY_RESERVE,
  KEY_RESUME,
  KEY_SEED,
  KEY_SHARD,
  KEY_SIMULATE,
  KEY_SIZES,
  KEY_BUDGET
};

static const struct argp_option options_table[] = {
    {"device", KEY_DEVICE, "DEVICE", 0,
     "cpu (default), emu (a GPU, emulated and counted) or cuda; vat list algos "
     "tells what runs where",
     0},
    {"device-memory", KEY_DEVICE_MEMORY, "BYTES", 0,
     "bytes of the device's memory that an input may take, as in 4M: larger "
     "ones are worked on in parts where algorithms can; default: 7/8 of what "
     "is free, on emu 1/4 of the host's",
     0},
    {"emu-threads", KEY_EMU_THREADS, "N", 0,
     "run blocks of emulated threads on N processors side by side (default 1)",
     0},
    {"block-threads", KEY_BLOCK_THREADS, "N", 0,
     "run algorithms for GPUs that have a choice in blocks of N threads "
     "(doc/gpu.md)",
     0},
    {"dummy-shared", KEY_DUMMY_SHARED, "BYTES", 0,
     "let each block of such an algorithm hold BYTES of shared memory that it "
     "leaves alone",
     0},
    {"grid-blocks", KEY_GRID_BLOCKS, "N", 0,
     "run algorithms for GPUs that have a choice in N blocks", 0},
    {"parameters", KEY_PARAMETERS, "LIST", 0,
     "parameters of ALGO's own, as in k=6,m=256K (doc/bloom-blastn.md)", 0},
    {"sizes", KEY_SIZES, "LIST", 0,
     "sizes n: 65536, 2^20, 1e6, 4M, or ranges FROM:TO*FACTOR; default: what "
     "fits a quarter of the free memory and the time budget, on emu 8 MiB",
     0},
    {"pages", KEY_PAGES, "KIND,...", 0,
     "page kinds: 4k,thp,2m,1g or all; default: those this machine has", 0},
    {"reps", KEY_REPS, "N", 0,
     "repetitions; default 6, or 3 where a run is long: above 1e9 operations, "
     "1e7 without --sizes",
     0},
    {"passes", KEY_PASSES, "N", 0,
     "passes over all sizes that the repetitions are spread over (default 1): "
     "what slows the machine for a minute then slows few of them",
     0},
    {"seed", KEY_SEED, "S", 0,
     "seed of every input, of 64 bits, decimal or 0x... (default 1)", 0},
    {"shard", KEY_SHARD, "I/N", 0,
     "measure the I-th of N parts of the sweep, as other machines do the "
     "others; vat merge makes one of their results (doc/cluster.md)",
     0},
    {"simulate", KEY_SIMULATE, "MOST", OPTION_ARG_OPTIONAL,
     "simulate the misses of a translation cache, too, of up to MOST accesses "
     "a size (default 1e9)",
     0},
    {"counters", KEY_COUNTERS, "COUNTER,...", 0,
     "auto (default), none, or names; see vat list counters", 0},
    {"alloc", KEY_ALLOC, "arena|jemalloc|glibc|workspace", 0,
     "where algorithms that allocate have their nodes: arena (default: "
     "jemalloc on the pages measured), jemalloc or glibc (as programs have "
     "them, base pages only), workspace (in order)",
     0},
    {"time-budget", KEY_BUDGET, "SEC", 0,
     "stop growing sizes when the time is spent; default 120 without --sizes, "
     "30 on emu, else none",
     0},
    {"pin", KEY_PIN, "CPU", 0, "measure on this processor (default: the last)",
     0},
    {"reserve", KEY_RESERVE, NULL, 0,
     "grow the pools of huge pages for this run (root), and give them back", 0},
    {"results", 'o', "FILE.jsonl", 0,
     "results file; default: vat-results/TIME/results.jsonl", 0},
    {"resume", KEY_RESUME, NULL, 0,
     "continue an interrupted -o FILE: measure only what it lacks", 0},
    {"json", KEY_JSON, NULL, 0, "print summaries as JSON Lines", 0},
    {0}};

static uint64_t memory_bytes(const char *text) {
  uint64_t bytes;
  if (size_parse(text, &bytes) || !bytes || bytes > INT64_MAX)
    exit(fail(VAT_USAGE, "--device-memory: '%s' is no number of bytes, as 4M",
              text));
  return bytes;
}

static double seconds(const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !(value > 0 && value < 1e9))
    exit(fail(VAT_USAGE, "--time-budget: '%s' is not a number of seconds",
              text));
  return value;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct run_options *o = state->input;
  switch (key) {
    case KEY_DEVICE:
      o->device = arg;
      break;
    case KEY_DEVICE_MEMORY:
      o->device_memory = memory_bytes(arg);
      break;
    case KEY_EMU_THREADS:
      o->emu_threads =
          (uint32_t)whole_number_option("--emu-threads", arg, 1, 256);
      break;
    case KEY_BLOCK_THREADS:
      o->block_threads =
          (uint32_t)whole_number_option("--block-threads", arg, 1, 1024);
      break;
    case KEY_DUMMY_SHARED:
      o->dummy_shared =
          (uint32_t)whole_number_option("--dummy-shared", arg, 1, 227 << 10);
      break;
    case KEY_GRID_BLOCKS:
      o->grid_blocks =
          (uint32_t)whole_number_option("--grid-blocks", arg, 1, 1 << 20);
      break;
    case KEY_PARAMETERS:
      o->parameters = arg;
      break;
    case KEY_SIZES:
      o->sizes = arg;
      break;
    case KEY_PAGES:
      o->pages = arg;
      break;
    case KEY_COUNTERS:
      o->counters = arg;
      break;
    case KEY_ALLOC:
      o->alloc = arg;
      break;
    case KEY_RESERVE:
      o->reserve = true;
      break;
    case KEY_RESUME:
      o->resume = true;
      break;
    case KEY_JSON:
      o->json = true;
      break;
    case 'o':
      o->output = arg;
      break;
    case KEY_REPS:
      o->reps = (uint32_t)whole_number_option("--reps", arg, 1, 100000);
      o->reps_given = true;
      break;
    case KEY_PASSES:
      o->passes = (uint32_t)whole_number_option("--passes", arg, 1, 1000);
      o->passes_given = true;
      break;
    case KEY_SEED:
      o->seed = whole_number_option("--seed", arg, 0, UINT64_MAX);
      o->seed_given = true;
      break;
    case KEY_SHARD:
      o->shard = shard_option(arg);
      break;
    case KEY_SIMULATE:
      o->simulate = simulate_limit(arg);
      break;
    case KEY_PIN:
      o->pin = (int)whole_number_option("--pin", arg, 0, INT_MAX);
      break;
    case KEY_BUDGET:
      o->time_budget_s = seconds(arg);
      o->budget_given = true;
      break;
    case ARGP_KEY_INIT:
      state->child_inputs[0] = &o->data;
      break;
    case ARGP_KEY_ARG:
      o->algos[o->algo_count++] = arg;
      break;
    default:
      return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {{&data_argp, 0, NULL, 0}, {0}};

const struct argp run_argp = {
    .options = options_table,
    .parser = parse,
    .children = children,
    .args_doc = "[ALGO...]",
    .doc =
        "Measure algorithms on every kind of page this machine has.\v"
        "Without ALGO the default ones are measured (vat list algos).  Page "
        "kinds are interleaved, the answer of every repetition is checked, and "
        "every sample goes into the results file as soon as it is measured.",
};
