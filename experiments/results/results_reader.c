/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads results files whole. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/results/results_scan.h"

/* Machines of one kind differ by what their firmware keeps of the memory. */
#define MEMORY_APART (1.0 / 64)

static bool same_key(const json_t *a, const json_t *b, const char *key) {
  a = json_object_get(a, key);
  b = json_object_get(b, key);
  return (!a && !b) || json_equal(a, b);
}

static const json_t *gpu_name(const json_t *machine) {
  const json_t *name = json_object_get(json_object_get(machine, "gpu"), "name");
  return name ? name : json_null();
}

static bool same_memory(const json_t *a, const json_t *b) {
  double ours = json_number_value(json_object_get(a, "memory_bytes"));
  double other = json_number_value(json_object_get(b, "memory_bytes"));
  return fabs(ours - other) <= MEMORY_APART * fmax(ours, other);
}

bool results_same_machine(const json_t *a, const json_t *b) {
  return same_key(a, b, "cpu") && same_key(a, b, "host_cpu") &&
         same_key(a, b, "vm") && same_memory(a, b) &&
         json_equal(gpu_name(a), gpu_name(b));
}

const struct simulated *simulated_find(const struct simulated *records,
                                       size_t count, const char *algo,
                                       const char *device, uint64_t n,
                                       const char *pages) {
  for (size_t i = 0; i < count; i++)
    if (records[i].n == n && !strcmp(records[i].algo, algo) &&
        !strcmp(records[i].device, device) && !strcmp(records[i].pages, pages))
      return &records[i];
  return NULL;
}

struct reader {
  struct results_scan *scan;
  struct results *machines; /* that were met */
  size_t count, most;
  struct results *current; /* whose samples are read */
};

/* The first has room where the caller wants one only. */
static int add_machine(struct reader *reader) {
  if (reader->count == reader->most)
    return results_scan_refuse(
        reader->scan, EINVAL, reader->scan->number,
        "results of a second machine (from vat merge -o); give the file of one "
        "machine; only vat report reads several");
  reader->current = reader->most == 1
                        ? &reader->machines[reader->count++]
                        : ARRAY_ADD(reader->machines, reader->count);
  *reader->current =
      (struct results){.machine = json_incref(reader->scan->json)};
  return 0;
}

/* Records of one machine belong together, wherever they stand. */
static int take_machine(struct reader *reader) {
  reader->current = NULL;
  for (size_t i = 0; i < reader->count && !reader->current; i++)
    if (results_same_machine(reader->machines[i].machine, reader->scan->json))
      reader->current = &reader->machines[i];
  if (!reader->current && add_machine(reader)) return -1;
  reader->current->runs++;
  return 0;
}

static int take_record(struct reader *reader) {
  const struct results_scan *scan = reader->scan;
  struct results *r = reader->current;
  switch (scan->kind) {
    case RESULTS_MACHINE:
      return take_machine(reader);
    case RESULTS_PLAN:
      if (!r->plan) r->plan = json_incref(scan->json);
      break;
    case RESULTS_SAMPLE:
      *ARRAY_ADD(r->samples, r->count) = scan->sample;
      break;
    case RESULTS_SIMULATED:
      *ARRAY_ADD(r->simulated, r->simulated_count) = scan->simulated;
      break;
    case RESULTS_CANARY:
      *ARRAY_ADD(r->canary, r->canary_count) = scan->canary;
      break;
    default:
      break;
  }
  return 0;
}

static int compare(const void *a, const void *b) {
  const struct sample *x = *(const struct sample *const *)a;
  const struct sample *y = *(const struct sample *const *)b;
  int order = sample_identity_compare(x, y);
  return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int refuse_duplicates(struct reader *reader,
                             const struct results *results) {
  if (results->count < 2) return 0;
  const struct sample **all = memory_grow(NULL, results->count, sizeof *all);
  for (size_t i = 0; i < results->count; i++) all[i] = &results->samples[i];
  qsort(all, results->count, sizeof *all, compare);
  size_t i = 1;
  while (i < results->count && sample_identity_compare(all[i - 1], all[i])) i++;
  int failed = 0;
  if (i < results->count)
    failed = results_scan_refuse(
        reader->scan, EINVAL, all[i]->line,
        "repeats the sample of line %ld (" SAMPLE_IDENTITY_KEYS
        "): delete one of the two",
        all[i - 1]->line);
  free(all);
  return failed;
}

static int finish(struct reader *reader) {
  bool any = false;
  if (!reader->count) return results_scan_refuse_empty(reader->scan);
  for (size_t i = 0; i < reader->count; i++) {
    any |= reader->machines[i].count || reader->machines[i].plan;
    if (refuse_duplicates(reader, &reader->machines[i])) return -1;
  }
  if (any) return 0;
  return results_scan_refuse(reader->scan, ENODATA, 0,
                             "no plan and no sample of vat run");
}

static int read_all(struct reader *reader, const char *path,
                    char error[RESULTS_ERROR_SIZE]) {
  int more = 0;
  reader->scan = results_scan_open(path, error);
  if (!reader->scan) return -1;
  while ((more = results_scan_next(reader->scan)) > 0)
    if (take_record(reader)) break;
  int failed = more ? -1 : finish(reader);
  /* One that is wanted is told of even where there is no machine in it. */
  for (size_t i = 0; i < reader->count || (!i && reader->most == 1); i++) {
    reader->machines[i].cut = reader->scan->cut;
    reader->machines[i].good_bytes = reader->scan->good;
  }
  results_scan_close(reader->scan);
  return failed;
}

int results_read(struct results *results, const char *path,
                 char error[RESULTS_ERROR_SIZE]) {
  struct reader reader = {.machines = results, .most = 1};
  memset(results, 0, sizeof *results);
  return read_all(&reader, path, error);
}

int results_read_machines(struct results **machines, size_t *count,
                          const char *path, char error[RESULTS_ERROR_SIZE]) {
  struct reader reader = {.most = SIZE_MAX};
  int failed = read_all(&reader, path, error);
  if (failed) {
    int code = errno;
    while (reader.count) results_fini(&reader.machines[--reader.count]);
    free(reader.machines);
    reader.machines = NULL;
    errno = code;
  }
  *machines = reader.machines;
  *count = reader.count;
  return failed;
}

void results_fini(struct results *results) {
  json_decref(results->machine);
  json_decref(results->plan);
  free(results->samples);
  free(results->simulated);
  free(results->canary);
  memset(results, 0, sizeof *results);
}
