/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/array.h"
#include "experiments/results/results_scan.h"

/* Where a sample stands. */
struct merge_sample {
  uint64_t hash;
  size_t machine, file;
  long offset, number;
};

static void take_machine(struct merge *merge, json_t *record) {
  size_t i = 0;
  merge->part = NULL;
  merge->runs++;
  while (i < merge->machine_count &&
         !results_same_machine(merge->machines[i], record))
    i++;
  merge->machine = i;
  if (i == merge->machine_count)
    *ARRAY_ADD(merge->machines, merge->machine_count) = json_incref(record);
}

static void take_plan(struct merge *merge, const json_t *record) {
  if (!merge->part) /* the first of a run counts */
    merge->part = sweeps_add(&merge->sweeps, merge->paths[merge->file],
                             merge->machine, record);
}

static void take_sample(struct merge *merge,
                        const struct results_record *record) {
  *ARRAY_ADD(merge->samples, merge->sample_count) =
      (struct merge_sample){.hash = sample_identity_hash(&record->sample),
                            .machine = merge->machine,
                            .file = merge->file,
                            .offset = record->offset,
                            .number = record->number};
  if (merge->part) merge->part->there++;
}

static int merge_add_record(struct merge *merge,
                            const struct results_record *record) {
  if (record->kind == RESULTS_MACHINE) take_machine(merge, record->json);
  if (record->kind == RESULTS_PLAN) take_plan(merge, record->json);
  if (record->kind == RESULTS_SAMPLE) take_sample(merge, record);
  fwrite(record->line, 1, record->length, merge->out);
  if (fputc('\n', merge->out) != EOF) return 0;
  merge->unwritten = true;
  return -1;
}

static int copy_all(struct merge *merge, struct results_scan *scan) {
  const struct results_record *record;
  const size_t runs = merge->runs;
  bool any = false;
  int more;
  while ((more = results_scan_next(scan, &record)) > 0) {
    any |= record->kind == RESULTS_PLAN || record->kind == RESULTS_SAMPLE;
    if (merge_add_record(merge, record)) return -1;
  }
  if (more < 0) return -1;
  if (runs == merge->runs) return results_scan_refuse_empty(scan);
  if (!any)
    return results_scan_refuse(scan, ENODATA, 0,
                               "no plan and no sample; leave it out");
  if (scan->cut)
    fprintf(stderr, "vat: %s: %s\n", merge->paths[merge->file], RESULTS_CUT);
  return 0;
}

static int copy_file(struct merge *merge) {
  struct results_scan *scan =
      results_scan_open(merge->paths[merge->file], merge->error);
  if (!scan) return -1;
  int failed = copy_all(merge, scan);
  results_scan_close(scan);
  return failed;
}

static int order_of(const struct merge_sample *a,
                    const struct merge_sample *b) {
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static int compare(const void *x, const void *y) {
  const struct merge_sample *a = x, *b = y;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  if (a->machine != b->machine) return a->machine < b->machine ? -1 : 1;
  return order_of(a, b);
}

static int read_again(struct merge *merge, const struct merge_sample *at,
                      struct sample *sample) {
  const struct results_record *record;
  struct results_scan *scan =
      results_scan_open(merge->paths[at->file], merge->error);
  bool found = scan && !results_scan_seek(scan, at->offset, at->number) &&
               results_scan_next(scan, &record) > 0 &&
               record->kind == RESULTS_SAMPLE;
  if (found) *sample = record->sample;
  results_scan_close(scan);
  return found ? 0 : -1;
}

/* 1: the same sample; 0: hashes that meet by chance; -1: it cannot be read. */
static int is_same(struct merge *merge, const struct merge_sample *a,
                   const struct merge_sample *b) {
  struct sample first, second;
  if (read_again(merge, a, &first) || read_again(merge, b, &second)) return -1;
  return !sample_identity_compare(&first, &second);
}

/* The first line that has a sample which was there before. */
static int refuse_duplicates(struct merge *merge) {
  const struct merge_sample *all = merge->samples, *found = NULL;
  if (merge->sample_count)
    qsort(merge->samples, merge->sample_count, sizeof *all, compare);
  for (size_t i = 1; i < merge->sample_count; i++) {
    if (all[i].hash != all[i - 1].hash || all[i].machine != all[i - 1].machine)
      continue;
    if (found && order_of(found, &all[i]) < 0) continue;
    int same = is_same(merge, &all[i - 1], &all[i]);
    if (same < 0) return -1;
    if (same) found = &all[i];
  }
  if (!found) return 0;
  snprintf(merge->error, sizeof merge->error,
           "%.120s:%ld: the same sample as %.120s:%ld, of the same kind of "
           "machine (" SAMPLE_IDENTITY_KEYS "): leave one of the files out",
           merge->paths[found->file], found->number,
           merge->paths[found[-1].file], found[-1].number);
  errno = EEXIST;
  return -1;
}

int merge_files(struct merge *merge) {
  for (merge->file = 0; merge->file < merge->count; merge->file++)
    if (copy_file(merge)) return -1;
  return refuse_duplicates(merge);
}

void merge_fini(struct merge *merge) {
  for (size_t i = 0; i < merge->machine_count; i++)
    json_decref(merge->machines[i]);
  free(merge->machines);
  free(merge->samples);
  sweeps_fini(&merge->sweeps);
}
