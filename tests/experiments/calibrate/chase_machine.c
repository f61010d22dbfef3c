/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/calibrate/chase_machine.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double GROWTH = 1.3;
enum { BASE = 4096, LINE = 64, HUGE_STEP = 2 << 20, REPS = 5 };
enum { TIMED = 10000, CACHES = 3, TLBS = 2, POINTS = 4 };

/* Caches, or TLBs, that see the same accesses: each holds what was used last,
 * so that each is the head of one list, newest first, of ids 1..; 0 is its end.
 */
struct lru {
  struct {
    unsigned prev, next;
    unsigned held; /* above `none`: by how many levels, the last ones */
  } * id;
  size_t ids;
  unsigned none;
  unsigned levels, capacity[3], last[3]; /* of a level; 0: it is not full */
  unsigned count;
};

/* Empty, with room for ids up to `most`. */
static void lru_reset(struct lru *lru, size_t most) {
  lru->none += lru->levels;
  if (most >= lru->ids) {
    free(lru->id);
    lru->ids = 2 * most + 1;
    lru->id = calloc(lru->ids, sizeof *lru->id);
    if (!lru->id) abort();
  }
  lru->id[0].prev = lru->id[0].next = lru->count = 0;
  for (unsigned i = 0; i < lru->levels; i++) lru->last[i] = 0;
}

static void lru_remove(struct lru *lru, unsigned id) {
  lru->id[lru->id[id].prev].next = lru->id[id].next;
  lru->id[lru->id[id].next].prev = lru->id[id].prev;
}

static void lru_insert(struct lru *lru, unsigned id) {
  lru->id[id].next = lru->id[0].next;
  lru->id[id].prev = 0;
  lru->id[id].held = lru->none + lru->levels;
  lru->id[lru->id[0].next].prev = id;
  lru->id[0].next = id;
}

/* The first level it was in, or how many there are; now it is the newest, and
 * the last of each level before goes to the next. */
static unsigned lru_access(struct lru *lru, unsigned id) {
  unsigned held = lru->id[id].held, level = lru->levels;
  if (held > lru->none) level -= held - lru->none;
  if (lru->id[0].next == id) return level;
  if (level < lru->levels) {
    if (lru->last[level] == id) lru->last[level] = lru->id[id].prev;
    lru_remove(lru, id);
  }
  lru_insert(lru, id);
  for (unsigned i = 0; i < level; i++) {
    unsigned last = lru->last[i];
    if (!last) {
      if (++lru->count == lru->capacity[i]) lru->last[i] = lru->id[0].prev;
      break;
    }
    lru->last[i] = lru->id[last].prev;
    if (--lru->id[last].held == lru->none) lru_remove(lru, last);
  }
  return level;
}

struct state {
  const struct chase_machine *machine;
  const struct chase_pages *pages;
  struct lru caches, tlbs;
  uint64_t random;
};

static uint64_t draw(uint64_t *random) {
  *random ^= *random << 13;
  *random ^= *random >> 7;
  *random ^= *random << 17;
  return *random >> 8;
}

static double uniform(struct state *s) {
  return ldexp((double)draw(&s->random), -56);
}

struct cost {
  double data, translation;
};

/* One access to spot `at` of `count`. */
static void step(struct state *s, uint64_t at, uint64_t count,
                 double step_bytes, struct cost *cost) {
  const struct chase_pages *pages = s->pages;
  double address = (double)at * step_bytes;
  unsigned entry = 1 + (unsigned)(address / pages->entry_bytes);
  unsigned level = lru_access(&s->caches, 1 + (unsigned)at);
  cost->data += s->machine->level_ns[level];
  unsigned missed = lru_access(&s->tlbs, entry);
  for (unsigned i = 0; i < missed; i++) cost->translation += pages->tlb_ns[i];
  if (missed < TLBS) return;
  uint64_t lines = 1 + (uint64_t)((double)count * step_bytes / BASE / 8);
  for (unsigned t = 0; t < pages->tables; t++) {
    uint64_t line = count + t * lines + (uint64_t)(address / BASE / 8);
    level = lru_access(&s->caches, 1 + (unsigned)line);
    cost->translation += s->machine->table_ns[level];
  }
}

/* Mean costs of random accesses to `count` spots. */
static struct cost simulate(struct state *s, uint64_t count,
                            double step_bytes) {
  double bytes = (double)count * step_bytes;
  uint64_t random = draw(&s->random) | 1;
  struct cost cost = {0};
  lru_reset(&s->caches,
            count + s->pages->tables * (2 + (size_t)(bytes / BASE / 8)));
  lru_reset(&s->tlbs, 1 + (size_t)(bytes / s->pages->entry_bytes));
  /* Once each, and then at random until all that the caches held is gone: lines
   * of tables stay longer than those of data, as they are used more often. */
  uint64_t lines = (uint64_t)(s->machine->cache_bytes[2] / LINE);
  uint64_t sweep = count < lines ? count : lines;
  uint64_t warm = 3 * count < lines ? 3 * count : lines;
  for (uint64_t i = count - sweep; i < count; i++)
    step(s, i, count, step_bytes, &cost);
  for (uint64_t i = 0; i < warm; i++)
    step(s, draw(&random) % count, count, step_bytes, &cost);
  cost = (struct cost){0};
  for (int i = 0; i < TIMED; i++)
    step(s, draw(&random) % count, count, step_bytes, &cost);
  return (struct cost){cost.data / TIMED, cost.translation / TIMED};
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A point of five repetitions, each off by noise: the median of what is off
 * either way. */
static struct cal_point noisy(struct state *s, double x, double ns) {
  double reps[REPS];
  for (int r = 0; r < REPS; r++) {
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += uniform(s); /* about normal */
    reps[r] = ns * (1 + s->machine->noise * sum);
  }
  qsort(reps, REPS, sizeof *reps, compare);
  return (struct cal_point){x, reps[REPS / 2], reps[0], reps[REPS - 1]};
}

static struct cal_curve *new_curve(struct calibration *cal, const char *name,
                                   const char *kind, double step_bytes,
                                   unsigned chains) {
  cal->curves =
      realloc(cal->curves, (cal->curve_count + 1) * sizeof *cal->curves);
  if (!cal->curves) abort();
  struct cal_curve *curve = &cal->curves[cal->curve_count++];
  *curve = (struct cal_curve){.by_pages = step_bytes > LINE,
                              .step_bytes = step_bytes,
                              .chains = chains};
  snprintf(curve->name, sizeof curve->name, "%s", name);
  snprintf(curve->pages, sizeof curve->pages, "%s", kind);
  curve->points = calloc(128, sizeof *curve->points);
  if (!curve->points) abort();
  return curve;
}

static void add_chase(struct state *s, const char *name, double step_bytes,
                      double most_bytes, struct calibration *cal) {
  struct cal_curve *curve = new_curve(cal, name, s->pages->kind, step_bytes, 1);
  for (double at = 8; at <= most_bytes / step_bytes; at *= GROWTH) {
    uint64_t count = (uint64_t)at;
    if (curve->count && curve->points[curve->count - 1].x >= (double)count)
      continue;
    struct cost cost = simulate(s, count, step_bytes);
    curve->points[curve->count++] =
        noisy(s, (double)count, cost.data + cost.translation);
  }
}

/* Chases of lines; and as many at once as there can be, farther: what is
 * changed goes back, too. */
static void add_lines(struct state *s, struct calibration *cal) {
  static const char *const names[] = {"line_chase", "random_read",
                                      "random_update"};
  double cache = s->machine->cache_bytes[2];
  double chased = fmin(s->machine->most_bytes / 4, 16 * cache);
  for (int i = 0; i < 3; i++) new_curve(cal, names[i], s->pages->kind, LINE, 1);
  struct cal_curve *chase = &cal->curves[cal->curve_count - 3],
                   *read = chase + 1, *update = chase + 2;
  for (double at = 64; at * LINE <= 40 * cache; at *= GROWTH) {
    double x = floor(at) * LINE;
    struct cost cost = simulate(s, (uint64_t)at, LINE);
    double ns = cost.data / s->machine->line_flight;
    if (x <= chased)
      chase->points[chase->count++] = noisy(s, x, cost.data + cost.translation);
    read->points[read->count++] = noisy(s, x, ns);
    update->points[update->count++] = noisy(s, x, 1.5 * ns);
  }
}

/* As many at once as there are chains, up to the limits. */
static void add_chains(struct state *s, const char *name, double step_bytes,
                       const double x[POINTS], struct calibration *cal) {
  static const unsigned chains[] = {1, 4, 16, 32};
  const struct chase_machine *machine = s->machine;
  struct cost cost[POINTS];
  for (unsigned i = 0; i < POINTS; i++)
    cost[i] = simulate(s, (uint64_t)x[i], step_bytes);
  for (unsigned c = 0; c < 4; c++) {
    struct cal_curve *curve =
        new_curve(cal, name, s->pages->kind, step_bytes, chains[c]);
    for (unsigned i = 0; i < POINTS; i++) {
      double all = cost[i].data + cost[i].translation;
      double ns = fmax(all / fmin(chains[c], machine->line_flight),
                       cost[i].translation / machine->walk_flight);
      if (chains[c] == 1) ns = all;
      curve->points[curve->count++] =
          noisy(s, x[i] * (curve->by_pages ? 1 : step_bytes), ns);
    }
  }
}

static void add_stream(struct state *s, const char *name,
                       struct calibration *cal) {
  struct cal_curve *curve = new_curve(cal, name, s->pages->kind, LINE, 1);
  double ns = s->machine->stream_ns;
  for (double x = 4096; x < 1e9; x *= 2)
    curve->points[curve->count++] = noisy(s, x, x > 4e7 ? ns : ns / 4);
}

static void add_kind(struct state *s, struct calibration *cal) {
  static const double lines[POINTS] = {500, 8000, 64000, 1000000};
  static const double steps[POINTS] = {512, 8192, 16384, 65536};
  const struct chase_machine *machine = s->machine;
  struct cal_pages *found = &cal->pages[cal->page_count++];
  *found = (struct cal_pages){.page_bytes = s->pages->page_bytes};
  snprintf(found->kind, sizeof found->kind, "%s", s->pages->kind);
  add_lines(s, cal);
  add_chase(s, "page_chase", BASE, machine->most_bytes, cal);
  add_chase(s, "table_chase", 8 * BASE, machine->most_bytes, cal);
  if (s->pages->page_bytes > BASE)
    add_chase(s, "huge_step_chase", HUGE_STEP, 0x1p33, cal);
  add_chains(s, "line_chains", LINE, lines, cal);
  add_chains(s, "page_chains", BASE, steps, cal);
  add_stream(s, "stream_read", cal);
  add_stream(s, "stream_write", cal);
  add_stream(s, "stream_copy", cal);
}

void chase_machine_curves(const struct chase_machine *machine, unsigned seed,
                          struct calibration *cal) {
  struct state s = {.machine = machine,
                    .caches.levels = CACHES,
                    .tlbs.levels = TLBS,
                    .random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
  *cal = (struct calibration){.level_count = 4};
  for (int i = 0; i < 4; i++) {
    snprintf(cal->levels[i].name, sizeof cal->levels[i].name,
             i < 3 ? "L%d" : "memory", i + 1);
    cal->levels[i].bytes_reported = i < 3 ? machine->cache_bytes[i] : NAN;
  }
  for (int i = 0; i < CACHES; i++)
    s.caches.capacity[i] = (unsigned)(machine->cache_bytes[i] / LINE);
  for (unsigned i = 0; i < machine->kinds; i++) {
    s.pages = &machine->pages[i];
    memcpy(s.tlbs.capacity, s.pages->tlb_entries, sizeof s.pages->tlb_entries);
    add_kind(&s, cal);
  }
  free(s.caches.id);
  free(s.tlbs.id);
}
