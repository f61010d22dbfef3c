/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/models.h"

#include <math.h>
#include <string.h>

enum { SETS, NEIGHBOURS, STREAMS, FLIGHT, GRANULARITY, RANDOM, TABLES, WALKS };

const struct term terms[] = {
    [SETS] = {"sets",
              "lines fall into a cache's sets at random, so that some are gone "
              "before it is full; without: all within its size stay"},
    [NEIGHBOURS] = {"neighbours",
                    "others bring lines into the last cache all the time, and "
                    "what comes back late is gone; without: nobody does"},
    [STREAMS] = {"streams",
                 "lines of streams at the bandwidth measured; without: each "
                 "as any other line"},
    [FLIGHT] = {"in-flight",
                "lines no faster than those of random reads that wait for "
                "nothing"},
    [GRANULARITY] = {"granularity",
                     "an entry of a TLB maps what calibration saw; without: "
                     "a page as asked for"},
    [RANDOM] = {"random-tlb",
                "the last TLB makes room at random; without: for what was used "
                "least recently"},
    [TABLES] = {"table-lines",
                "lines of page tables are data in the caches; without: always "
                "at hand"},
    [WALKS] = {"walk-overlap", "so many walks at once, and no more"},
    {0}};

unsigned term_find(const char *name) {
  for (unsigned i = 0; terms[i].name; i++)
    if (!strcmp(terms[i].name, name)) return 1u << i;
  return 0;
}

static bool has(unsigned without, int term) { return !(without >> term & 1); }

static double lines_wait(const struct costs *costs) {
  const double *lines = costs->waits->stepped;
  return lines[REUSE_OTHER] + lines[REUSE_STREAM];
}

static double predict_ram(const struct costs *costs,
                          const struct fitted *fitted, unsigned without) {
  (void)costs, (void)without;
  return fitted->c;
}

static double predict_em(const struct costs *costs, const struct fitted *fitted,
                         unsigned without) {
  (void)without;
  return fitted->c + fitted->overlap * lines_wait(costs);
}

static double predict_vat(const struct costs *costs,
                          const struct fitted *fitted, unsigned without) {
  (void)without;
  return fitted->c + fitted->overlap * costs->vat;
}

static double predict_em_vat(const struct costs *costs,
                             const struct fitted *fitted, unsigned without) {
  (void)without;
  return fitted->c + fitted->overlap * (lines_wait(costs) + costs->vat);
}

static const struct costs_translation *translation_of(
    const struct costs_waits *waits, unsigned without) {
  const struct costs_translation *tlbs =
      has(without, GRANULARITY) ? waits->measured : waits->asked;
  return &tlbs[has(without, RANDOM) ? COSTS_RANDOM : COSTS_LRU];
}

/* The share of translations that is not in the time of streams already. */
static double unstreamed(const struct costs_translation *translation,
                         unsigned without) {
  if (!has(without, STREAMS) || !(translation->walk > 0)) return 1;
  return 1 - translation->streamed / translation->walk;
}

/* Either accesses wait for each other, or they come as fast as the machine can
 * do.  Streams go on beside both, and beside computing. */
static double full_at(const struct costs *costs,
                      const struct costs_waits *waits,
                      const struct fitted *fitted, unsigned without) {
  const double *lines = has(without, SETS) ? waits->spread : waits->stepped;
  const struct costs_translation *translation = translation_of(waits, without);
  double streams = 0, best = 0;
  double walks = translation->tlb + translation->walk;
  if (has(without, STREAMS)) streams = fmax(0, costs->streams - fitted->c);
  if (has(without, TABLES)) walks += translation->table;
  walks *= unstreamed(translation, without);
  double wait = walks + lines[REUSE_OTHER];
  if (!has(without, STREAMS)) wait += lines[REUSE_STREAM];
  if (has(without, FLIGHT)) best = fmax(best, costs->best);
  if (has(without, WALKS)) {
    /* At best nobody has time to take anything. */
    translation = translation_of(costs->waits, without);
    double at_once = translation->walk_best;
    if (has(without, TABLES)) at_once += translation->table_best;
    best = fmax(best, at_once * unstreamed(translation, without));
  }
  return streams + fmax(fitted->c + fitted->overlap * wait, best);
}

enum { ROUNDS = 64 };

/* What others bring into the last cache is as much as an operation takes time,
 * and that is as long as they leave it: from nothing of theirs up, to the first
 * time that fits. */
static double predict_full(const struct costs *costs,
                           const struct fitted *fitted, unsigned without) {
  double ns = full_at(costs, costs->waits, fitted, without), before = 0;
  if (!has(without, NEIGHBOURS)) return ns;
  for (int i = 0; i < ROUNDS && ns - before > 1e-5 * ns; i++) {
    struct costs_waits waits =
        costs_waits_at(costs, costs_share_left(costs, ns));
    before = ns;
    ns = full_at(costs, &waits, fitted, without);
  }
  return ns;
}

static const struct model ram = {.name = "ram",
                                 .title = "RAM",
                                 .summary = "an operation takes c",
                                 .predict = predict_ram};
static const struct model em = {.name = "em",
                                .title = "EM",
                                .summary = "and cache misses their latencies",
                                .waits = true,
                                .predict = predict_em};
static const struct model vat = {
    .name = "vat",
    .title = "VAT",
    .summary = "and misses of the translation cache tau each",
    .waits = true,
    .predict = predict_vat};
static const struct model em_vat = {.name = "em_vat",
                                    .title = "EM+VAT",
                                    .summary = "and both",
                                    .waits = true,
                                    .predict = predict_em_vat};
const struct model model_full = {.name = "full",
                                 .title = "FULL",
                                 .summary = "EM+VAT with the physical terms",
                                 .waits = true,
                                 .predict = predict_full};

const struct model *const models[] = {&ram,    &em,         &vat,
                                      &em_vat, &model_full, NULL};

size_t model_find(const char *name) {
  size_t i = 0;
  while (strcmp(models[i]->name, name)) i++;
  return i;
}
