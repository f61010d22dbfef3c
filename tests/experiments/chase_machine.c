/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/chase_machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BASE = 4096, LINE = 64, HUGE_STEP = 2 << 20, REPS = 5 };
enum { TIMED = 10000 };

/* What was used last, newest first, of ids 1..; 0 is the end of the list. */
struct lru {
  unsigned *prev, *next, count, capacity;
  char *present;
};

static void lru_init(struct lru *lru, double capacity, size_t ids) {
  *lru = (struct lru){.capacity = (unsigned)capacity};
  lru->prev = calloc(ids + 1, sizeof *lru->prev);
  lru->next = calloc(ids + 1, sizeof *lru->next);
  lru->present = calloc(ids + 1, 1);
  if (!lru->prev || !lru->next || !lru->present) abort();
}

static void lru_fini(struct lru *lru) {
  free(lru->prev);
  free(lru->next);
  free(lru->present);
}

static void lru_remove(struct lru *lru, unsigned id) {
  lru->next[lru->prev[id]] = lru->next[id];
  lru->prev[lru->next[id]] = lru->prev[id];
  lru->present[id] = 0;
  lru->count--;
}

/* Whether it was there; now it is the newest. */
static int lru_access(struct lru *lru, unsigned id) {
  int hit = lru->present[id];
  if (hit) lru_remove(lru, id);
  if (lru->count == lru->capacity) lru_remove(lru, lru->prev[0]);
  lru->next[id] = lru->next[0];
  lru->prev[id] = 0;
  lru->prev[lru->next[0]] = id;
  lru->next[0] = id;
  lru->present[id] = 1;
  lru->count++;
  return hit;
}

struct state {
  const struct chase_machine *machine;
  const struct chase_pages *pages;
  struct lru caches[3], tlbs[2];
  uint64_t random;
};

static uint64_t draw(struct state *s) {
  s->random ^= s->random << 13;
  s->random ^= s->random >> 7;
  s->random ^= s->random << 17;
  return s->random >> 8;
}

static double uniform(struct state *s) { return ldexp((double)draw(s), -56); }

static int found_in(struct state *s, unsigned line) {
  int level = 3;
  for (int i = 2; i >= 0; i--)
    if (lru_access(&s->caches[i], line)) level = i;
  return level;
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
  cost->data += s->machine->level_ns[found_in(s, 1 + (unsigned)at)];
  int missed = 0;
  for (int i = 0; i < 2; i++) {
    if (!pages->tlb_entries[i] || lru_access(&s->tlbs[i], entry)) continue;
    missed++;
  }
  int levels = !!pages->tlb_entries[0] + !!pages->tlb_entries[1];
  for (int i = 0; i < missed; i++) cost->translation += pages->tlb_ns[i];
  if (missed < levels) return;
  uint64_t lines = 1 + (uint64_t)((double)count * step_bytes / BASE / 8);
  for (unsigned t = 0; t < pages->tables; t++) {
    uint64_t line = count + t * lines + (uint64_t)(address / BASE / 8);
    cost->translation += s->machine->table_ns[found_in(s, 1 + (unsigned)line)];
  }
}

/* Mean costs of random accesses to `count` spots. */
static struct cost simulate(const struct chase_machine *machine,
                            const struct chase_pages *pages, uint64_t count,
                            double step_bytes, uint64_t seed) {
  struct state s = {.machine = machine, .pages = pages, .random = seed};
  double bytes = (double)count * step_bytes;
  size_t ids = count + pages->tables * (2 + (size_t)(bytes / BASE / 8));
  struct cost cost = {0};
  for (int i = 0; i < 3; i++)
    lru_init(&s.caches[i], machine->cache_bytes[i] / LINE, ids);
  for (int i = 0; i < 2; i++)
    lru_init(&s.tlbs[i], pages->tlb_entries[i],
             1 + (size_t)(bytes / pages->entry_bytes));
  /* Once each, and then at random until all that the caches held is gone: lines
   * of tables stay longer than those of data, as they are used more often. */
  uint64_t lines = (uint64_t)(machine->cache_bytes[2] / LINE);
  uint64_t sweep = count < lines ? count : lines;
  uint64_t warm = 3 * count < lines ? 3 * count : lines;
  for (uint64_t i = count - sweep; i < count; i++)
    step(&s, i, count, step_bytes, &cost);
  for (uint64_t i = 0; i < warm; i++)
    step(&s, draw(&s) % count, count, step_bytes, &cost);
  cost = (struct cost){0};
  for (int i = 0; i < TIMED; i++)
    step(&s, draw(&s) % count, count, step_bytes, &cost);
  for (int i = 0; i < 3; i++) lru_fini(&s.caches[i]);
  for (int i = 0; i < 2; i++) lru_fini(&s.tlbs[i]);
  return (struct cost){cost.data / TIMED, cost.translation / TIMED};
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A point of five repetitions, each off by noise: the median of what is off
 * either way. */
static struct cal_point noisy(const struct chase_machine *machine, double x,
                              double ns, struct state *s) {
  double reps[REPS];
  for (int r = 0; r < REPS; r++) {
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += uniform(s); /* about normal */
    reps[r] = ns * (1 + machine->noise * sum);
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

static void add_chase(const struct chase_machine *machine,
                      const struct chase_pages *pages, const char *name,
                      double step_bytes, double most_bytes, struct state *s,
                      struct calibration *cal) {
  struct cal_curve *curve = new_curve(cal, name, pages->kind, step_bytes, 1);
  double most = most_bytes / step_bytes, least = step_bytes > LINE ? 8 : 64;
  for (double at = least; at <= most && curve->count < 128; at *= 1.3) {
    uint64_t count = (uint64_t)at;
    struct cost cost = simulate(machine, pages, count, step_bytes, draw(s) | 1);
    double x = (double)count * (curve->by_pages ? 1 : step_bytes);
    if (curve->count && curve->points[curve->count - 1].x >= x) continue;
    curve->points[curve->count++] =
        noisy(machine, x, cost.data + cost.translation, s);
  }
}

/* As many at once as there are chains, up to the limits. */
static void add_chains(const struct chase_machine *machine,
                       const struct chase_pages *pages, const char *name,
                       double step_bytes, const double *x, unsigned points,
                       struct state *s, struct calibration *cal) {
  static const unsigned chains[] = {1, 4, 16, 32};
  for (unsigned c = 0; c < 4; c++) {
    struct cal_curve *curve =
        new_curve(cal, name, pages->kind, step_bytes, chains[c]);
    for (unsigned i = 0; i < points; i++) {
      struct cost cost =
          simulate(machine, pages, (uint64_t)x[i], step_bytes, draw(s) | 1);
      double all = cost.data + cost.translation;
      double ns = fmax(all / fmin(chains[c], machine->line_flight),
                       cost.translation / machine->walk_flight);
      if (chains[c] == 1) ns = all;
      curve->points[curve->count++] =
          noisy(machine, x[i] * (curve->by_pages ? 1 : step_bytes), ns, s);
    }
  }
}

/* As many at once as there can be; what is changed goes back, too. */
static void add_unwaited(const struct chase_machine *machine,
                         const struct chase_pages *pages, struct state *s,
                         struct calibration *cal) {
  double most = 40 * machine->cache_bytes[2];
  new_curve(cal, "random_read", pages->kind, LINE, 1);
  new_curve(cal, "random_update", pages->kind, LINE, 1);
  struct cal_curve *read = &cal->curves[cal->curve_count - 2],
                   *update = read + 1;
  for (uint64_t at = 64; (double)at * LINE <= most; at += at / 2) {
    struct cost cost = simulate(machine, pages, at, LINE, draw(s) | 1);
    double ns = cost.data / machine->line_flight, x = (double)at * LINE;
    read->points[read->count++] = noisy(machine, x, ns, s);
    update->points[update->count++] = noisy(machine, x, 1.5 * ns, s);
  }
}

static void add_stream(const struct chase_machine *machine, const char *name,
                       const char *kind, struct state *s,
                       struct calibration *cal) {
  struct cal_curve *curve = new_curve(cal, name, kind, LINE, 1);
  for (double x = 4096; x < 1e9; x *= 2)
    curve->points[curve->count++] = noisy(
        machine, x, x > 4e7 ? machine->stream_ns : machine->stream_ns / 4, s);
}

static void add_kind(const struct chase_machine *machine,
                     const struct chase_pages *pages, struct state *s,
                     struct calibration *cal) {
  static const double lines[] = {500, 8000, 64000, 1000000};
  static const double steps[] = {512, 8192, 16384, 65536};
  struct cal_pages *found = &cal->pages[cal->page_count++];
  *found = (struct cal_pages){.page_bytes = pages->page_bytes};
  snprintf(found->kind, sizeof found->kind, "%s", pages->kind);
  add_chase(machine, pages, "line_chase", LINE,
            fmin(machine->most_bytes / 4, 16 * machine->cache_bytes[2]), s,
            cal);
  add_chase(machine, pages, "page_chase", BASE, machine->most_bytes, s, cal);
  add_chase(machine, pages, "table_chase", 8 * BASE, machine->most_bytes, s,
            cal);
  if (pages->page_bytes > BASE)
    add_chase(machine, pages, "huge_step_chase", HUGE_STEP, 0x1p33, s, cal);
  add_chains(machine, pages, "line_chains", LINE, lines, 4, s, cal);
  add_chains(machine, pages, "page_chains", BASE, steps, 4, s, cal);
  add_unwaited(machine, pages, s, cal);
  add_stream(machine, "stream_read", pages->kind, s, cal);
  add_stream(machine, "stream_write", pages->kind, s, cal);
  add_stream(machine, "stream_copy", pages->kind, s, cal);
}

void chase_machine_curves(const struct chase_machine *machine, unsigned seed,
                          struct calibration *cal) {
  struct state s = {.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
  *cal = (struct calibration){.level_count = 4};
  for (int i = 0; i < 4; i++) {
    snprintf(cal->levels[i].name, sizeof cal->levels[i].name,
             i < 3 ? "L%d" : "memory", i + 1);
    cal->levels[i].bytes_reported = i < 3 ? machine->cache_bytes[i] : NAN;
  }
  for (unsigned i = 0; i < machine->kinds; i++)
    add_kind(machine, &machine->pages[i], &s, cal);
}
