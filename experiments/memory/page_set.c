/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/memory/page_set.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/memory/workspaces.h"

bool page_set_is_named(const char *list) {
  return list && strcmp(list, "all") != 0;
}

static bool has_kind(const struct page_set *pages, const struct hp_kind *kind) {
  for (size_t i = 0; i < pages->count; i++)
    if (pages->kinds[i] == kind) return true;
  return false;
}

static int add_named(struct page_set *pages, const char *list) {
  char *copy = strdup(list), *rest = copy;
  int code = copy ? VAT_OK : fail(VAT_ABSENT, "out of memory");
  while (!code && rest) {
    const char *name = strsep(&rest, ",");
    const struct hp_kind *kind = hp_kind_find(name);
    if (!kind)
      code = fail(VAT_USAGE,
                  "--pages: '%s' is no page kind; see vat list pages", name);
    else if (has_kind(pages, kind))
      code = fail(VAT_USAGE, "--pages: %s is named twice", name);
    else if (pages->count == PAGE_SET_MAX)
      code = fail(VAT_USAGE, "--pages: at most %d kinds", PAGE_SET_MAX);
    else
      pages->kinds[pages->count++] = kind;
  }
  free(copy);
  return code;
}

int page_set_add(struct page_set *pages, const char *list, bool reserve) {
  struct hp_lack lack;
  if (page_set_is_named(list)) return add_named(pages, list);
  for (size_t i = 0; i < hp_kind_count() && pages->count < PAGE_SET_MAX; i++)
    if (workspace_possible(hp_kind_at(i), 1, reserve, &lack))
      pages->kinds[pages->count++] = hp_kind_at(i);
  if (pages->count) return VAT_OK;
  return fail(VAT_ABSENT, "no page kind can be had; mend: vat doctor");
}

void page_set_note_missing(const struct page_set *pages, bool reserve,
                           size_t bytes) {
  struct hp_lack lack;
  for (size_t i = 0; i < hp_kind_count(); i++)
    if (!has_kind(pages, hp_kind_at(i)) &&
        !workspace_possible(hp_kind_at(i), bytes, reserve, &lack))
      workspace_lacking(hp_kind_at(i), &lack, true);
}
