/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"

const struct sampled_size sampled_sizes[SAMPLED_SIZES] = {{"4k", 12},
                                                          {"2m", 21}};

bool sampled_is(FILE *file) {
  int first = getc(file);
  if (first != EOF) ungetc(first, file);
  return first != '{' && first != EOF;
}

/* What `vat profile` without --from simulates: the last level, as walks begin
 * behind it. */
static double entries_of(const struct profile_request *request) {
  const struct tlb_cache_shape *level = request->tlb.level;
  if (!level[0].entries) return (double)request->nodes;
  return level[1].entries ? level[1].entries : level[0].entries;
}

/* Misses that samples stand for, by page size. */
struct estimate {
  struct miss_value *each[SAMPLED_SIZES];
  struct miss_value rest[SAMPLED_SIZES];
};

static void estimate_thread(const struct sampled *sampled, size_t from,
                            size_t to, struct estimate *estimate) {
  struct stream_set streams;
  stream_set_make(&streams, sampled->samples.sample + from, to - from);
  for (int s = 0; s < SAMPLED_SIZES; s++) {
    struct miss_value rest;
    sample_misses(estimate->each[s] + from, &rest, &streams, to - from,
                  sampled_sizes[s].bits, sampled->entries);
    estimate->rest[s].value += rest.value;
    estimate->rest[s].lo += rest.lo;
    estimate->rest[s].hi += rest.hi;
  }
  stream_set_fini(&streams);
}

static int by_function(const void *one, const void *two, void *context) {
  const struct perf_sample *sample = context;
  size_t a = *(const size_t *)one, b = *(const size_t *)two;
  if (sample[a].function != sample[b].function)
    return (uintptr_t)sample[a].function < (uintptr_t)sample[b].function ? -1
                                                                         : 1;
  return (a > b) - (a < b);
}

static int by_misses(const void *one, const void *two) {
  const struct sampled_row *a = one, *b = two;
  double more = b->sum[0].misses.value - a->sum[0].misses.value;
  if (more != 0) return more > 0 ? 1 : -1;
  if (a->accesses != b->accesses) return a->accesses < b->accesses ? 1 : -1;
  return strcmp(a->function, b->function);
}

static void add_rows(struct sampled *sampled, const struct estimate *estimate) {
  const struct perf_sample *sample = sampled->samples.sample;
  size_t count = sampled->samples.count;
  size_t *order = memory_zeroed(count + 1, sizeof *order);
  for (size_t i = 0; i < count; i++) order[i] = i;
  qsort_r(order, count, sizeof *order, by_function, (void *)sample);
  struct sampled_row *row = NULL;
  for (size_t i = 0; i < count; i++) {
    const struct perf_sample *one = &sample[order[i]];
    if (!row || row->function != one->function) {
      row = ARRAY_ADD(sampled->row, sampled->rows);
      *row = (struct sampled_row){.function = one->function};
    }
    row->accesses += one->stands_for;
    for (int s = 0; s < SAMPLED_SIZES; s++)
      miss_sum_add(&row->sum[s], &estimate->each[s][order[i]]);
  }
  free(order);
  if (sampled->rows)
    qsort(sampled->row, sampled->rows, sizeof *sampled->row, by_misses);
}

/* An access misses once; one that was sampled is on no page that was not. */
static void add_up(struct sampled *sampled, const struct estimate *estimate) {
  const double most = sampled->samples.accesses;
  const double not_sampled = most - (double)sampled->samples.count;
  for (int s = 0; s < SAMPLED_SIZES; s++) {
    const struct miss_value *rest = &estimate->rest[s];
    struct miss_sum sum = {.misses = {.value = fmin(rest->value, not_sampled),
                                      .hi = fmin(rest->hi, not_sampled)}};
    for (size_t r = 0; r < sampled->rows; r++)
      miss_sum_join(&sum, &sampled->row[r].sum[s]);
    struct miss_value *all = &sampled->all[s];
    *all = miss_value_of(&sum);
    all->value = fmin(all->value, most);
    all->hi = fmin(all->hi, most);
    all->lo = fmin(fmax(all->lo, rest->lo), all->value);
  }
}

void sampled_estimate(struct sampled *sampled) {
  const struct perf_samples *samples = &sampled->samples;
  struct estimate estimate = {0};
  for (int s = 0; s < SAMPLED_SIZES; s++)
    estimate.each[s] =
        memory_zeroed(samples->count + 1, sizeof *estimate.each[s]);
  for (size_t from = 0, to; from < samples->count; from = to) {
    to = perf_samples_thread_end(samples, from);
    estimate_thread(sampled, from, to, &estimate);
  }
  add_rows(sampled, &estimate);
  add_up(sampled, &estimate);
  for (int s = 0; s < SAMPLED_SIZES; s++) free(estimate.each[s]);
}

int sampled_make(struct sampled *sampled, const struct profile_request *request,
                 FILE *file) {
  *sampled = (struct sampled){.entries = entries_of(request)};
  int code = perf_samples_read(&sampled->samples, file, request->from);
  if (!code) sampled_estimate(sampled);
  return code;
}

void sampled_fini(struct sampled *sampled) {
  perf_samples_fini(&sampled->samples);
  free(sampled->row);
}
