/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_request.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/output_path.h"
#include "experiments/profile/profile.h"
#include "experiments/profile/what_if_terms.h"
#include "experiments/sim/itlb_option.h"
#include "experiments/sim/tlb_option.h"
#include "huge_pages/region.h"
#include "huge_pages/size_text.h"
#include "vat/lazy_tc.h"

/* Powers of two from 4k to 2m, and 1g; in the form that they are usually
 * written.  0: another. */
static unsigned page_bits(const char *name) {
  char usual[HP_NAME_SIZE];
  unsigned bits = hp_page_bits(name);
  bool known = (bits >= 12 && bits <= 21) || bits == 30;
  if (!known || strcmp(hp_page_name((size_t)1 << bits, usual), name)) return 0;
  return bits;
}

/* Smallest first, as the figures of the first rank the functions. */
static bool are_pages(const char *list) {
  char *copy = memory_text(list), *rest = copy, *name;
  unsigned before = 0, count = 0;
  bool good = true;
  while (good && (name = strsep(&rest, ","))) {
    unsigned bits = page_bits(name);
    good = bits > before && ++count <= PROFILE_TREES;
    before = bits;
  }
  free(copy);
  return good;
}

static int set_pages(void *at, const char *option, const char *list) {
  *(const char **)at = list;
  if (are_pages(list)) return VAT_OK;
  return fail(VAT_USAGE,
              "--%s %s: a list of up to %d of 4k, 8k, 16k, ... 1m, 2m and 1g, "
              "each once, in this order",
              option, list, PROFILE_TREES);
}

static int leave_out(void *at, const char *option, const char *name) {
  (void)option;
  return term_leave_out(at, what_if_terms, name, "what-if", "profile");
}

static void print_terms(FILE *out, const void *request) {
  (void)request;
  terms_print(out, what_if_terms);
}

bool profile_allocator_check(const char *text) {
  static const char *const likes[] = {"malloc",   "calloc",         "realloc",
                                      "memalign", "posix_memalign", "free"};
  const char *equals = strrchr(text, '=');
  if (!equals || equals == text) return false;
  for (size_t i = 0; i < sizeof likes / sizeof *likes; i++)
    if (!strcmp(equals + 1, likes[i])) return true;
  return false;
}

#define AT(member) OPTION_AT(struct profile_request, member)

static const struct option_row rows[] = {
    {.help = "What to simulate"},
    {"pages", "KIND,...", OPTION_OWN, AT(pages), .set = set_pages,
     .usual = "4k,2m", .conflicts = "from",
     .help = "page sizes, each with a translation cache of its own: up to 4 of "
             "4k, 2m and 1g, and of those between, 8k to 1m, for entries that "
             "hold several base pages"},
    {"policy", "islru|lru", OPTION_CHOICE, AT(policy), .usual = "islru",
     OPTION_GIVEN(struct profile_request, cache_given), .conflicts = "from",
     .help = "replacement policy of the translation cache"},
    {"tc", "W", OPTION_SIZE, AT(nodes), .least = 6, .most = LAZY_TC_NODES_MAX,
     OPTION_GIVEN(struct profile_request, cache_given), .usual = "1536",
     .help = "nodes that the translation cache holds"},
    {"tlb", "SHAPE", OPTION_OWN, AT(tlb), .set = tlb_option_set,
     .conflicts = "tc,policy", .help = TLB_OPTION_HELP},
    {"code", NULL, OPTION_FLAG, AT(code), .conflicts = "tc,policy,from",
     .help = "also simulate instruction fetches, and code on pages of 2 MiB; "
             "without --tlb, data have the TLBs of this processor"},
    {"plan", "PLAN.json", OPTION_TEXT, AT(plan), .conflicts = "from,code",
     .help = "also simulate the pages that PLAN.json (vat plan -o) gives PROG: "
             "what it chooses on larger pages, all other memory on base pages, "
             "in one translation cache; with --trace FILE, FILE.layout gets "
             "these pages, for vat sim --layout"},
    {"itlb", "SHAPE", OPTION_OWN, AT(itlb), .set = itlb_option_set,
     .needs = "code", .help = ITLB_OPTION_HELP},
    {"allocator", "FUNCTION=LIKE", OPTION_TEXTS, AT(allocator),
     .items = PROFILE_ALLOCATORS, .conflicts = "from",
     .help = "FUNCTION of PROG allocates or frees memory in the way of LIKE: "
             "malloc, calloc, realloc, memalign (the second argument is a "
             "size), posix_memalign or free; may be repeated"},
    {.help = "What huge pages would save"},
    {"what-if", NULL, OPTION_FLAG, AT(what_if),
     .help = "predict the user time that huge pages save, in total and for "
             "each allocation; this also calibrates the machine and runs PROG "
             "without Valgrind to measure its time"},
    {"calibrate", "SECONDS", OPTION_REAL, AT(calibrate_s), .low = 0.01,
     .high = 1e4, .usual = "40", .needs = "what-if", .conflicts = "machine",
     .help = "calibrate this long before the runs of PROG, and half as long "
             "after them"},
    {"machine", "MACHINE.json", OPTION_TEXTS, AT(machine),
     .items = PROFILE_MACHINES, .needs = "what-if",
     .help = "use this calibration (vat calibrate -o) instead of calibrating "
             "now; give --machine once for each calibration of the machine"},
    {"runs", "N", OPTION_SIZE, AT(runs), .least = 1, .most = PROFILE_RUNS,
     .usual = "3", .needs = "what-if", .conflicts = "from,timed,user-time",
     .help = "run PROG this often without Valgrind to measure its time"},
    {"timed", "RUNS.jsonl", OPTION_TEXT, AT(timed), .needs = "what-if",
     .conflicts = "user-time",
     .help = "do not measure PROG's time: take it from the 4k runs in the "
             "output of vat compare -o"},
    {"measured", "COMPARED.json", OPTION_TEXT, AT(measured), .needs = "what-if",
     .help = "correct the savings of all layouts by what vat compare --json "
             "measured of all memory on larger pages"},
    {"user-time", "SECONDS", OPTION_REAL, AT(user_s), .low = 1e-9, .high = 1e9,
     .needs = "what-if",
     .help = "do not measure PROG's time: its user time is this"},
    {"without", "TERM", OPTION_OWN, AT(without), .set = leave_out,
     .needs = "what-if",
     .help = "leave this term (see below) out of the prediction; may be "
             "repeated"},
    {.help = "Output"},
    {"callgrind", "FILE", OPTION_FILE, AT(callgrind),
     .help = "also write FILE for callgrind_annotate and KCachegrind"},
    {"from", "FILE", OPTION_TEXT, AT(from),
     .help =
         "do not run PROG: print the profile that --save wrote, or predict "
         "from it with another machine file or time; or estimate TLB misses "
         "from the output of perf script on sampled accesses"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print one JSON object"},
    {"output", "FILE", OPTION_FILE, AT(output), .letter = 'o',
     .help = "write the profile to FILE; without -o, it goes to standard "
             "output, and PROG's output goes to standard error"},
    {"save", "FILE", OPTION_FILE, AT(save), .conflicts = "from",
     .help =
         "save the profile in FILE, for --from and vat plan; with --what-if "
         "also the calibrations and PROG's times"},
    {"trace", "FILE", OPTION_FILE, AT(trace), .conflicts = "from",
     .help = "also record every access in FILE, in vat's trace format (slow)"},
    {0}};

const struct option_table profile_table = {
    .rows = rows,
    .usage = "[--] PROG [ARG...]\n--from FILE",
    .examples =
        "  vat profile -- ./prog                 which functions and "
        "allocations miss\n"
        "  vat profile --what-if -- ./prog       what larger pages would save\n"
        "  vat profile --save prog.profile -- ./prog\n"
        "  vat profile --from prog.profile --json\n",
    .words = offsetof(struct profile_request, words),
    .words_most = SIZE_MAX,
    .program = true,
    .doc =
        "Run a program in Valgrind and find out which of its functions, "
        "lines and allocations miss the translation cache, with pages of "
        "several sizes at once.",
    .more = print_terms,
};

/* Each is like one, and one is like one. */
static int check_allocators(const struct option_texts *allocator) {
  for (size_t i = 0; i < allocator->count; i++) {
    const char *text = allocator->at[i];
    if (!profile_allocator_check(text))
      return fail(
          VAT_USAGE,
          "--allocator %s: like pool_get=malloc, FUNCTION=LIKE, LIKE being "
          "malloc, calloc, realloc, memalign, posix_memalign or free",
          text);
    size_t name = (size_t)(strrchr(text, '=') - text) + 1;
    for (size_t k = 0; k < i; k++)
      if (!strncmp(allocator->at[k], text, name) &&
          strcmp(allocator->at[k], text))
        return fail(VAT_USAGE,
                    "--allocator %s and %s exclude each other; leave one out",
                    allocator->at[k], text);
  }
  return VAT_OK;
}

/* By whatever name; but a device takes what it gets. */
static bool same_file(const char *a, const char *b) {
  struct stat one, two;
  bool known = !stat(a, &one) && !stat(b, &two);
  if (!known) return !strcmp(a, b);
  return S_ISREG(one.st_mode) && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

/* What is written would be lost, or what is to be read. */
static int check_files(const struct profile_request *request) {
  enum { WRITTEN = 4, OTHERS = 8 };
  struct {
    const char *option, *path;
  } file[OTHERS + PROFILE_MACHINES] = {
      {"-o", request->output},     {"--callgrind", request->callgrind},
      {"--trace", request->trace}, {"--save", request->save},
      {"--from", request->from},   {"--timed", request->timed},
      {"--plan", request->plan},   {"--measured", request->measured}};
  unsigned all = OTHERS;
  for (unsigned i = 0; i < request->machine.count; i++, all++) {
    file[all].option = "--machine";
    file[all].path = request->machine.at[i];
  }
  /* Before the program runs for long, as far as it can be known then. */
  for (unsigned i = 0; i < WRITTEN; i++)
    if (file[i].path && output_path_try(file[i].path))
      return fail_write(file[i].path);
  for (unsigned i = 0; i < WRITTEN; i++)
    for (unsigned k = i + 1; file[i].path && k < all; k++)
      if (file[k].path && same_file(file[i].path, file[k].path))
        return fail(VAT_USAGE, "%s %s and %s %s are one file; fix: two names",
                    file[i].option, file[i].path, file[k].option, file[k].path);
  return VAT_OK;
}

static int check_what_if(const struct profile_request *request) {
  if (!request->what_if) return VAT_OK;
  if (request->from && !request->timed && !(request->user_s > 0))
    return fail(VAT_USAGE,
                "--from runs nothing; fix: --timed RUNS.jsonl, as vat compare "
                "-o writes it, or --user-time SECONDS");
  if (!request->from && strncmp(request->pages, "4k", 2))
    return fail(VAT_USAGE,
                "--pages %s: --what-if compares with 4k, which is missing",
                request->pages);
  return VAT_OK;
}

/* Before the program runs, not when its profile is written. */
static int check_saved(const struct profile_request *request) {
  if (!request->save || request->from) return VAT_OK;
  for (char **word = request->program; *word; word++) {
    json_t *text = json_string(*word);
    json_decref(text);
    if (text) continue;
    return fail(VAT_USAGE,
                "--save %s: the command is kept as JSON, and a word of it is "
                "no UTF-8; fix: a link of another name",
                request->save);
  }
  return VAT_OK;
}

/* Fetches are those of TLBs. */
static int choose_tlbs(struct profile_request *request) {
  int code = VAT_OK;
  if (!request->code) return VAT_OK;
  if (!request->tlb.level[0].entries)
    code = tlb_option_set(&request->tlb, "tlb", "here");
  if (!code && !request->itlb.all.level[0].entries)
    code = itlb_option_set(&request->itlb, "itlb", "here");
  return code;
}

/* Do its options go together? */
static int check_request(const struct profile_request *request) {
  bool program = request->program && *request->program;
  if (!program && !request->from)
    return fail(VAT_USAGE, "name a program: vat profile -- PROG ARG...");
  if (program && request->from)
    return fail(VAT_USAGE,
                "--from and a program (%s) exclude each other; leave one out",
                *request->program);
  int code = check_files(request);
  if (!code) code = check_saved(request);
  return code ? code : check_what_if(request);
}

int profile_request_parse(struct profile_request *request, int argc,
                          char **argv) {
  *request = (struct profile_request){0};
  int code = options_parse(&profile_table, argc, argv, request);
  if (!code) code = check_allocators(&request->allocator);
  if (!code) code = choose_tlbs(request);
  request->program = request->words.at;
  if (request->tlb.level[0].entries) request->policy = "tlb";
  return code ? code : check_request(request);
}
