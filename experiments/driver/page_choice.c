/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/driver/page_choice.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/command.h"
#include "experiments/driver/workspaces.h"

bool page_choice_named(const char *list) {
  return list && strcmp(list, "all") != 0;
}

static bool has_kind(const struct plan *plan, const struct hp_kind *kind) {
  for (size_t i = 0; i < plan->kind_count; i++)
    if (plan->kinds[i] == kind) return true;
  return false;
}

static int add_named(const char *list, struct plan *plan) {
  char *copy = strdup(list), *rest = copy;
  int code = copy ? VAT_OK : fail(VAT_ABSENT, "out of memory");
  while (!code && rest) {
    const char *name = strsep(&rest, ",");
    const struct hp_kind *kind = hp_kind_find(name);
    if (!kind)
      code = fail(VAT_USAGE,
                  "--pages: '%s' is no page kind; see vat list pages", name);
    else if (has_kind(plan, kind))
      code = fail(VAT_USAGE, "--pages: %s is named twice", name);
    else if (plan->kind_count == PLAN_KINDS)
      code = fail(VAT_USAGE, "--pages: at most %d kinds", PLAN_KINDS);
    else
      plan->kinds[plan->kind_count++] = kind;
  }
  free(copy);
  return code;
}

int page_choice_add(const char *list, bool reserve, struct plan *plan) {
  struct hp_lack lack;
  if (page_choice_named(list)) return add_named(list, plan);
  for (size_t i = 0; i < hp_kind_count() && plan->kind_count < PLAN_KINDS; i++)
    if (workspace_possible(hp_kind_at(i), 1, reserve, &lack))
      plan->kinds[plan->kind_count++] = hp_kind_at(i);
  if (plan->kind_count) return VAT_OK;
  return fail(VAT_ABSENT, "no page kind can be had; mend: vat doctor");
}

void page_choice_note(const struct plan *plan, bool reserve, size_t bytes) {
  struct hp_lack lack;
  for (size_t i = 0; i < hp_kind_count(); i++)
    if (!has_kind(plan, hp_kind_at(i)) &&
        !workspace_possible(hp_kind_at(i), bytes, reserve, &lack))
      workspace_lacking(hp_kind_at(i), &lack, true);
}
