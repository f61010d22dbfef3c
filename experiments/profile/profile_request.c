/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_request.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/cli/command.h"
#include "experiments/cli/output_path.h"
#include "experiments/sim/tlb_option.h"
#include "vat/lazy_tc.h"

/* Smallest first, as the figures of the first rank the functions. */
static const char *const page_names[] = {"4k", "2m", "1g"};

static int set_pages(void *at, const char *option, const char *list) {
  const char *rest = list;
  bool more = true; /* a name is to come */
  for (unsigned i = 0; more && i < 3; i++) {
    size_t length = strlen(page_names[i]);
    if (strncmp(rest, page_names[i], length)) continue;
    more = rest[length] == ',';
    rest += length + more;
  }
  if (more || *rest)
    return fail(VAT_USAGE,
                "--%s %s: a list of 4k, 2m and 1g, each once, in this order",
                option, list);
  *(const char **)at = list;
  return VAT_OK;
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
    {.help = "The translation cache"},
    {"pages", "KIND,...", OPTION_OWN, AT(pages), .set = set_pages,
     .usual = "4k,2m", .conflicts = "from",
     .help = "page sizes, each with a translation cache of its own: 4k, 2m and "
             "1g"},
    {"tc", "W", OPTION_SIZE, AT(nodes), .least = 6, .most = LAZY_TC_NODES_MAX,
     OPTION_GIVEN(struct profile_request, cache_given), .usual = "1536",
     .conflicts = "from", .help = "nodes it holds"},
    {"policy", "islru|lru", OPTION_CHOICE, AT(policy), .usual = "islru",
     OPTION_GIVEN(struct profile_request, cache_given), .conflicts = "from",
     .help = "which keeps them"},
    {"tlb", "SHAPE", OPTION_OWN, AT(tlb), .set = tlb_option_set,
     .conflicts = "tc,policy,from", .help = TLB_OPTION_HELP},
    {.help = "Whose memory"},
    {"allocator", "FUNCTION=LIKE", OPTION_TEXTS, AT(allocator),
     .items = PROFILE_ALLOCATORS, .conflicts = "from",
     .help = "FUNCTION of PROG allocates as malloc, calloc, realloc, memalign "
             "(the second argument is a size), posix_memalign do, or frees as "
             "free does; may be repeated"},
    {.help = "What larger pages would save"},
    {"what-if", NULL, OPTION_FLAG, AT(what_if),
     .help = "predict the user time that they save, in total and by "
             "allocation; calibrates this machine and runs PROG by itself "
             "first, to measure its time"},
    {"machine", "MACHINE.json", OPTION_TEXTS, AT(machine),
     .items = PROFILE_MACHINES, .needs = "what-if",
     .help = "what misses cost, as vat calibrate -o writes it, instead of "
             "calibrating now; may be repeated, where that was measured more "
             "than once"},
    {"calibrate", "SECONDS", OPTION_REAL, AT(calibrate_s), .low = 0.01,
     .high = 1e4, .usual = "40", .needs = "what-if", .conflicts = "machine",
     .help = "calibrate this machine for so long before PROG's runs, and half "
             "as long after them"},
    {"runs", "N", OPTION_SIZE, AT(runs), .least = 1, .most = PROFILE_RUNS,
     .usual = "3", .needs = "what-if", .conflicts = "from,timed,user-time",
     .help = "measure its time so often"},
    {"user-time", "SECONDS", OPTION_REAL, AT(user_s), .low = 1e-9, .high = 1e9,
     .needs = "what-if",
     .help = "of PROG, where it cannot be run more than once: nothing is "
             "measured"},
    {"timed", "RUNS.jsonl", OPTION_TEXT, AT(timed), .needs = "what-if",
     .conflicts = "user-time",
     .help = "take the user time of PROG's runs on 4k pages that vat compare "
             "-o wrote: nothing is measured here"},
    {.help = "Output"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print one JSON object"},
    {"callgrind", "FILE", OPTION_FILE, AT(callgrind),
     .help = "also write FILE for callgrind_annotate and KCachegrind"},
    {"output", "FILE", OPTION_FILE, AT(output), .letter = 'o',
     .help = "print to FILE; otherwise standard output is the profile's, and "
             "what PROG prints goes to standard error"},
    {"trace", "FILE", OPTION_FILE, AT(trace), .conflicts = "from",
     .help = "also record every access in FILE, in vat's format; that takes "
             "long"},
    {"save", "FILE", OPTION_FILE, AT(save), .conflicts = "from",
     .help = "keep in FILE all that --from needs"},
    {"from", "FILE", OPTION_TEXT, AT(from),
     .help = "no PROG: the profile that --save kept, to print it otherwise or "
             "to predict by another machine file or time"},
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

/* Before the program runs for long, as far as it can be known then. */
static int check_written(const char *option, const char *path) {
  if (!output_path_try(path)) return VAT_OK;
  return fail(fail_code(errno),
              "%s %s: cannot be written: %s; fix: a file in a folder that is "
              "there and yours",
              option, path, strerror(errno));
}

/* What is written would be lost, or what is to be read. */
static int check_files(const struct profile_request *request) {
  enum { WRITTEN = 4, OTHERS = 6 };
  struct {
    const char *option, *path;
  } file[OTHERS + PROFILE_MACHINES] = {
      {"-o", request->output},     {"--callgrind", request->callgrind},
      {"--trace", request->trace}, {"--save", request->save},
      {"--from", request->from},   {"--timed", request->timed}};
  unsigned all = OTHERS;
  for (unsigned i = 0; i < request->machine.count; i++, all++) {
    file[all].option = "--machine";
    file[all].path = request->machine.at[i];
  }
  for (unsigned i = 0; i < WRITTEN; i++) {
    int code =
        file[i].path ? check_written(file[i].option, file[i].path) : VAT_OK;
    if (code) return code;
  }
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

/* Do its options go together? */
static int check_request(const struct profile_request *request) {
  bool program = request->program && *request->program;
  if (!program && !request->from)
    return fail(VAT_USAGE, "profile what? `vat profile -- PROG ARG...`");
  if (program && request->from)
    return fail(VAT_USAGE, "--from %s is the profile of a program: name none",
                request->from);
  int code = check_files(request);
  if (!code) code = check_saved(request);
  return code ? code : check_what_if(request);
}

int profile_request_parse(struct profile_request *request, int argc,
                          char **argv) {
  *request = (struct profile_request){0};
  int code = options_parse(&profile_table, argc, argv, request);
  if (!code) code = check_allocators(&request->allocator);
  request->program = request->words.at;
  if (request->tlb.level[0].entries) request->policy = "tlb";
  return code ? code : check_request(request);
}
