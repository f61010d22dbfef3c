/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_code.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"

static void add_fetches(struct profile_fetches *to,
                        const struct profile_fetches *from) {
  uint64_t *sum = (uint64_t *)to;
  const uint64_t *more = (const uint64_t *)from;
  for (size_t i = 0; i < PROFILE_FETCHES; i++) sum[i] += more[i];
}

/* Most misses on pages of 4 KiB first. */
static int compare_fetches(const struct profile_fetches *a,
                           const struct profile_fetches *b) {
  int order = order_words(b->on[0].missed, a->on[0].missed);
  return order ? order : order_words(b->on[0].walked, a->on[0].walked);
}

static int compare_rows(const void *x, const void *y) {
  const struct profile_code_row *a = x, *b = y;
  int order = compare_fetches(&a->counts, &b->counts);
  return order ? order : profile_compare_functions(&a->at, &b->at);
}

static int compare_names(const void *x, const void *y) {
  const struct profile_code_object *a = x, *b = y;
  return strcmp(a->name, b->name);
}

static int compare_objects(const void *x, const void *y) {
  const struct profile_code_object *a = x, *b = y;
  int order = compare_fetches(&a->counts, &b->counts);
  return order ? order : compare_names(x, y);
}

static void merge_functions(struct profile_code *code) {
  size_t kept = 0;
  qsort(code->row, code->rows, sizeof *code->row, profile_compare_functions);
  for (size_t i = 1; i < code->rows; i++) {
    if (profile_compare_functions(&code->row[kept].at, &code->row[i].at))
      code->row[++kept] = code->row[i];
    else
      add_fetches(&code->row[kept].counts, &code->row[i].counts);
  }
  code->rows = kept + 1;
  for (size_t i = 0; i < code->rows; i++)
    code->row[i].at.line = 0, code->row[i].at.offset = 0;
}

/* Those that were read have the walks, and functions the rest. */
static void find_objects(struct profile_code *code) {
  size_t kept = 0;
  for (size_t i = 0; i < code->rows; i++)
    *ARRAY_ADD(code->object, code->objects) = (struct profile_code_object){
        .name = code->row[i].at.object, .counts = code->row[i].counts};
  qsort(code->object, code->objects, sizeof *code->object, compare_names);
  for (size_t i = 1; i < code->objects; i++) {
    struct profile_code_object *to = &code->object[kept];
    const struct profile_code_object *from = &code->object[i];
    if (compare_names(to, from)) {
      code->object[++kept] = *from;
      continue;
    }
    add_fetches(&to->counts, &from->counts);
    for (int huge = 0; huge < 2; huge++)
      for (int o = 0; o < PROFILE_OCTAVES; o++)
        to->walks[huge][o] += from->walks[huge][o];
  }
  code->objects = kept + 1;
}

void profile_code_finish(struct profile_code *code) {
  if (!code->rows) return;
  merge_functions(code);
  find_objects(code);
  qsort(code->row, code->rows, sizeof *code->row, compare_rows);
  qsort(code->object, code->objects, sizeof *code->object, compare_objects);
  for (size_t i = 0; i < code->objects; i++)
    add_fetches(&code->totals, &code->object[i].counts);
}

void profile_code_fini(struct profile_code *code) {
  free(code->row);
  free(code->object);
}
