/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/models.h"

#include <math.h>

enum {
  SETS,
  NEIGHBOURS,
  STREAMS,
  FLIGHT,
  GRANULARITY,
  RANDOM,
  TABLES,
  WALKS,
  ELEMENTS
};

const struct term terms[] = {
    [SETS] = {"sets",
              "lines map to random sets of a cache, so that some are evicted "
              "before the cache is full; without it, all lines stay that fit"},
    [NEIGHBOURS] = {"neighbours",
                    "other programs load lines into the last-level cache and "
                    "evict lines that are reused late; without it, none do"},
    [STREAMS] = {"streams",
                 "lines of streams arrive at the measured bandwidth; without "
                 "it, each costs as much as any other line"},
    [FLIGHT] = {"in-flight",
                "lines arrive no faster than those of independent random "
                "reads"},
    [GRANULARITY] = {"granularity",
                     "a TLB entry maps as much as the calibration measured; "
                     "without it, one page of the requested size"},
    [RANDOM] = {"random-tlb",
                "the last-level TLB evicts at random; without it, the least "
                "recently used entry"},
    [TABLES] = {"table-lines",
                "page-table entries are loaded through the caches; without it, "
                "they cost nothing"},
    [WALKS] = {"walk-overlap", "a limited number of walks run at once"},
    [ELEMENTS] = {"elements",
                  "an element takes time once, beside that of its operations; "
                  "without it, only operations take time"},
    {0}};

static bool has(unsigned without, int term) { return !(without >> term & 1); }

bool models_fit_elements(enum model_place model, unsigned without) {
  return model == MODEL_FULL && has(without, ELEMENTS);
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
  double streams = 0, best = 0, work = fitted->c;
  double walks = translation->tlb + translation->walk;
  if (has(without, ELEMENTS)) work += fitted->element * costs->elements;
  if (has(without, STREAMS)) streams = fmax(0, costs->streams - work);
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
  return streams + fmax(work + fitted->overlap * wait, best);
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

const struct model models[MODELS] = {
    [MODEL_RAM] = {"ram", "RAM", false, false},
    [MODEL_EM] = {"em", "EM", true, false},
    [MODEL_VAT] = {"vat", "VAT", false, true},
    [MODEL_EM_VAT] = {"em_vat", "EM+VAT", true, true},
    [MODEL_FULL] = {"full", "FULL", true, true},
};

double model_predict(enum model_place place, const struct costs *costs,
                     const struct fitted *fitted, unsigned without) {
  const struct model *model = &models[place];
  const double *lines = costs->waits->stepped;
  double wait = 0;
  if (place == MODEL_FULL) return predict_full(costs, fitted, without);
  if (model->lines) wait += lines[REUSE_OTHER] + lines[REUSE_STREAM];
  if (model->vat) wait += costs->vat;
  return fitted->c + fitted->overlap * wait;
}
