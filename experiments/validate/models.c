/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/models.h"

#include <math.h>
#include <string.h>

enum { SETS, STREAMS, FLIGHT, GRANULARITY, TABLES, WALKS };

const struct term terms[] = {
    [SETS] = {"sets",
              "lines fall into a cache's sets at random, so that some are gone "
              "before it is full; without: all within its size stay"},
    [STREAMS] = {"streams",
                 "lines of streams at the bandwidth measured; without: each "
                 "as any other line"},
    [FLIGHT] = {"in-flight", "so many misses at once, and no more"},
    [GRANULARITY] = {"granularity",
                     "an entry of a TLB maps what calibration saw; without: "
                     "a page as asked for"},
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
  return costs->stepped[REUSE_OTHER].wait + costs->stepped[REUSE_STREAM].wait;
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

static double predict_full(const struct costs *costs,
                           const struct fitted *fitted, unsigned without) {
  const struct costs_lines *classes =
      has(without, SETS) ? costs->spread : costs->stepped;
  struct costs_lines lines = classes[REUSE_OTHER];
  const struct costs_translation *translation =
      has(without, GRANULARITY) ? &costs->measured : &costs->asked;
  double time = fitted->c, wait, walk;
  if (has(without, STREAMS)) {
    time += fmax(0, costs->streams - fitted->c);
  } else {
    lines.wait += classes[REUSE_STREAM].wait;
    lines.flight += classes[REUSE_STREAM].flight;
  }
  wait = lines.wait + translation->tlb;
  if (has(without, TABLES)) wait += translation->table;
  wait *= fitted->overlap;
  walk = fitted->overlap * translation->walk;
  if (has(without, FLIGHT)) wait = fmax(wait, lines.flight);
  if (has(without, WALKS)) walk = fmax(walk, translation->walk_flight);
  return time + wait + walk;
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
