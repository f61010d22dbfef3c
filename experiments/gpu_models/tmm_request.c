/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/tmm_request.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/names.h"

/* In the order of enum tmm_option. */
const struct tmm_option_row tmm_option_rows[TMM_OPTIONS] = {
    {"n", "size; of graphs their vertices, of matching the queries"},
    {"m", "edges of a graph; length of the text that is searched"},
    {"k", "length of a query"},
    {"threads", "threads per core, T; as many as there can be, if not given"},
    {"S", "words of local memory a thread (1)"},
    {"L", "steps of an access to global memory"},
    {"P", "cores"},
    {"C", "words that an access to global memory moves"},
    {"Z", "words of local memory of a core group"},
    {"Q", "cores of a core group"},
    {"X", "threads of a core, at most"},
    {"T1", "work of any program"},
    {"Tinf", "its span"},
    {"M", "its accesses to global memory"}};

#define NUMBER_LEAST 1e-100 /* more than 0 */

enum { KEY_NUMBERS = 0x200, KEY_ARCH = 0x100, KEY_JSON };

static char *help(int key, const char *text, void *input) {
  char *doc = NULL;
  size_t size;
  (void)input;
  if (key != ARGP_KEY_HELP_POST_DOC) return (char *)text;
  FILE *out = open_memstream(&doc, &size);
  if (!out) return (char *)text;
  fputs("Algorithms:\n", out);
  for (const struct tmm_algo *a = tmm_algos; a->name; a++)
    fprintf(out, "  %s: %s (%s, %s)\n", a->name, a->title, a->sizes, a->source);
  fputs("Machines:\n", out);
  for (const struct tmm_machine *m = tmm_machines; m->name; m++)
    fprintf(out, "  %s: %s\n", m->name, m->title);
  fclose(out);
  return doc;
}

const struct tmm_algo *tmm_request_algo(const char *name) {
  char names[NAMES_SIZE] = "";
  const struct tmm_algo *algo = tmm_algo_find(name);
  if (algo) return algo;
  for (const struct tmm_algo *a = tmm_algos; a->name; a++)
    names_add(names, a->name);
  fail(VAT_USAGE, "%.80s: no such algorithm of tmm; there are %s", name, names);
  return NULL;
}

static void add_machine(struct tmm_request *request, const char *name) {
  char names[NAMES_SIZE] = "";
  const struct tmm_machine *found = tmm_machine_find(name);
  struct tmm_machine *machine = &request->machine[request->machines];
  if (request->machines++ == TMM_MACHINES_MOST)
    exit(fail(VAT_USAGE, "--arch: at most %d at a time", TMM_MACHINES_MOST));
  if (found) {
    *machine = *found;
    return;
  }
  if (strpbrk(name, "./")) {
    int code =
        tmm_record_read(machine, request->names[request->machines - 1], name);
    if (code) exit(code);
    return;
  }
  for (const struct tmm_machine *m = tmm_machines; m->name; m++)
    names_add(names, m->name);
  exit(fail(VAT_USAGE,
            "--arch %.80s: no such machine; there are %s, and that of a "
            "results file",
            name, names));
}

static void add_machines(struct tmm_request *request, const char *list) {
  char *copy = strdup(list), *rest = copy;
  if (!copy) exit(fail(VAT_ABSENT, "out of memory"));
  request->machines = 0;
  while (rest) add_machine(request, strsep(&rest, ","));
  free(copy);
}

static void take_numbers(struct tmm_request *request, int option,
                         const char *text) {
  char error[256];
  free(request->given[option].at);
  bool whole = option == TMM_N || option == TMM_M || option == TMM_K;
  if (numbers_parse(text, NUMBER_LEAST, whole, &request->given[option], error,
                    sizeof error))
    exit(
        fail(fail_code(errno), "--%s %s", tmm_option_rows[option].name, error));
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct tmm_request *request = state->input;
  switch (key) {
    case KEY_ARCH:
      add_machines(request, value);
      return 0;
    case KEY_JSON:
      request->json = true;
      return 0;
    case ARGP_KEY_ARG:
      if (request->words == 3)
        exit(fail(VAT_USAGE, "%.80s: one word too many", value));
      request->word[request->words++] = value;
      return 0;
    default:
      if (key < KEY_NUMBERS || key >= KEY_NUMBERS + TMM_OPTIONS)
        return ARGP_ERR_UNKNOWN;
      take_numbers(request, key - KEY_NUMBERS, value);
      return 0;
  }
}

int tmm_request_parse(struct tmm_request *request, int argc, char **argv) {
  struct argp_option options[TMM_OPTIONS + 4] = {
      {0, 0, NULL, 0, "Each a list such as 4,8,16 or 32K..32M or 1..48*2", 1}};
  for (int i = 0; i < TMM_OPTIONS; i++)
    options[i + 1] = (struct argp_option){.name = tmm_option_rows[i].name,
                                          .key = KEY_NUMBERS + i,
                                          .arg = "LIST",
                                          .doc = tmm_option_rows[i].meaning,
                                          .group = 2};
  options[TMM_OPTIONS + 1] =
      (struct argp_option){"arch",
                           KEY_ARCH,
                           "ARCH,...",
                           0,
                           "machines: of those below (gtx480 if not given), or "
                           "a results file of vat "
                           "run --device cuda",
                           3};
  options[TMM_OPTIONS + 2] = (struct argp_option){
      "json", KEY_JSON, NULL, 0, "print a JSON object a line", 3};
  const struct argp argp = {
      .options = options,
      .parser = parse,
      .args_doc =
          "ALGO\ncompare ALGO ALGO\nprogram\nmachines\ntables "
          "[TABLE]\ncounts [ALGO]",
      .doc =
          "What the threaded many-core memory model says of an algorithm, "
          "of which of two is better, or of any program by its T1, Tinf "
          "and M; its machines; its tables; and what programs do of what it "
          "says, counted in the emulator.\v",
      .help_filter = help,
  };
  *request = (struct tmm_request){.machines = 1};
  request->machine[0] = *tmm_machine_find("gtx480"); /* the source's */
  return command_parse(&argp, argc, argv, request);
}

void tmm_request_fini(struct tmm_request *request) {
  for (int i = 0; i < TMM_OPTIONS; i++) free(request->given[i].at);
}

static bool depends(const struct tmm_algo *algo, enum tmm_option option) {
  return algo && strchr(algo->sizes, *tmm_option_rows[option].name);
}

int tmm_request_check(const struct tmm_request *request,
                      const struct tmm_algo *algo,
                      const struct tmm_algo *other) {
  for (int i = 0; i < TMM_OPTIONS; i++) {
    bool given = request->given[i].count, size = i <= TMM_K;
    if (size && !given && (depends(algo, i) || depends(other, i)))
      return fail(VAT_USAGE, "%s of which %s? give --%s: %s",
                  (depends(algo, i) ? algo : other)->name,
                  tmm_option_rows[i].name, tmm_option_rows[i].name,
                  tmm_option_rows[i].meaning);
    if (given && i >= TMM_T1)
      return fail(VAT_USAGE,
                  "--%s: its formula tells; it is of vat model tmm "
                  "program",
                  tmm_option_rows[i].name);
    if (given && size && !depends(algo, i) && !depends(other, i))
      return fail(VAT_USAGE, "--%s: %s does not depend on it; leave it out",
                  tmm_option_rows[i].name, algo->name);
  }
  return VAT_OK;
}
