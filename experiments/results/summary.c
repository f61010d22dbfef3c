/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples are sorted so that the repetitions of a row, and the rows to compare
 * it with, lie side by side; the works are put back into the samples' order,
 * each at its sizes by number: shards have them by turns. */
#include "experiments/results/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"
#include "experiments/results/ratio.h"

/* Repetitions of one row: sorted[first .. first + count). */
struct group {
  const struct sample **first;
  size_t count;
};

/* All of the work but its size. */
static int compare_line(const struct sample *a, const struct sample *b) {
  int order = strcmp(a->algo, b->algo);
  if (!order) order = strcmp(a->device, b->device);
  return order ? order : sample_variant_compare(&a->variant, &b->variant);
}

static int compare_work(const struct sample *a, const struct sample *b) {
  int order = compare_line(a, b);
  return order ? order : order_words(a->n, b->n);
}

static int compare_row(const struct sample *a, const struct sample *b) {
  int order = compare_work(a, b);
  return order ? order : strcmp(a->pages_asked, b->pages_asked);
}

static int compare_rep(const struct sample *a, const struct sample *b) {
  int order = order_words(a->rep, b->rep);
  return order ? order : order_words(a->seed, b->seed);
}

static int compare_samples(const void *a, const void *b) {
  const struct sample *x = *(const struct sample *const *)a;
  const struct sample *y = *(const struct sample *const *)b;
  int order = compare_row(x, y);
  if (!order) order = compare_rep(x, y);
  return order ? order : (x > y) - (x < y);
}

static int compare_summaries(const void *a, const void *b) {
  const struct summary *x = a, *y = b;
  if (x->line != y->line) return x->line > y->line ? 1 : -1;
  if (x->work != y->work) return order_words(x->work->n, y->work->n);
  if (x->base != y->base) return x->base ? -1 : 1;
  int order = order_words(x->pages_rank, y->pages_rank);
  return order ? order : strcmp(x->pages, y->pages);
}

/* Where the kind stands in listings; a kind of another machine comes last. */
static size_t pages_rank(const char *pages) {
  size_t rank = 0;
  while (rank < hp_kind_count() && strcmp(hp_kind_at(rank)->name, pages))
    rank++;
  return rank;
}

static bool counts(const struct sample *sample) {
  return sample->granted_ok && sample->check_ok;
}

bool summary_has(const struct summary *row, const struct sample *sample) {
  return counts(sample) && !compare_work(row->work, sample) &&
         !strcmp(row->pages, sample->pages_asked);
}

static void name_counter(struct summary *row, const char *name) {
  for (size_t i = 0; i < row->counters; i++)
    if (!strcmp(row->counter[i].name, name)) return;
  if (row->counters < SAMPLE_COUNTERS)
    strcpy(row->counter[row->counters++].name, name);
}

/* Values of one counter in the samples that count. */
static size_t counter_values(const struct group *group, const char *name,
                             double *values) {
  size_t count = 0;
  for (size_t i = 0; i < group->count; i++) {
    const struct sample *sample = group->first[i];
    if (!counts(sample)) continue;
    for (size_t j = 0; j < sample->counters; j++)
      if (sample->counter[j].present && !strcmp(sample->counter[j].name, name))
        values[count++] = (double)sample->counter[j].value;
  }
  return count;
}

static void row_counters(struct summary *row, const struct group *group,
                         double *values) {
  for (size_t i = 0; i < group->count; i++)
    for (size_t j = 0; j < group->first[i]->counters; j++)
      name_counter(row, group->first[i]->counter[j].name);
  for (size_t i = 0; i < row->counters; i++) {
    struct sample_counter *counter = &row->counter[i];
    size_t count = counter_values(group, counter->name, values);
    counter->present = count > 0;
    if (count) counter->value = (uint64_t)(ratio_median(values, count) + 0.5);
  }
}

static void row_times(struct summary *row, const struct group *group,
                      double *values) {
  row->ns_per_op_min = NAN;
  for (size_t i = 0; i < group->count; i++) {
    const struct sample *sample = group->first[i];
    row->rejected += !sample->granted_ok;
    row->failed += sample->granted_ok && !sample->check_ok;
    if (!counts(sample)) continue;
    if (!row->reps) row->granted = &sample->pages_granted;
    double ns_per_op = (double)sample->ns / sample->ram_ops;
    row->ns_per_op_min = fmin(row->ns_per_op_min, ns_per_op);
    values[row->reps++] = ns_per_op;
  }
  row->granted_ok = !row->rejected;
  row->ns_per_op_median = ratio_median(values, row->reps);
}

static void row_make(struct summary *row, const struct group *group,
                     double *values) {
  const struct sample *first = group->first[0];
  for (size_t i = 1; i < group->count; i++)
    if (group->first[i] < first) first = group->first[i];
  *row = (struct summary){.algo = first->algo,
                          .device = first->device,
                          .pages = first->pages_asked,
                          .n = first->n,
                          .variant = &first->variant,
                          .granted = &first->pages_granted,
                          .ram_ops = first->ram_ops,
                          .work = first,
                          .pages_rank = pages_rank(first->pages_asked),
                          .ratio_to_4k = NAN,
                          .ratio_lo = NAN,
                          .ratio_hi = NAN,
                          .pair_base_ns_per_op = NAN,
                          .pair_ns_per_op = NAN};
  row_times(row, group, values);
  row_counters(row, group, values);
}

struct pair {
  double ns, base_ns;
};

/* Repetitions are sorted by number, so equal ones are met in one pass. */
static size_t pair_times(const struct group *group, const struct group *base,
                         struct pair *pairs) {
  size_t i = 0, j = 0, count = 0;
  while (i < group->count && j < base->count) {
    const struct sample *huge = group->first[i], *small = base->first[j];
    int order = compare_rep(huge, small);
    if (!order && counts(huge) && counts(small) && small->ns && huge->ns)
      pairs[count++] = (struct pair){(double)huge->ns, (double)small->ns};
    i += order <= 0;
    j += order >= 0;
  }
  return count;
}

static void show_pair(struct summary *row, const struct pair *pairs,
                      size_t count) {
  size_t nearest = 0;
  double least = INFINITY;
  for (size_t i = 0; i < count; i++) {
    double off = fabs(pairs[i].ns / pairs[i].base_ns - row->ratio_to_4k);
    if (off >= least) continue;
    nearest = i;
    least = off;
  }
  if (!count) return;
  row->pair_ns_per_op = pairs[nearest].ns / row->ram_ops;
  row->pair_base_ns_per_op = pairs[nearest].base_ns / row->ram_ops;
}

static void row_ratio(struct summary *row, const struct group *group,
                      const struct group *base, double *values) {
  struct ratio ratio;
  if (!base || base == group) return;
  struct pair *pairs = memory_grow(NULL, group->count, sizeof *pairs);
  size_t count = pair_times(group, base, pairs);
  for (size_t i = 0; i < count; i++) values[i] = pairs[i].ns / pairs[i].base_ns;
  ratio_of_pairs(values, count, &ratio);
  row->ratio_to_4k = ratio.value;
  row->ratio_lo = ratio.lo;
  row->ratio_hi = ratio.hi;
  show_pair(row, pairs, count);
  free(pairs);
}

/* Base pages by the usual name, or by one of those on other machines. */
static const struct group *find_base(const struct group *groups, size_t count) {
  for (const char *const *name = hp_kind_base()->known_as; *name; name++)
    for (size_t i = 0; i < count; i++)
      if (!strcmp(groups[i].first[0]->pages_asked, *name)) return &groups[i];
  return NULL;
}

static size_t find_groups(const struct sample **sorted, size_t count,
                          struct group *groups) {
  size_t made = 0;
  for (size_t i = 0; i < count; i++) {
    if (!i || compare_row(sorted[i - 1], sorted[i]))
      groups[made++] = (struct group){&sorted[i], 0};
    groups[made - 1].count++;
  }
  return made;
}

/* Rows of the same work stand together, where its first sample stood. */
static void join_work(struct summary *rows, size_t count) {
  const struct sample *first = rows[0].work;
  for (size_t i = 1; i < count; i++)
    if (rows[i].work < first) first = rows[i].work;
  for (size_t i = 0; i < count; i++) rows[i].work = first;
}

/* As do the sizes of a line, where its first sample stood. */
static void join_lines(struct summary *rows, size_t count) {
  for (size_t i = 0, end; i < count; i = end) {
    const struct sample *first = rows[i].work;
    for (end = i; end < count; end++) {
      if (compare_line(rows[i].work, rows[end].work)) break;
      if (rows[end].work < first) first = rows[end].work;
    }
    for (size_t j = i; j < end; j++) rows[j].line = first;
  }
}

/* Groups of the same work on other pages follow each other. */
static void rows_make(const struct group *groups, size_t count,
                      struct summary *rows, double *values) {
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i; end < count; end++)
      if (compare_work(groups[i].first[0], groups[end].first[0])) break;
    const struct group *base = find_base(&groups[i], end - i);
    for (size_t j = i; j < end; j++) {
      row_make(&rows[j], &groups[j], values);
      rows[j].base = base == &groups[j];
      row_ratio(&rows[j], &groups[j], base, values);
    }
    join_work(&rows[i], end - i);
  }
  join_lines(rows, count);
}

void summaries_make(const struct sample *samples, size_t count,
                    struct summary **rows, size_t *row_count) {
  const struct sample **sorted = memory_zeroed(count, sizeof *sorted);
  struct group *groups = memory_zeroed(count, sizeof *groups);
  double *values = memory_zeroed(count, sizeof *values);
  for (size_t i = 0; i < count; i++) sorted[i] = &samples[i];
  qsort(sorted, count, sizeof *sorted, compare_samples);
  size_t made = find_groups(sorted, count, groups);
  *rows = memory_zeroed(made, sizeof **rows);
  rows_make(groups, made, *rows, values);
  qsort(*rows, made, sizeof **rows, compare_summaries);
  *row_count = made;
  free(sorted);
  free(groups);
  free(values);
}

bool summary_is_significant(const struct summary *row) {
  bool aside = row->ratio_lo > 1 || row->ratio_hi < 1; /* false for NAN */
  return aside && fabs(1 - row->ratio_to_4k) > SUMMARY_NOISE_FLOOR;
}

/* Is another one the same but for the variant? */
static bool has_twin(const struct summary *rows, size_t count,
                     const struct summary *row) {
  for (const struct summary *other = rows; other < rows + count; other++)
    if (other != row && other->n == row->n && !strcmp(other->algo, row->algo) &&
        !strcmp(other->device, row->device) &&
        !strcmp(other->pages, row->pages))
      return true;
  return false;
}

void summaries_add_simulated(struct summary *rows, size_t count,
                             const struct simulated *records,
                             size_t record_count) {
  for (size_t i = 0; i < count; i++) {
    struct summary *row = &rows[i];
    row->simulated = simulated_find(records, record_count, row->algo,
                                    row->device, row->n, row->pages);
    if (row->simulated && has_twin(rows, count, row)) row->simulated = NULL;
  }
}

#define S struct summary
static const struct field ratio_fields[] = {
    {"lo", &field_six, MEMBER(S, ratio_lo)},
    {"hi", &field_six, MEMBER(S, ratio_hi)},
    {0}};

const struct field summary_fields[] = {
    {"record", &field_constant, .text = "summary"},
    {"algo", &field_string, MEMBER(S, algo)},
    {"device", &field_string, MEMBER(S, device)},
    {"n", &field_whole, MEMBER(S, n)},
    {"pages", &field_string, MEMBER(S, pages)},
    {"granted_ok", &field_bool, MEMBER(S, granted_ok)},
    {"ns_per_op_min", &field_six, MEMBER(S, ns_per_op_min)},
    {"ns_per_op_median", &field_six, MEMBER(S, ns_per_op_median)},
    {"ratio_to_4k", &field_six, MEMBER(S, ratio_to_4k)},
    {"ratio_ci", &field_row, .of = ratio_fields, .nullable = true},
    {"counters", &field_counters, LIST(S, counter, counters)},
    /* Not among the counters: nobody shall take it for a measurement. */
    {"simulated", &field_object, MEMBER(S, simulated), .pointer = true,
     .of = simulated_cache_fields},
    {"reps", &field_whole, MEMBER(S, reps)},
    {"rejected", &field_whole, MEMBER(S, rejected)},
    {"failed", &field_whole, MEMBER(S, failed)},
    {NULL, &field_object, MEMBER(S, variant), .pointer = true,
     .of = sample_variant_fields},
    {0}};

json_t *summary_to_json(const struct summary *row) {
  return record_to_json(summary_fields, row);
}
