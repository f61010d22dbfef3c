/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Put the data that algorithms work on into a plan, and write the answer. */
#include <errno.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/output_path.h"
#include "experiments/run/driver.h"

static void add_generator(struct plan *plan, const struct plan_entry *of,
                          const char *generator) {
  plan_add(plan, of->algo, &of->sizes);
  if (generator != of->algo->generators[0])
    plan->entries[plan->count - 1].generator = generator;
}

static void add_generators(struct plan *plan, const struct plan_entry *of) {
  const char *const *name = of->algo->generators;
  if (!name) plan_add(plan, of->algo, &of->sizes);
  for (; name && *name; name++) add_generator(plan, of, *name);
}

/* The entries of a plan from `first` on are made of one of another. */
struct choice {
  struct plan *plan;
  const struct plan_entry *of;
  size_t first;
};

static int take_generator(void *at, const char *option, const char *name) {
  const struct choice *c = at;
  const struct algo *algo = c->of->algo;
  const char *generator = cpu_algo_generator(algo, name);
  if (!generator)
    return fail(VAT_USAGE, "--generator %.64s: %s has %.300s", name, algo->name,
                algo->generators ? NAMES_OF(algo->generators)
                                 : "one kind of input only");
  add_generator(c->plan, c->of, generator);
  const struct plan_entry *entries = c->plan->entries;
  for (size_t i = c->first; i + 1 < c->plan->count; i++)
    if (entries[i].generator == entries[c->plan->count - 1].generator)
      return fail(VAT_USAGE, "--%s %s is named twice", option, generator);
  return VAT_OK;
}

/* Let each algorithm of the plan, which has none yet, run on the kinds of input
 * of the comma-separated `list`, or on "all" that it has: an entry each, side
 * by side. */
static int choose_generators(const char *list, struct plan *plan) {
  struct plan before = {.entries = plan->entries, .count = plan->count};
  int code = VAT_OK;
  plan->entries = NULL;
  plan->count = 0;
  for (size_t i = 0; !code && i < before.count; i++) {
    struct choice choice = {plan, &before.entries[i], plan->count};
    if (!strcmp(list, "all"))
      add_generators(plan, choice.of);
    else
      code = option_items(&choice, "generator", list, take_generator);
  }
  plan_fini(&before);
  return code;
}

/* Is it named where it is taken, and only there? */
static int check_queries(const struct data_options *options,
                         const struct data_kind *kind,
                         const struct algo *algo) {
  if (options->queries && !kind->read_queries)
    return fail(VAT_USAGE, "--queries: %s seeks nothing", algo->name);
  if (!options->queries && kind->read_queries)
    return fail(
        VAT_USAGE, "--input: %s also takes %s", algo->name,
        kind->seeks ? kind->seeks : "queries; name a file with --queries");
  if (!options->queries || strcmp(options->queries, "-") != 0 ||
      strcmp(options->input, "-") != 0)
    return VAT_OK;
  return fail(VAT_USAGE,
              "--input and --queries: only one of them can be standard input");
}

static int read_input(const struct data_options *options, struct data *data,
                      struct plan *plan) {
  char error[DATA_ERROR];
  const char *path = options->input;
  struct plan_entry *entry = plan->entries;
  const struct algo *algo = entry->algo;
  const struct data_kind *kind = algo->data ? data_kind_find(algo->data) : NULL;
  if (!kind)
    return fail(VAT_USAGE,
                "--input: %s does not read data from a file; leave --input out",
                algo->name);
  int code = check_queries(options, kind, algo);
  if (code) return code;
  if (data_read(data, kind, path, options->queries, error))
    return fail(errno == ENOMEM ? VAT_ABSENT : VAT_USAGE, "%s", error);
  /* What is too large for it may take long to look through: that is told of it
   * later (plan.h). */
  bool fits = cpu_algo_bytes(algo, cpu_given_n(data->part), data->part) > 0;
  const char *refused = fits && algo->refuse ? algo->refuse(data->part) : NULL;
  if (refused)
    return fail(VAT_USAGE, "%s%s%s: not for %s: %s", path,
                options->queries ? " and " : "",
                options->queries ? options->queries : "", algo->name, refused);
  plan->given = data->part;
  sample_variant_name(&plan->variant,
                      strcmp(path, "-") ? path : "standard input");
  plan->variant.bytes = data->bytes;
  plan->variant.hash = data->hash;
  entry->sizes.at[0] = cpu_given_n(data->part); /* plan_add() made room */
  entry->sizes.count = 1;
  return VAT_OK;
}

int data_into_plan(const struct data_options *options, bool sized,
                   struct data *data, struct plan *plan) {
  if (!options->input && options->queries)
    return fail(VAT_USAGE,
                "--queries: there is no text to search; name one with --input");
  if (!options->input)
    return options->generator ? choose_generators(options->generator, plan)
                              : VAT_OK;
  if (plan->count != 1)
    return fail(VAT_USAGE, "--input: name exactly one algorithm");
  if (sized)
    return fail(
        VAT_USAGE,
        "--input and --sizes: the file sets the size; leave --sizes out");
  if (options->generator)
    return fail(VAT_USAGE,
                "--input and --generator exclude each other; leave one out");
  return read_input(options, data, plan);
}

static bool same_generators(const struct plan *a, const struct plan *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; same && i < a->count; i++)
    same = a->entries[i].generator == b->entries[i].generator;
  return same;
}

int data_resume(const struct data_options *options, const struct plan *made,
                struct plan *plan, const char *path) {
  const struct sample_variant *old = &plan->variant, *new = &made->variant;
  if (*old->file && !options->input)
    return fail(VAT_USAGE,
                "%s: was started with --input %s; give the same --input again",
                path, old->file);
  if (options->input && !*old->file)
    return fail(VAT_USAGE,
                "%s: was started without --input; leave the option out, or "
                "choose another -o",
                path);
  if (options->input && !sample_variant_same_input(old, new))
    return fail(VAT_USAGE,
                "--input %s: %s was started with another input (%s, %llu "
                "bytes); choose another -o",
                options->input, path, old->file,
                (unsigned long long)old->bytes);
  if (options->generator && !same_generators(plan, made))
    return fail(
        VAT_USAGE,
        "%s: was started with a different --generator; leave the option "
        "out, or choose another -o",
        path);
  plan->given = made->given;
  return VAT_OK;
}

int data_check_output(const struct data_options *options,
                      const struct plan *plan, const char *results) {
  char error[DATA_ERROR];
  const struct plan_entry *entry = plan->entries;
  if (!options->output) return VAT_OK;
  if (plan->count != 1 || entry->sizes.count != 1)
    return fail(VAT_USAGE,
                "--output: needs one algorithm and one size; name them, the "
                "size by --input or --sizes");
  if (!entry->algo->data || !data_kind_find(entry->algo->data))
    return fail(VAT_USAGE, "--output: %s has no answer to write",
                entry->algo->name);
  if (results && output_path_same(options->output, results))
    return fail(
        VAT_USAGE,
        "--output %s: is also the results file (-o); choose another file",
        options->output);
  if (data_write_try(options->output, error))
    return fail(fail_code(errno), "%s", error);
  return VAT_OK;
}

int data_write_answer(const struct data_options *options,
                      struct driver *driver) {
  char error[DATA_ERROR];
  struct algo_data answer = {0};
  if (!options->output) return VAT_OK;
  const char *name = driver->plan->entries[0].algo->data;
  int code = driver_answer(driver, &answer);
  if (code) return code;
  progress_clear(&driver->progress);
  if (!data_write(data_kind_find(name), &answer, options->output, error))
    return VAT_OK;
  /* Stopped: who did it need not be told. */
  return interrupt_pending() ? VAT_FAILED : fail(fail_code(errno), "%s", error);
}
