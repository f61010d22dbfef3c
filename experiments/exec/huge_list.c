/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/huge_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/numbers.h"

static struct plan_choice *add(struct page_plan *plan, enum plan_what what,
                               const char *where) {
  struct plan_choice *choice = ARRAY_ADD(plan->choices, plan->choice_count);
  *choice = (struct plan_choice){.where = memory_text(where),
                                 .kind = memory_text(plan_what_names[what]),
                                 .what = what,
                                 .saving_s = NAN,
                                 .lo = NAN,
                                 .hi = NAN};
  return choice;
}

static int add_mappings(struct page_plan *plan, const char *item,
                        const char *size) {
  uint64_t least = HUGE_LEAST;
  if (size && size_parse(size, &least))
    return fail(VAT_USAGE,
                "--huge %s: '%s' is not a byte count; write mappings>=4M, for "
                "example",
                item, size);
  add(plan, PLAN_MAPPINGS, item)->least_bytes = least;
  return VAT_OK;
}

static int add_file(struct page_plan *plan, const char *item,
                    const char *name) {
  const char *slash = strrchr(name, '/');
  if (slash) name = slash + 1;
  if (!*name)
    return fail(VAT_USAGE, "--huge %s: no file; write file=NAME", item);
  add(plan, PLAN_FILE, name);
  return VAT_OK;
}

static int add_text(struct page_plan *plan, const char *item,
                    const char *name) {
  if (!*basename(name))
    return fail(VAT_USAGE, "--huge %s: no program or library; write text=NAME",
                item);
  add(plan, PLAN_TEXT, item);
  return VAT_OK;
}

static int add_site(struct page_plan *plan, const char *item,
                    const char *site) {
  const char *at = strchr(site, '@');
  size_t length = at ? (size_t)(at - site) : strlen(site);
  if (!length || (at && !at[1]))
    return fail(VAT_USAGE,
                "--huge %s: write site=FUNCTION or site=FUNCTION@OBJECT", item);
  struct plan_choice *choice = add(plan, PLAN_SITE_LARGE, item);
  struct plan_chain *chain = ARRAY_ADD(choice->chains, choice->chain_count);
  *chain = (struct plan_chain){0};
  struct plan_frame *frame = ARRAY_ADD(chain->frame, chain->frames);
  *frame =
      (struct plan_frame){.object = memory_text(at ? at + 1 : ""),
                          .function = memory_format("%.*s", (int)length, site)};
  return VAT_OK;
}

static int add_all(struct page_plan *plan) {
  add(plan, PLAN_HEAP, "heap");
  add(plan, PLAN_DATA, "data");
  add(plan, PLAN_STACK, "stack");
  add(plan, PLAN_MAPPINGS, "mappings")->least_bytes = HUGE_LEAST;
  return VAT_OK;
}

/* What stands behind `prefix`, or NULL. */
static const char *behind(const char *item, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(item, prefix, length) ? NULL : item + length;
}

static int add_item(struct page_plan *plan, const char *item) {
  const char *rest;
  if (!strcmp(item, "heap")) return add(plan, PLAN_HEAP, item), VAT_OK;
  if (!strcmp(item, "data")) return add(plan, PLAN_DATA, item), VAT_OK;
  if (!strcmp(item, "stack")) return add(plan, PLAN_STACK, item), VAT_OK;
  if (!strcmp(item, "text")) return add(plan, PLAN_TEXT, item), VAT_OK;
  if (!strcmp(item, "mappings")) return add_mappings(plan, item, NULL);
  if (!strcmp(item, "all")) return add_all(plan);
  if ((rest = behind(item, "mappings>=")))
    return add_mappings(plan, item, rest);
  if ((rest = behind(item, "site="))) return add_site(plan, item, rest);
  if ((rest = behind(item, "text="))) return add_text(plan, item, rest);
  if ((rest = behind(item, "file="))) return add_file(plan, item, rest);
  return fail(VAT_USAGE,
              "--huge '%s': is none of heap, data, stack, text, text=NAME, "
              "mappings, mappings>=SIZE, site=FUNCTION, site=FUNCTION@OBJECT, "
              "file=NAME, all",
              item);
}

/* One of each kind but sites, files and their text. */
static int check_twice(const struct page_plan *plan) {
  for (size_t i = 0; i < plan->choice_count; i++)
    for (size_t j = 0; j < i; j++) {
      const struct plan_choice *a = &plan->choices[i], *b = &plan->choices[j];
      bool alone = a->what != PLAN_SITE_LARGE && a->what != PLAN_FILE &&
                   a->what != PLAN_TEXT;
      if (a->what == b->what && (alone || !strcmp(a->where, b->where)))
        return fail(VAT_USAGE, "--huge: %s is named twice; name it once",
                    a->where);
    }
  return VAT_OK;
}

int huge_list_read(struct page_plan *plan, const char *list) {
  char *items = memory_text(list), *rest = items;
  int code = VAT_OK;
  *plan = (struct page_plan){.pages = "thp"};
  for (const char *item; !code && (item = strsep(&rest, ","));)
    code = add_item(plan, item);
  free(items);
  if (!code) code = check_twice(plan);
  if (code) page_plan_fini(plan);
  return code;
}
