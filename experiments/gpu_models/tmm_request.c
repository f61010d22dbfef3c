/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/tmm_request.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/record.h"
#include "experiments/gpu_models/calculator.h"
#include "experiments/gpu_models/gpu_record.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/results/results.h"

#define NUMBER_LEAST 1e-100 /* more than 0 */

static void print_tables(FILE *out, const void *request) {
  (void)request;
  fputs("Algorithms:\n", out);
  for (const struct tmm_algo *a = tmm_algos; a->name; a++)
    fprintf(out, "  %s: %s (%s, %s)\n", a->name, a->title, a->sizes, a->source);
  fputs("Machines:\n", out);
  for (const struct tmm_machine *m = tmm_machines; m->name; m++)
    fprintf(out, "  %s: %s\n", m->name, m->title);
}

const struct tmm_algo *tmm_request_algo(const char *name) {
  const struct tmm_algo *algo = tmm_algo_find(name);
  if (algo) return algo;
  fail(VAT_USAGE, "%.80s: unknown algorithm of tmm; choose one of %s", name,
       NAMES_OF(tmm_algos));
  return NULL;
}

/* The GPU of the machine record of the results file `path`: all but L, which no
 * record tells; `name` takes how it is called. */
static int read_machine(struct tmm_machine *machine, char name[TMM_NAME_SIZE],
                        const char *path) {
  char error[RESULTS_ERROR_SIZE];
  struct results results;
  int code = VAT_OK;
  if (results_read(&results, path, error))
    return fail(fail_code(errno), "--arch %s", error);
  const json_t *gpu = json_object_get(results.machine, "gpu");
  const json_t *capability = json_object_get(gpu, "compute_capability");
  double sms = gpu_record_sms(gpu);
  bool named = record_name(json_object_get(gpu, "name"), name, TMM_NAME_SIZE);
  *machine = (struct tmm_machine){
      .name = name, .title = name, .source = "machine record", .L = NAN};
  if (!named || !(sms > 0) ||
      !tmm_machine_of(
          machine, (int)json_integer_value(json_array_get(capability, 0)),
          (int)json_integer_value(json_array_get(capability, 1)), sms))
    code = fail(VAT_USAGE,
                "--arch %s: its machine record does not describe a GPU, by "
                "name, compute_capability and sms (1 to %d); vat run --device "
                "cuda -o FILE writes one that does",
                path, GPU_RECORD_SMS_MOST);
  results_fini(&results);
  return code;
}

static int add_machine(void *at, const char *option, const char *name) {
  struct tmm_request *request = at;
  const struct tmm_machine *found = tmm_machine_find(name);
  struct tmm_machine *machine = &request->machine[request->machines];
  if (request->machines++ == TMM_MACHINES_MOST)
    return fail(VAT_USAGE, "--%s: too many values; give at most %d", option,
                TMM_MACHINES_MOST);
  if (found) {
    *machine = *found;
    return VAT_OK;
  }
  if (strpbrk(name, "./"))
    return read_machine(machine, request->names[request->machines - 1], name);
  return fail(
      VAT_USAGE,
      "--%s %.80s: unknown machine; choose one of %s, or a results file",
      option, name, NAMES_OF(tmm_machines));
}

static int set_machines(void *at, const char *option, const char *list) {
  ((struct tmm_request *)at)->machines = 0;
  return option_items(at, option, list, add_machine);
}

#define AT(member) OPTION_AT(struct tmm_request, member)
#define WHOLE(option) "LIST", OPTION_WHOLE_NUMBERS, AT(given[option]), LEAST
#define REAL(option) "LIST", OPTION_NUMBERS, AT(given[option]), LEAST
#define LEAST .low = NUMBER_LEAST

/* Behind the heading in the order of enum tmm_option. */
static const struct option_row rows[] = {
    {.help = "Each a list such as 4,8,16, 32K..32M, 1..48*2 or 32..1024+32"},
    {"n", WHOLE(TMM_N),
     .help = "size; of graphs their vertices, of matching the queries"},
    {"m", WHOLE(TMM_M),
     .help = "edges of a graph; length of the text that is searched"},
    {"k", WHOLE(TMM_K), .help = "length of a query"},
    {"threads", REAL(TMM_THREADS),
     .help = "threads per core, T (default: the most possible)"},
    {"S", REAL(TMM_S), .help = "words of local memory per thread (default: 1)"},
    {"L", REAL(TMM_L), .help = "steps of an access to global memory"},
    {"P", REAL(TMM_P), .help = "cores"},
    {"C", REAL(TMM_C), .help = "words that an access to global memory moves"},
    {"Z", REAL(TMM_Z), .help = "words of local memory of a core group"},
    {"Q", REAL(TMM_Q), .help = "cores of a core group"},
    {"X", REAL(TMM_X), .help = "most threads of a core"},
    {"T1", REAL(TMM_T1), .help = "work of any program"},
    {"Tinf", REAL(TMM_TINF), .help = "its span"},
    {"M", REAL(TMM_MEM), .help = "its accesses to global memory"},
    {.help = "Input"},
    {"arch", "ARCH,...", OPTION_OWN, .set = set_machines, .usual = "gtx480",
     .help = "machines: of those below, or a results file of vat run --device "
             "cuda"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print JSON Lines"},
    {0}};

const struct option_row *const tmm_option_rows = rows + 1;

const struct option_table tmm_table = {
    .rows = rows,
    .usage =
        "ALGO\ncompare ALGO ALGO\nprogram\nmachines\ntables "
        "[TABLE]\ncounts [ALGO]",
    .words = offsetof(struct tmm_request, words),
    .words_most = 3,
    .too_many = "unexpected argument",
    .doc =
        "Apply the threaded many-core memory model: to an algorithm, to two to "
        "compare them, or to any program by its T1, Tinf and M; show its "
        "machines and tables; or compare it with counts of the emulator.",
    .more = print_tables,
};

static bool depends(const struct tmm_algo *algo, enum tmm_option option) {
  return algo && strchr(algo->sizes, *tmm_option_rows[option].name);
}

int tmm_request_check(const struct tmm_request *request,
                      const struct tmm_algo *algo,
                      const struct tmm_algo *other) {
  for (int i = 0; i < TMM_OPTIONS; i++) {
    const struct option_row *row = &tmm_option_rows[i];
    bool given = request->given[i].count, size = i <= TMM_K;
    if (size && !given && (depends(algo, i) || depends(other, i)))
      return fail(VAT_USAGE, "%s of which %s? give --%s: %s",
                  (depends(algo, i) ? algo : other)->name, row->name, row->name,
                  row->help);
    if (given && i >= TMM_T1)
      return fail(VAT_USAGE,
                  "--%s: the algorithm's formula gives it; use the option only "
                  "with vat model tmm program",
                  row->name);
    if (given && size && !depends(algo, i) && !depends(other, i))
      return fail(VAT_USAGE, "--%s: %s does not depend on it; leave it out",
                  row->name, algo->name);
  }
  return VAT_OK;
}

const char *const tmm_term_names[TMM_TERMS] = {
    [TMM_WORK] = "work", [TMM_SPAN] = "span", [TMM_MEMORY] = "memory"};

size_t tmm_points_count(const struct tmm_request *request) {
  size_t beyond, count = numbers_combinations(request->given, TMM_OPTIONS,
                                              1000000, &beyond);
  if (!count)
    fail(VAT_USAGE, "--%s: over a million combinations",
         tmm_option_rows[beyond].name);
  return count;
}

int tmm_point_at(const struct tmm_request *request,
                 const struct tmm_machine *machine, size_t place,
                 struct tmm_point *point) {
  struct tmm_machine *m = &point->machine;
  double *value = point->value;
  double *const of_machine[] = {&m->L, &m->P, &m->C, &m->Z, &m->Q, &m->X};
  *m = *machine;
  for (int i = 0; i < TMM_OPTIONS; i++) value[i] = NAN;
  value[TMM_S] = TMM_LOCAL_WORDS;
  for (int i = TMM_L; i <= TMM_X; i++) value[i] = *of_machine[i - TMM_L];
  numbers_combine(request->given, TMM_OPTIONS, place, value);
  for (int i = TMM_L; i <= TMM_X; i++) *of_machine[i - TMM_L] = value[i];
  point->at = (struct tmm_at){value[TMM_N], value[TMM_M], value[TMM_K],
                              value[TMM_THREADS], m};
  if (!isnan(value[TMM_L])) return VAT_OK;
  return fail(VAT_USAGE,
              "--arch: the record of %s does not have L; give --L, the cycles "
              "of an access to its global memory",
              machine->title);
}

int tmm_point_program(const struct tmm_point *point,
                      const struct tmm_algo *algo,
                      struct tmm_program *program) {
  const double *value = point->value;
  *program = tmm_algo_program(algo, &point->at);
  program->S = value[TMM_S];
  for (int i = TMM_N; i <= TMM_K; i++)
    if (strchr(algo->sizes, *tmm_option_rows[i].name) && value[i] < 1)
      return fail(VAT_USAGE, "--%s %g: it must be at least 1",
                  tmm_option_rows[i].name, value[i]);
  if (strcmp(algo->sizes, "nm") || value[TMM_M] <= value[TMM_N] * value[TMM_N])
    return VAT_OK;
  return fail(VAT_USAGE,
              "--m %g: too many edges; a graph of %g vertices has at most %g",
              value[TMM_M], value[TMM_N], value[TMM_N] * value[TMM_N]);
}

static bool varies(const struct tmm_request *request, enum tmm_option option) {
  return request->given[option].count > 1;
}

void tmm_print_machine(const struct tmm_request *request,
                       const struct tmm_point *point) {
  const char *gap = ":";
  printf("on a %s", point->machine.title);
  for (int i = TMM_L; i <= TMM_X; i++) {
    if (varies(request, i)) continue;
    printf("%s %s %s", gap, tmm_option_rows[i].name,
           NUMBER_TEXT(point->value[i]));
    gap = ",";
  }
  putchar('\n');
}

static bool stands(const struct tmm_request *request, enum tmm_option option) {
  bool size = option <= TMM_K && request->given[option].count;
  return size || varies(request, option);
}

void tmm_print_place(const struct tmm_request *request,
                     const struct tmm_point *point) {
  for (int i = 0; i < TMM_OPTIONS; i++) {
    if (i != TMM_THREADS && stands(request, i))
      printf("%10s ",
             point ? NUMBER_TEXT(point->value[i]) : tmm_option_rows[i].name);
  }
}

void tmm_json_place(const struct tmm_request *request,
                    const struct tmm_point *point, json_t *object) {
  for (int i = 0; i < TMM_T1; i++)
    if (i != TMM_THREADS && (i >= TMM_S || stands(request, i)))
      model_json_add(object, tmm_option_rows[i].name, point->value[i]);
}
