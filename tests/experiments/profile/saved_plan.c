/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/profile/saved_plan.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "tests/experiments/scratch.h"

const char saved_plan_machine[] =
    "--machine=" VAT_TEST_SOURCE "/tests/experiments/what_if_machine.json";
struct command_result saved_plan;

void saved_plan_write(const struct saved_tables *how, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) abort();
  saved_tables_write(how, file);
  if (fclose(file)) abort();
}

void saved_plan_run(const struct saved_tables *how,
                    const char *const more[SAVED_PLAN_MORE]) {
  const char *arguments[SAVED_PLAN_MORE + 3] = {"--from"};
  struct scratch scratch;
  size_t count = 2;
  scratch_init(&scratch);
  saved_plan_write(how, scratch_path(&scratch, "p.profile"));
  arguments[1] = scratch.path;
  for (int i = 0; more && i < SAVED_PLAN_MORE && more[i]; i++)
    arguments[count++] = more[i];
  run_command(&saved_plan, cmd_plan, arguments, false);
  scratch_fini(&scratch);
}

json_t *saved_plan_json(const struct saved_tables *how,
                        const char *const more[SAVED_PLAN_MORE]) {
  saved_plan_run(how, more);
  if (saved_plan.code) printf("\n%s", saved_plan.err);
  CU_ASSERT_EQUAL_FATAL(saved_plan.code, VAT_OK);
  json_t *plan = json_loads(saved_plan.out, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
  return plan;
}
