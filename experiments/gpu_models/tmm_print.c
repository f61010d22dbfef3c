/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/tmm_print.h"

#include <stdio.h>

#include "experiments/gpu_models/model_json.h"

const char *const tmm_term_names[TMM_TERMS] = {
    [TMM_WORK] = "work", [TMM_SPAN] = "span", [TMM_MEMORY] = "memory"};

const char *const tmm_limit_names[] = {
    [TMM_LIMIT_HARDWARE] = "X",
    [TMM_LIMIT_LOCAL] = "Z / (Q S)",
    [TMM_LIMIT_PARALLELISM] = "T1 / (Tinf P)"};

static bool varies(const struct tmm_request *request, enum tmm_option option) {
  return request->given[option].count > 1;
}

void tmm_print_machine(const struct tmm_request *request,
                       const struct tmm_point *point) {
  const char *gap = ":";
  printf("on a %s", point->machine.title);
  for (int i = TMM_L; i <= TMM_X; i++) {
    char text[NUMBER_SIZE];
    if (varies(request, i)) continue;
    printf("%s %s %s", gap, tmm_option_rows[i].name,
           number_text(point->value[i], text));
    gap = ",";
  }
  putchar('\n');
}

static bool stands(const struct tmm_request *request, enum tmm_option option,
                   enum tmm_option but) {
  bool size = option <= TMM_K && request->given[option].count;
  return option != but && (size || varies(request, option));
}

void tmm_print_heads(const struct tmm_request *request, enum tmm_option but) {
  for (int i = 0; i < TMM_OPTIONS; i++)
    if (stands(request, i, but)) printf("%10s ", tmm_option_rows[i].name);
}

void tmm_print_place(const struct tmm_request *request,
                     const struct tmm_point *point, enum tmm_option but) {
  for (int i = 0; i < TMM_OPTIONS; i++) {
    char text[NUMBER_SIZE];
    if (stands(request, i, but))
      printf("%10s ", number_text(point->value[i], text));
  }
}

void tmm_json_place(const struct tmm_request *request,
                    const struct tmm_point *point, json_t *object) {
  for (int i = 0; i < TMM_T1; i++)
    if (i != TMM_THREADS && (i >= TMM_S || stands(request, i, TMM_OPTIONS)))
      json_object_set_new(object, tmm_option_rows[i].name,
                          model_json_number(point->value[i]));
}
