/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_request.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/sim/tlb_option.h"
#include "experiments/sim/tree_options.h"
#include "vat/fan.h"

enum {
  KEY_PAGES = 256,
  KEY_TC,
  KEY_TRACE,
  KEY_CALLGRIND,
  KEY_JSON,
  KEY_WHAT_IF,
  KEY_MACHINE,
  KEY_USER_TIME,
  KEY_TIMED,
  KEY_SAVE,
  KEY_FROM,
  KEY_RUNS,
  KEY_POLICY,
  KEY_TLB,
  KEY_ALLOCATOR
};
enum { RUNS_MOST = 1000 };

static const struct argp_option option_table[] = {
    {0, 0, NULL, 0, "The translation cache", 1},
    {"pages", KEY_PAGES, "KIND,...", 0,
     "page sizes, each with a translation cache of its own: 4k, 2m and 1g "
     "(default: 4k,2m)",
     0},
    {"tc", KEY_TC, "W", 0, "nodes it holds (default: 1536)", 0},
    {"policy", KEY_POLICY, "islru|lru", 0, "which keeps them (default: islru)",
     0},
    {"tlb", KEY_TLB, "SHAPE", 0,
     "instead of that, like l1=64x4,l2=1536x12,pwc=32x4: entries and ways of "
     "two levels of TLB, and of each layer's page-walk cache; here: those of "
     "this processor",
     0},
    {0, 0, NULL, 0, "Whose memory", 2},
    {"allocator", KEY_ALLOCATOR, "FUNCTION=LIKE", 0,
     "FUNCTION of PROG allocates as malloc, calloc, realloc, memalign (the "
     "second argument is a size), posix_memalign do, or frees as free does; "
     "may be repeated",
     0},
    {0, 0, NULL, 0, "What larger pages would save", 3},
    {"what-if", KEY_WHAT_IF, NULL, 0,
     "predict the user time that they save, in total and by allocation; needs "
     "--machine, and runs PROG by itself first, to measure its time",
     0},
    {"machine", KEY_MACHINE, "MACHINE.json", 0,
     "what misses cost, as vat calibrate -o writes it; may be repeated, where "
     "that was measured more than once",
     0},
    {"runs", KEY_RUNS, "N", 0, "measure its time so often (default: 3)", 0},
    {"user-time", KEY_USER_TIME, "SECONDS", 0,
     "of PROG, where it cannot be run more than once: nothing is measured", 0},
    {"timed", KEY_TIMED, "RUNS.jsonl", 0,
     "take the user time of PROG's runs on 4k pages that vat compare -o wrote: "
     "nothing is measured here",
     0},
    {0, 0, NULL, 0, "Output", 4},
    {"json", KEY_JSON, NULL, 0, "print one JSON object", 0},
    {"callgrind", KEY_CALLGRIND, "FILE", 0,
     "also write FILE for callgrind_annotate and KCachegrind", 0},
    {"output", 'o', "FILE", 0,
     "print to FILE; otherwise standard output is the profile's, and what PROG "
     "prints goes to standard error",
     0},
    {"trace", KEY_TRACE, "FILE", 0,
     "also record every access in FILE, in vat's format; that takes long", 0},
    {"save", KEY_SAVE, "FILE", 0, "keep in FILE all that --from needs", 0},
    {"from", KEY_FROM, "FILE", 0,
     "no PROG: the profile that --save kept, to print it otherwise or to "
     "predict by another machine file or time",
     0},
    {0}};

/* Smallest first, as the figures of the first rank the functions. */
static const char *const page_names[] = {"4k", "2m", "1g"};

static void check_pages(const char *list) {
  unsigned next = 0;
  for (const char *name = list; *name || name == list;) {
    size_t length = strcspn(name, ",");
    unsigned i = next;
    while (i < 3 && (strlen(page_names[i]) != length ||
                     strncmp(name, page_names[i], length)))
      i++;
    if (i == 3)
      exit(fail(VAT_USAGE,
                "--pages %s: a list of 4k, 2m and 1g, each once, in this order",
                list));
    next = i + 1;
    name += length;
    if (!*name) return;
    name++;
  }
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

static const char *check_policy(const char *name) {
  if (strcmp(name, "islru") && strcmp(name, "lru"))
    exit(fail(VAT_USAGE, "--policy %s: islru or lru", name));
  return name;
}

static void take_allocator(struct profile_request *request, const char *text) {
  if (!profile_allocator_check(text))
    exit(fail(VAT_USAGE,
              "--allocator %s: like pool_get=malloc, FUNCTION=LIKE, LIKE being "
              "malloc, calloc, realloc, memalign, posix_memalign or free",
              text));
  size_t name = (size_t)(strrchr(text, '=') - text) + 1;
  for (unsigned i = 0; i < request->allocators; i++)
    if (!strncmp(request->allocator[i], text, name) &&
        strcmp(request->allocator[i], text))
      exit(fail(VAT_USAGE, "--allocator %s and %s: one or the other",
                request->allocator[i], text));
  if (request->allocators == PROFILE_ALLOCATORS)
    exit(fail(VAT_USAGE, "--allocator %s: more than %d", text,
              PROFILE_ALLOCATORS));
  request->allocator[request->allocators++] = text;
}

static void take_machine(struct profile_request *request, const char *path) {
  if (request->machines == PROFILE_MACHINES)
    exit(fail(VAT_USAGE, "--machine %s: more than %d", path, PROFILE_MACHINES));
  request->machine[request->machines++] = path;
}

static double seconds(const char *text) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !(value > 0) || !(value < 1e9))
    exit(fail(VAT_USAGE, "--user-time %s: a number of seconds above 0", text));
  return value;
}

/* Options that there is no use for with some others. */
static void note(struct profile_request *request, int key) {
  for (const struct argp_option *o = option_table; o->name || o->doc; o++) {
    if (o->key != key || !o->name) continue;
    if (key == KEY_MACHINE || key == KEY_USER_TIME || key == KEY_TIMED ||
        key == KEY_RUNS)
      request->timing = o->name;
    if (key == KEY_PAGES || key == KEY_TC || key == KEY_POLICY ||
        key == KEY_TLB || key == KEY_ALLOCATOR || key == KEY_TRACE ||
        key == KEY_SAVE || key == KEY_RUNS)
      request->settled = o->name;
  }
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct profile_request *request = state->input;
  note(request, key);
  switch (key) {
    case KEY_PAGES:
      check_pages(request->pages = value);
      return 0;
    case KEY_TC:
      request->nodes = tree_option_number("tc", value, 6, FAN_NODES_MAX);
      request->tc_option = "tc";
      return 0;
    case KEY_POLICY:
      request->policy = check_policy(value);
      request->tc_option = "policy";
      return 0;
    case KEY_TLB:
      tlb_option_take(&request->tlb, value);
      return 0;
    case KEY_ALLOCATOR:
      take_allocator(request, value);
      return 0;
    case KEY_TRACE:
      request->trace = value;
      return 0;
    case KEY_CALLGRIND:
      request->callgrind = value;
      return 0;
    case KEY_JSON:
      request->json = true;
      return 0;
    case KEY_WHAT_IF:
      request->what_if = true;
      return 0;
    case KEY_MACHINE:
      take_machine(request, value);
      return 0;
    case KEY_USER_TIME:
      request->user_s = seconds(value);
      return 0;
    case KEY_TIMED:
      request->timed = value;
      return 0;
    case KEY_SAVE:
      request->save = value;
      return 0;
    case KEY_FROM:
      request->from = value;
      return 0;
    case KEY_RUNS:
      request->runs = (unsigned)tree_option_number("runs", value, 1, RUNS_MOST);
      return 0;
    case 'o':
      request->output = value;
      return 0;
    case ARGP_KEY_ARGS:
      request->program = state->argv + state->next;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

int profile_request_parse(struct profile_request *request, int argc,
                          char **argv) {
  static const struct argp argp = {
      .options = option_table,
      .parser = parse,
      .args_doc = "[--] PROG [ARG...]\n--from FILE",
      .doc =
          "Run a program in Valgrind and find out which of its functions, "
          "lines and allocations miss the translation cache, with pages of "
          "several sizes at once.",
  };
  *request = (struct profile_request){
      .pages = "4k,2m", .nodes = 1536, .policy = "islru"};
  int code = command_parse_program(&argp, argc, argv, request);
  if (code) return code;
  if (request->tlb.level[0].entries) {
    if (request->tc_option)
      return fail(VAT_USAGE, "--tlb and --%s: one or the other",
                  request->tc_option);
    request->policy = "tlb";
  }
  return VAT_OK;
}
