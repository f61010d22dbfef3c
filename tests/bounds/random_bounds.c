/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/bounds/random_bounds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cpu_algos/algo.h"
#include "experiments/cli/memory.h"
#include "experiments/predict/predict.h"

enum {
  INDEX_BITS = 9,
  PAGE_BITS = 16,
  ADDRESS_BITS = 62,
  BASE_MULTIPLE = 64, /* as vat predict requires */
  CELLS = 4,          /* values of W for a stream */
  ARGUMENTS = 10,
  TEXT = 128 /* of one argument */
};

const char *const random_bounds_policies[RANDOM_BOUNDS_POLICIES] = {
    "lru", "islru", "min", "ismin"};

struct draw {
  const struct algo *algo;
  const char *policy;
  uint64_t n, seed, base;
  struct vat_tree tree;
  uint64_t nodes[CELLS];
};

void random_bounds_init(struct random_bounds *all, uint64_t seed,
                        int lg_operations) {
  *all =
      (struct random_bounds){.random = {seed}, .lg_operations = lg_operations};
  while (predict_forms[all->forms].algo) all->forms++;
  all->counts = memory_zeroed(all->forms, sizeof *all->counts);
}

/* Of 0..1. */
static double share(struct cpu_random *random) {
  return ldexp((double)(cpu_random_next(random) >> 11), -53);
}

/* The largest input of so many operations, more often many than few; in a
 * quarter of all cases on either side of a power of two. */
static uint64_t random_size(struct cpu_random *random, const struct algo *algo,
                            int lg_operations) {
  double most = exp2(lg_operations * sqrt(share(random)));
  uint64_t n = 0;
  for (uint64_t step = UINT64_C(1) << lg_operations; step; step /= 2)
    if (algo->ram_ops(n + step) <= most) n += step;
  if (n > 1 && !cpu_random_below(random, 4))
    n = (UINT64_C(1) << ilogb((double)n)) + cpu_random_below(random, 3) - 1;
  return cpu_algo_fit(algo, n);
}

/* Anywhere, or across the end of a subtree: an address with one bit set. */
static uint64_t random_base(struct cpu_random *random, uint64_t bytes) {
  uint64_t bits = cpu_random_below(random, ADDRESS_BITS + 1);
  uint64_t base = UINT64_C(1) << bits, before = cpu_random_below(random, bytes);
  if (cpu_random_below(random, 4))
    base = cpu_random_below(random, base);
  else
    base = base > before ? base - before : 0;
  return base / BASE_MULTIPLE * BASE_MULTIPLE;
}

/* A tree that holds the workspace, half of the time with levels to spare. */
static void random_tree(struct cpu_random *random, struct draw *d) {
  uint64_t bytes = d->algo->bytes(d->n);
  struct vat_tree *tree = &d->tree;
  unsigned least;
  uint64_t page;
  do {
    d->base = random_base(random, bytes);
    tree->index_bits = 1 + (unsigned)cpu_random_below(random, INDEX_BITS);
    tree->page_bits = (unsigned)cpu_random_below(random, PAGE_BITS + 1);
    page = (d->base + bytes - 1) >> tree->page_bits;
    tree->levels = least = vat_tree_levels_for(tree->index_bits, page);
  } while (least > VAT_LEVELS_MAX || !vat_tree_holds(tree, page));
  if (cpu_random_below(random, 2))
    tree->levels +=
        (unsigned)cpu_random_below(random, VAT_LEVELS_MAX + 1 - least);
}

/* The least W, and others up to where nothing is missed twice. */
static void random_nodes(struct cpu_random *random, struct draw *d) {
  double words = (double)d->algo->bytes(d->n) / 8;
  double pages = fmin(words, ldexp(words * 8, -(int)d->tree.page_bits));
  double most = log2(2 * pages + d->tree.levels + 1);
  for (size_t i = 0; i < CELLS; i++)
    d->nodes[i] =
        d->tree.levels + (i ? (uint64_t)exp2(most * share(random)) : 1);
}

/* The command line, --tc-nodes last. */
static void print_arguments(const struct draw *d, char texts[ARGUMENTS][TEXT]) {
  snprintf(texts[0], TEXT, "vat predict");
  snprintf(texts[1], TEXT, "--algo=%s", d->algo->name);
  snprintf(texts[2], TEXT, "--n=%" PRIu64, d->n);
  snprintf(texts[3], TEXT, "--seed=%" PRIu64, d->seed);
  snprintf(texts[4], TEXT, "--base=0x%" PRIx64, d->base);
  snprintf(texts[5], TEXT, "--policy=%s", d->policy);
  snprintf(texts[6], TEXT, "--index-bits=%u", d->tree.index_bits);
  snprintf(texts[7], TEXT, "--page-bits=%u", d->tree.page_bits);
  snprintf(texts[8], TEXT, "--levels=%u", d->tree.levels);
  int used = snprintf(texts[9], TEXT, "--tc-nodes=");
  for (size_t i = 0; i < CELLS; i++)
    used += snprintf(texts[9] + used, TEXT - (size_t)used, "%s%" PRIu64,
                     i ? "," : "", d->nodes[i]);
}

/* The command line that repeats the case. */
static void print_command(const struct draw *d, uint64_t nodes) {
  char texts[ARGUMENTS][TEXT];
  print_arguments(d, texts);
  for (size_t i = 0; i < ARGUMENTS - 1; i++)
    printf("%s%s", i ? " " : "\n", texts[i]);
  printf(" --tc-nodes=%" PRIu64 "\n", nodes);
}

/* Does a form of the source hold, if it is said to and has a value here? */
static bool printed_holds(const struct predict_printed *form,
                          const struct prediction *p) {
  const double slack = 1e-12;
  enum predict_status status = predict_printed_status(form, p->of.policy);
  double value = form->value ? form->value(&p->of) : INFINITY;
  double misses = (double)p->misses;
  if (status == PREDICT_ASYMPTOTIC || status == PREDICT_REFUTED ||
      !isfinite(value))
    return true;
  return strcmp(form->side, "lower") ? misses <= value * (1 + slack)
                                     : value * (1 - slack) <= misses;
}

static void judge_printed(const struct draw *d,
                          const struct predict_printed *form,
                          const struct prediction *p,
                          struct random_bounds_count *count) {
  if (printed_holds(form, p)) return;
  count->violations++;
  print_command(d, p->of.nodes);
  printf("  %s: %s = %.0f, but %" PRIu64 " misses\n", form->side, form->form,
         form->value(&p->of), p->misses);
}

static void judge(const struct draw *d, const struct predict_form *form,
                  const struct prediction *p,
                  struct random_bounds_count *count) {
  count->cases++;
  count->open += !isfinite(p->upper);
  for (const struct predict_printed *f = form->printed; f->side; f++)
    judge_printed(d, f, p, count);
  if (predict_is_within(p)) return;
  count->violations++;
  print_command(d, p->of.nodes);
  printf("  %.0f <= %" PRIu64 " <= %.0f does not hold\n", p->lower, p->misses,
         p->upper);
}

static int evaluate(const struct draw *d, struct random_bounds_count *count) {
  char texts[ARGUMENTS][TEXT], *argv[ARGUMENTS + 1] = {0};
  struct predict_request request;
  struct prediction predictions[CELLS] = {0};
  print_arguments(d, texts);
  for (size_t i = 0; i < ARGUMENTS; i++) argv[i] = texts[i];
  int code = predict_request_parse(&request, ARGUMENTS, argv);
  if (!code) code = predict_evaluate(&request, predictions);
  for (size_t i = 0; !code && i < request.nodes.count; i++)
    judge(d, request.form, &predictions[i], count);
  options_fini(&predict_table, &request);
  return code ? -1 : 0;
}

int random_bounds_draw(struct random_bounds *all) {
  size_t form = all->draws % all->forms;
  size_t policy = all->draws++ / all->forms % RANDOM_BOUNDS_POLICIES;
  struct draw d = {.algo = cpu_algo_find(predict_forms[form].algo),
                   .policy = random_bounds_policies[policy],
                   .seed = cpu_random_next(&all->random)};
  d.n = random_size(&all->random, d.algo, all->lg_operations);
  random_tree(&all->random, &d);
  random_nodes(&all->random, &d);
  return evaluate(&d, &all->counts[form][policy]);
}

struct random_bounds_count random_bounds_sum(const struct random_bounds *all) {
  struct random_bounds_count sum = {0};
  for (size_t i = 0; i < all->forms; i++)
    for (size_t p = 0; p < RANDOM_BOUNDS_POLICIES; p++) {
      sum.cases += all->counts[i][p].cases;
      sum.open += all->counts[i][p].open;
      sum.violations += all->counts[i][p].violations;
    }
  return sum;
}
