/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/run/merge.h"

#include <errno.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/memory.h"
#include "experiments/results/results_scan.h"
#include "experiments/run/plan.h"

/* What a machine has room for and how long it may take are its own affair. */
static json_t *common_plan(const json_t *plan) {
  static const char *const own[] = {"shard", "device_room", "time_budget_s"};
  json_t *common = json_copy((json_t *)plan);
  for (size_t i = 0; common && i < sizeof own / sizeof *own; i++)
    json_object_del(common, own[i]);
  return common;
}

/* The I of [I, N], in *shards N; 1 of 1 where there is none. */
static uint32_t shard_of(const json_t *plan, uint32_t *shards) {
  json_int_t index = 0, count = 0;
  json_unpack((json_t *)plan, "{s:[I, I]}", "shard", &index, &count);
  bool sound = index >= 1 && index <= count && count <= SHARDS_MAX;
  *shards = sound ? (uint32_t)count : 1;
  return sound ? (uint32_t)index : 1;
}

/* 0: a time budget may have left some out, or this vat does not know. */
static uint64_t planned(const json_t *record) {
  struct plan plan;
  char reason[PLAN_REASON];
  uint64_t samples = 0;
  if (plan_from_json(&plan, record, reason)) return 0;
  bool known = !(plan.time_budget_s > 0) && !*plan.variant.file;
  for (size_t i = 0; known && i < plan.count; i++) {
    const struct plan_entry *e = &plan.entries[i];
    for (size_t j = 0; j < e->sizes.count; j++)
      samples += plan_reps(&plan, e->algo, e->sizes.at[j]) * plan.pages.count;
  }
  plan_fini(&plan);
  return samples;
}

/* Where the samples behind a plan record count, until the next call. */
static struct sweep_part *sweeps_add(struct merge *merge, const json_t *plan) {
  uint32_t shards, shard = shard_of(plan, &shards);
  json_t *common = common_plan(plan);
  size_t at = 0;
  while (at < merge->sweep_count &&
         (merge->sweeps[at].shards != shards ||
          !json_equal(merge->sweeps[at].plan, common)))
    at++;
  if (at == merge->sweep_count)
    *ARRAY_ADD(merge->sweeps, merge->sweep_count) =
        (struct sweep){.plan = json_incref(common), .shards = shards};
  json_decref(common);
  struct sweep *sweep = &merge->sweeps[at];
  for (size_t i = 0; i < sweep->count; i++)
    if (sweep->parts[i].shard == shard &&
        sweep->parts[i].machine == merge->machine)
      return &sweep->parts[i];
  struct sweep_part *part = ARRAY_ADD(sweep->parts, sweep->count);
  *part = (struct sweep_part){.path = merge->paths[merge->file],
                              .machine = merge->machine,
                              .shard = shard,
                              .planned = planned(plan)};
  return part;
}

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

static void take_sample(struct merge *merge, const struct results_scan *scan) {
  *ARRAY_ADD(merge->samples, merge->sample_count) =
      (struct merge_sample){.hash = sample_identity_hash(&scan->sample),
                            .machine = merge->machine,
                            .file = merge->file,
                            .offset = scan->offset,
                            .number = scan->number};
  if (merge->part) merge->part->there++;
}

static int copy_all(struct merge *merge, struct results_scan *scan) {
  const size_t runs = merge->runs;
  bool any = false;
  int more;
  while ((more = results_scan_next(scan)) > 0) {
    any |= scan->kind == RESULTS_PLAN || scan->kind == RESULTS_SAMPLE;
    if (scan->kind == RESULTS_MACHINE) take_machine(merge, scan->json);
    if (scan->kind == RESULTS_PLAN && !merge->part) /* the first of a run */
      merge->part = sweeps_add(merge, scan->json);
    if (scan->kind == RESULTS_SAMPLE) take_sample(merge, scan);
    fwrite(scan->line, 1, scan->length, merge->out);
    merge->unwritten = fputc('\n', merge->out) == EOF;
    if (merge->unwritten) return -1;
  }
  if (more < 0) return -1;
  if (runs == merge->runs) return results_scan_refuse_empty(scan);
  if (!any)
    return results_scan_refuse(
        scan, ENODATA, 0,
        "contains no plan and no sample of vat run; leave the file out");
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
  struct results_scan *scan =
      results_scan_open(merge->paths[at->file], merge->error);
  bool found = scan && !results_scan_seek(scan, at->offset, at->number) &&
               results_scan_next(scan) > 0 && scan->kind == RESULTS_SAMPLE;
  if (found) *sample = scan->sample;
  results_scan_close(scan);
  return found ? 0 : -1;
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
    struct sample first, second; /* hashes may meet by chance */
    if (read_again(merge, &all[i - 1], &first) ||
        read_again(merge, &all[i], &second))
      return -1;
    if (!sample_identity_compare(&first, &second)) found = &all[i];
  }
  if (!found) return 0;
  snprintf(merge->error, sizeof merge->error,
           "%.120s:%ld: repeats the sample of %.120s:%ld from the same kind of "
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

static const char *first_difference(const json_t *a, const json_t *b) {
  const char *key;
  const json_t *value;
  json_object_foreach((json_t *)a, key, value) {
    if (!json_equal(value, json_object_get(b, key))) return key;
  }
  return "plan";
}

/* NULL: it has none. */
static const struct sweep_part *find_shard(const struct sweep *sweep,
                                           uint32_t shard) {
  for (size_t i = 0; i < sweep->count; i++)
    if (sweep->parts[i].shard == shard) return &sweep->parts[i];
  return NULL;
}

/* One of as many that is there, but by another command. */
static void tell_strayed(const struct merge *merge, const struct sweep *sweep,
                         uint32_t shard, const char *merged) {
  /* Of two only the first says it. */
  for (size_t i = (size_t)(sweep - merge->sweeps) + 1; i < merge->sweep_count;
       i++) {
    const struct sweep *other = &merge->sweeps[i];
    if (other->shards != sweep->shards) continue;
    const struct sweep_part *part = find_shard(other, shard);
    if (!part) continue;
    fail(VAT_FAILED,
         "%s: shard %u of %s belongs to another sweep than %s (\"%s\" "
         "differs); measure all shards with the same command",
         merged, shard, part->path, sweep->parts->path,
         first_difference(sweep->plan, other->plan));
    return;
  }
}

/* The first few by number. */
static bool has_all_shards(const struct merge *merge, const struct sweep *sweep,
                           const char *merged) {
  enum { NAMED = 10 };
  char list[NAMES_SIZE] = "";
  size_t missing = 0;
  uint32_t first = 0;
  for (uint32_t shard = 1; shard <= sweep->shards; shard++) {
    if (find_shard(sweep, shard)) continue;
    if (!missing) first = shard;
    if (missing++ < NAMED) names_add(list, NUMBER_TEXT(shard));
  }
  if (!missing) return true;
  fail(VAT_FAILED,
       "%s: shard%s %s%s of %u of the sweep of %s %s missing; add %s", merged,
       missing > 1 ? "s" : "", list, missing > NAMED ? ", ..." : "",
       sweep->shards, sweep->parts->path, missing > 1 ? "are" : "is",
       missing > 1 ? "their files" : "its file");
  tell_strayed(merge, sweep, first, merged);
  return false;
}

static bool has_all_samples(const struct sweep_part *part) {
  if (part->there >= part->planned) return true;
  fail(VAT_FAILED,
       "%s: %llu of its %llu samples are missing; measure them with vat run "
       "--resume -o %s",
       part->path, (unsigned long long)(part->planned - part->there),
       (unsigned long long)part->planned, part->path);
  return false;
}

bool merge_is_complete(const struct merge *merge, const char *merged) {
  bool complete = true;
  for (size_t i = 0; i < merge->sweep_count; i++) {
    const struct sweep *sweep = &merge->sweeps[i];
    complete &= has_all_shards(merge, sweep, merged);
    for (size_t j = 0; j < sweep->count; j++)
      complete &= has_all_samples(&sweep->parts[j]);
  }
  return complete;
}

void merge_fini(struct merge *merge) {
  for (size_t i = 0; i < merge->machine_count; i++)
    json_decref(merge->machines[i]);
  for (size_t i = 0; i < merge->sweep_count; i++) {
    json_decref(merge->sweeps[i].plan);
    free(merge->sweeps[i].parts);
  }
  free(merge->sweeps);
  free(merge->machines);
  free(merge->samples);
}
