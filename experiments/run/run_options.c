/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/run_options.h"

#include <limits.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/spelling.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/page_kind.h"

#define AT(member) OPTION_AT(struct run_options, member)
#define GIVEN(member) OPTION_GIVEN(struct run_options, member)

static int find_set(void *at, const char *option, const char *name) {
  const struct algo_set *set = cpu_algo_set_find(name);
  *(const struct algo_set **)at = set;
  if (set) return VAT_OK;
  struct spelling spelling = {.typed = name};
  for (set = cpu_algo_sets; set->name; set++)
    spelling_offer(&spelling, set->name);
  return fail(VAT_USAGE, "--%s %s: unknown set; %ssee `vat list sets`", option,
              name, spelling_hint(&spelling));
}

/* Beyond, the table of a processor's shared memory ends, doc/gpu.md. */
enum { SHARED_MOST = 227 << 10 };

static const struct option_row rows[] = {
    {.help = "What to measure"},
    {"quick", NULL, OPTION_FLAG, AT(quick),
     .conflicts = "device,device-memory,sizes,passes,shard,simulate,"
                  "time-budget,resume,input,output,queries,alloc,parameters",
     .help =
         "measure three algorithms: a first answer in less than half a minute"},
    {"set", "SET", OPTION_OWN, AT(set), .set = find_set, .conflicts = "quick",
     .help = "measure the algorithms of this set; see vat list sets"},
    {"sizes", "LIST", OPTION_SIZES, AT(sizes),
     .help = "sizes n: 65536, 2^20, 1e6, 4M, or ranges FROM:TO*FACTOR, "
             "FROM..TO+STEP; default: what fits a quarter of the free memory "
             "and the time budget, on emu 8 MiB"},
    {"pages", "KIND,...", OPTION_TEXT, AT(pages),
     .help = "page kinds: 4k,thp,2m,1g or all; default: those this machine "
             "has; sizes between 4k and 2m, such as thp-64k, only if named"},
    {"alloc", "arena|jemalloc|glibc|workspace", OPTION_CHOICE, AT(alloc),
     .help = "where algorithms that allocate put their nodes: arena (default: "
             "jemalloc on the pages measured), jemalloc or glibc (as in usual "
             "programs, base pages only), workspace (in order)"},
    {"simulate", "MOST", OPTION_SIZE, AT(asked.simulate), .least = 1,
     .without = "1e9",
     .help = "also simulate the misses of a translation cache, at most MOST "
             "accesses per size (default: 1e9)"},
    {"counters", "COUNTER,...", OPTION_TEXT, AT(counters),
     .help = "auto (default), none, or names; see vat list counters"},
    {"parameters", "LIST", OPTION_TEXT, AT(parameters),
     .help =
         "parameters of ALGO, for example k=6,m=256K (doc/bloom-blastn.md)"},
    {"device", "DEVICE", OPTION_TEXT, AT(device),
     .help = "cpu (default), emu (a GPU, emulated and counted) or cuda; vat "
             "list algos shows what runs where"},
    {.help = "How"},
    {"reps", "N", OPTION_WHOLE, AT(asked.reps), .least = 1, .most = 100000,
     .help = "repetitions; default 6, or 3 if a run is long: above 1e9 "
             "operations, 1e7 without --sizes"},
    {"passes", "N", OPTION_WHOLE, AT(asked.passes), GIVEN(passes_given),
     .least = 1, .most = 1000, .usual = "1",
     .help = "spread the repetitions over this many passes over all sizes, so "
             "that a slow minute of the machine affects few of them"},
    {"seed", "S", OPTION_WHOLE, AT(asked.seed), GIVEN(seed_given), .usual = "1",
     .help = "seed of every input, 64 bits, decimal or 0x..."},
    {"time-budget", "SEC", OPTION_REAL, AT(asked.time_budget_s), .low = 1e-9,
     .high = 1e9,
     .help = "do not start larger sizes after this time; default 120 without "
             "--sizes, 30 on emu, else none"},
    {"pin", "CPU", OPTION_WHOLE, AT(pin), .most = INT_MAX,
     .help = "measure on this processor (default: the last)"},
    {"reserve", NULL, OPTION_FLAG, AT(reserve),
     .help =
         "grow the pools of huge pages for this run, switch named THP sizes "
         "on while their pages are faulted in, and restore both (root)"},
    {"resume", NULL, OPTION_FLAG, AT(resume), .needs = "results",
     .because = "give -o FILE",
     .help = "continue an interrupted -o FILE: measure only what is missing "
             "from it"},
    {"shard", "I/N", OPTION_OWN, AT(shard), .set = shard_option,
     .help = "measure the I-th of N parts of the sweep; other machines measure "
             "the others, and vat merge joins the results (doc/cluster.md)"},
    {.help = "On a GPU, or an emulated one"},
    {"device-memory", "BYTES", OPTION_SIZE, AT(device_memory), .least = 1,
     .most = INT64_MAX,
     .help = "bytes of device memory for an input, for example 4M; algorithms "
             "that can process larger inputs in parts; default: 7/8 of what is "
             "free, on emu 1/4 of the host's"},
    {"block-threads", "LIST", OPTION_SIZES, AT(block_threads), .least = 1,
     .most = 1024,
     .help = "threads per block, each value in turn, for GPU algorithms where "
             "this can be chosen (doc/gpu.md)"},
    {"grid-blocks", "LIST", OPTION_SIZES, AT(grid_blocks), .least = 1,
     .most = 1 << 20,
     .help = "number of blocks, each value in turn, where it can be chosen, "
             "for example 1..90 or 32..1024+32"},
    {"dummy-shared", "BYTES", OPTION_WHOLE, AT(asked.variant.dummy_shared),
     .least = 1, .most = SHARED_MOST,
     .help = "let each block of such an algorithm reserve BYTES of shared "
             "memory without using them"},
    {"emu-threads", "N", OPTION_WHOLE, AT(asked.emu_threads), .least = 1,
     .most = 256,
     .help = "emulate blocks on N processors at the same time (default: 1)"},
    {.help = "What is written"},
    {"results", "FILE.jsonl", OPTION_TEXT, AT(output), .letter = 'o',
     .help = "results file; default: vat-results/TIME/results.jsonl"},
    {"json", NULL, OPTION_FLAG, AT(json),
     .help = "print summaries as JSON Lines"},
    {.rows = data_rows, AT(data)},
    {0}};

const struct option_table run_table = {
    .rows = rows,
    .usage = "[ALGO...]",
    .examples =
        "  vat run --quick                       a first answer, half a "
        "minute\n"
        "  vat run                               seven algorithms, all sizes\n"
        "  vat run --set thesis                  those of the thesis itself\n"
        "  vat run random_scan --sizes 2^26 --pages 4k,thp\n"
        "  sudo vat run --reserve                on hugetlb pages, too\n",
    .words = offsetof(struct run_options, algos),
    .words_most = SIZE_MAX,
    .doc =
        "Measure algorithms on every kind of page this machine has.\vWithout "
        "ALGO, vat measures the algorithms of the set default.  It "
        "alternates between page kinds, checks the answer of every repetition, "
        "and writes every sample to the results file at once.",
};

/*
 * Two that gain much from larger pages and one that gains nothing, at 256 MiB:
 * far above what TLBs reach (some 12 MiB on 4 KiB pages), and a repetition
 * takes less than a second.
 */
static const struct {
  const char *algo;
  uint64_t n;
} programs[] = {
    {"random_scan", 1 << 24},
    {"permute", 1 << 25},
    {"sequential_scan", 1 << 25},
};
enum { PROGRAMS = sizeof programs / sizeof *programs, REPETITIONS = 5 };

int quick_options(struct run_options *options) {
  static char *names[PROGRAMS + 1];
  const struct hp_kind *thp = hp_kind_find("thp");
  struct hp_missing missing;
  if (options->algos.count)
    return fail(
        VAT_USAGE,
        "--quick: chooses the algorithms itself; leave out %s or --quick",
        *options->algos.at);
  for (size_t i = 0; i < PROGRAMS; i++) names[i] = (char *)programs[i].algo;
  options->algos = (struct option_words){names, PROGRAMS};
  /* Else those that there are, which may be 4k alone. */
  if (!options->pages && thp && !hp_kind_explain(thp, thp->bytes, &missing))
    options->pages = "4k,thp";
  if (!options->asked.reps) options->asked.reps = REPETITIONS;
  return VAT_OK;
}

int set_options(struct run_options *options) {
  static char *names[ALGO_SET_MOST];
  const struct algo_set *set = options->set;
  if (!set) return VAT_OK;
  if (options->algos.count)
    return fail(VAT_USAGE,
                "--set %s: a set names the algorithms itself; leave out %s or "
                "--set",
                set->name, *options->algos.at);
  size_t count = cpu_algo_set_count(set);
  for (size_t i = 0; i < count; i++) names[i] = (char *)set->algos[i];
  options->algos = (struct option_words){names, count};
  return VAT_OK;
}

uint64_t quick_size(const struct algo *algo) {
  size_t i = 0;
  while (strcmp(programs[i].algo, algo->name) != 0) i++;
  uint64_t n = programs[i].n;
  while (n > 1 && algo->bytes(n) > hp_memory_available() / 8) n /= 2;
  return n;
}
