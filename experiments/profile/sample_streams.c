/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/sample_streams.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"

/* How far from its line a sample may be: a share of the way, as what lies
 * between two accesses of a loop varies, and some bytes besides. */
static const double way_share = 0.3, slack_bytes = 256;
/* Fewer false runs than that are expected of an instruction. */
static const double false_runs = 0.01;
/* A run goes at least so far: what stays on a page is no scan. */
static const double least_bytes = 4096;
enum { SHORTEST = 3, LOOK_BACK = 256 /* runs */ };

static int by_instruction(const void *one, const void *two, void *context) {
  const struct perf_sample *sample = context;
  size_t a = *(const size_t *)one, b = *(const size_t *)two;
  if (sample[a].ip != sample[b].ip) return sample[a].ip < sample[b].ip ? -1 : 1;
  return (a > b) - (a < b);
}

static const struct perf_sample *member(const struct stream_set *set,
                                        size_t place) {
  return &set->sample[set->order[place]];
}

static double bytes_between(const struct perf_sample *from,
                            const struct perf_sample *to) {
  return (double)(int64_t)(to->address - from->address);
}

/* The line through two places of the order. */
static double speed_of(const struct stream_set *set, size_t from, size_t to) {
  const struct perf_sample *a = member(set, from), *b = member(set, to);
  return bytes_between(a, b) / (b->at - a->at);
}

static double tolerance(double way) {
  return way_share * fabs(way) + slack_bytes;
}

static void keep(struct stream_set *set, size_t from, size_t to) {
  const struct perf_sample *first = member(set, from);
  const struct perf_sample *last = member(set, to - 1);
  double gap = (last->at - first->at) / (double)(to - 1 - from);
  double accesses = 0;
  for (size_t i = from; i < to; i++) accesses += member(set, i)->stands_for;
  double speed = speed_of(set, from, to - 1), beyond = speed * gap / 2;
  double one = (double)first->address - beyond;
  double other = (double)last->address + beyond;
  *ARRAY_ADD(set->run, set->runs) =
      (struct stream_run){.first = from,
                          .count = to - from,
                          .speed = speed,
                          .low = fmin(one, other),
                          .high = fmax(one, other),
                          .begin = first->at - gap / 2,
                          .end = last->at + gap / 2,
                          .gap = fmax(1, gap * (double)(to - from) / accesses)};
}

/* A run that may become one: places from..to, and the logarithm of how likely
 * it is by chance. */
struct attempt {
  size_t from;
  double speed, luck;
};

static void finish(struct stream_set *set, const struct attempt *attempt,
                   size_t to, double most_luck) {
  if (to - attempt->from < SHORTEST || attempt->luck > most_luck) return;
  double way = bytes_between(member(set, attempt->from), member(set, to - 1));
  if (fabs(way) >= least_bytes) keep(set, attempt->from, to);
}

/* Does the sample at `place` continue the attempt? */
static bool continues(const struct stream_set *set, struct attempt *attempt,
                      size_t place, double range) {
  const struct perf_sample *a = member(set, place - 1), *b = member(set, place);
  double way = attempt->speed * (b->at - a->at), off = tolerance(way);
  if (fabs(bytes_between(a, b) - way) > off) return false;
  attempt->luck += log(fmin(1, 2 * off / range));
  attempt->speed = speed_of(set, attempt->from, place);
  return true;
}

/* Runs of one instruction, whose samples are at from..to of the order. */
static void find_runs(struct stream_set *set, size_t from, size_t to) {
  uint64_t low = UINT64_MAX, high = 0;
  for (size_t i = from; i < to; i++) {
    uint64_t address = member(set, i)->address;
    if (address < low) low = address;
    if (address > high) high = address;
  }
  double range = (double)(high - low) + 1;
  double most_luck = log(false_runs / (double)(to - from));
  struct attempt attempt = {.from = from};
  for (size_t i = from + 1; i < to; i++) {
    if (i - attempt.from == 1) {
      attempt.speed = speed_of(set, attempt.from, i);
      attempt.luck = 0;
    } else if (!continues(set, &attempt, i, range)) {
      bool pair = i - attempt.from == 2;
      finish(set, &attempt, i, most_luck);
      attempt = (struct attempt){.from = pair ? i - 1 : i};
      if (pair) attempt.speed = speed_of(set, i - 1, i);
    }
  }
  finish(set, &attempt, to, most_luck);
}

static int by_begin(const void *one, const void *two) {
  const struct stream_run *a = one, *b = two;
  if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

void stream_set_make(struct stream_set *set, const struct perf_sample *sample,
                     size_t count) {
  *set = (struct stream_set){.sample = sample};
  set->order = memory_zeroed(count + 1, sizeof *set->order);
  set->of = memory_zeroed(count + 1, sizeof *set->of);
  for (size_t i = 0; i < count; i++) set->order[i] = i;
  qsort_r(set->order, count, sizeof *set->order, by_instruction,
          (void *)sample);
  for (size_t from = 0, to; from < count; from = to) {
    for (to = from; to < count && member(set, to)->ip == member(set, from)->ip;)
      to++;
    find_runs(set, from, to);
  }
  if (set->runs) qsort(set->run, set->runs, sizeof *set->run, by_begin);
  for (size_t r = 0; r < set->runs; r++)
    for (size_t i = 0; i < set->run[r].count; i++)
      set->of[set->order[set->run[r].first + i]] = (uint32_t)r + 1;
}

void stream_set_fini(struct stream_set *set) {
  free(set->order);
  free(set->of);
  free(set->run);
}

double stream_entry(const struct stream_run *run, double page_bytes) {
  return fmin(1, fabs(run->speed) * run->gap / page_bytes);
}

/* Where the run is at a time: beside its last sample before. */
static double place_at(const struct stream_set *set,
                       const struct stream_run *run, double at) {
  size_t low = 0, high = run->count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (member(set, run->first + middle)->at <= at)
      low = middle;
    else
      high = middle;
  }
  const struct perf_sample *near = member(set, run->first + low);
  double speed = run->speed;
  if (high < run->count && at > near->at)
    speed = speed_of(set, run->first + low, run->first + high);
  return (double)near->address + speed * (at - near->at);
}

/* When the run, which is at `place` at time `at` or ends there, was last within
 * low..high; -INFINITY: it was not. */
static double last_within(const struct stream_set *set,
                          const struct stream_run *run, double at, double place,
                          double low, double high) {
  double begin = place_at(set, run, run->begin);
  double least = fmin(begin, place), most = fmax(begin, place);
  if (most < low || least >= high) return -INFINITY;
  if (place >= low && place < high) return at;
  double edge = run->speed > 0 ? high : low;
  return fmax(run->begin, at - fabs((place - edge) / run->speed));
}

static double page_of(const struct perf_sample *sample, double page_bytes) {
  return floor((double)sample->address / page_bytes) * page_bytes;
}

double stream_came(const struct stream_set *set, size_t i, double page_bytes) {
  const struct stream_run *run = &set->run[set->of[i] - 1];
  const struct perf_sample *sample = &set->sample[i];
  double low = page_of(sample, page_bytes);
  double edge = run->speed > 0 ? low : low + page_bytes;
  return fmax(run->begin,
              sample->at - ((double)sample->address - edge) / run->speed);
}

double stream_reuse(const struct stream_set *set, size_t i, double page_bytes) {
  size_t own = set->of[i] - 1;
  const struct stream_run *run = &set->run[own];
  double low = page_of(&set->sample[i], page_bytes), high = low + page_bytes;
  double came = stream_came(set, i, page_bytes);
  double edge = place_at(set, run, came);
  double last = -INFINITY;
  /* Samples tell to a share of the way between them where a run is. */
  double beside = slack_bytes + 0.1 * fabs(run->speed) *
                                    (run->end - run->begin) /
                                    (double)run->count;
  for (size_t r = own + LOOK_BACK < set->runs ? own + LOOK_BACK : set->runs;
       r-- > 0 && r + LOOK_BACK > own;) {
    const struct stream_run *other = &set->run[r];
    if (r == own || other->begin >= came || other->high + beside < low ||
        other->low - beside > high)
      continue;
    double at = fmin(came, other->end);
    double place = place_at(set, other, at);
    bool together = other->end >= came && fabs(place - edge) <= beside;
    if (together && r < own) return 0;
    if (together) continue;
    last = fmax(last, last_within(set, other, at, place, low, high));
  }
  return fmax(0, came - last);
}
