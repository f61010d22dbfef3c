/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/tree_options.h"

#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/spelling.h"

int tree_option_set(void *at, const char *option, const char *name) {
  const struct vat_tree_preset *found = vat_tree_preset_find(name);
  struct spelling spelling = {.typed = name};
  for (size_t i = 0; vat_tree_presets[i].name; i++)
    spelling_offer(&spelling, vat_tree_presets[i].name);
  if (strchr(name, ','))
    return fail(VAT_USAGE,
                "--%s %s: more than one tree; name one, and repeat the command "
                "for the others",
                option, name);
  if (!found)
    return fail(VAT_USAGE, "--%s %s: unknown tree; %ssee `vat list trees`",
                option, name, spelling_hint(&spelling));
  *(struct vat_tree *)at = found->tree;
  return VAT_OK;
}

#define HEADING \
  { .help = "The translation tree" }

const struct option_row tree_rows[] = {
    HEADING,
    {"tree", "TREE", OPTION_OWN, .set = tree_option_set,
     .help = "one of `vat list trees` (default: amd64-4k with as few levels as "
             "the addresses need)"},
    {"index-bits", "k", TREE_INDEX_BITS(struct vat_tree, index_bits),
     .help = "each node has 2^k children"},
    {"page-bits", "p", TREE_PAGE_BITS(struct vat_tree, page_bits),
     .help = "pages of 2^p bytes"},
    {"levels", "d", TREE_LEVELS(struct vat_tree, levels),
     .help = "each path has d + 1 nodes"},
    {0}};

/* The option as one tree has it. */
static int set_tree(struct vat_tree *tree, const char *option,
                    const char *text) {
  const struct option_row *row = tree_rows + 1;
  while (strcmp(row->name, option)) row++;
  return option_value_set(row, tree, text);
}

/* One item of a list, behind those that are there: in the tree before it. */
static int add_item(void *at, const char *option, const char *item) {
  struct trees *trees = at;
  if (trees->count == TREES_MOST)
    return fail(VAT_USAGE, "--%s: too many values; give at most %d", option,
                TREES_MOST);
  struct vat_tree *tree = &trees->tree[trees->count];
  if (trees->count) *tree = tree[-1];
  int code = set_tree(tree, option, item);
  for (size_t i = 0; !code && i < trees->count; i++)
    if (!memcmp(&trees->tree[i], tree, sizeof *tree))
      code = fail(VAT_USAGE, "--%s: %s is named twice", option, item);
  trees->count++;
  return code;
}

static int set_list(void *at, const char *option, const char *list) {
  struct trees *trees = at;
  trees->count = 0;
  return option_items(at, option, list, add_item);
}

/* In each of the trees. */
static int set_number(void *at, const char *option, const char *text) {
  struct trees *trees = at;
  int code = VAT_OK;
  for (size_t i = 0; !code && i < trees->count; i++)
    code = set_tree(&trees->tree[i], option, text);
  return code;
}

static int set_pages(void *at, const char *option, const char *list) {
  const struct trees *trees = at;
  if (!strchr(list, ',')) return set_number(at, option, list);
  if (trees->count == 1) return set_list(at, option, list);
  return fail(VAT_USAGE,
              "--%s and several --tree exclude each other; leave one out",
              option);
}

const struct option_row trees_rows[] = {
    HEADING,
    {"tree", "TREE,...", OPTION_OWN, .set = set_list,
     .help = "one or several of `vat list trees` (default: amd64-4k with as "
             "few levels as the addresses need)"},
    {"index-bits", "k", OPTION_OWN, .set = set_number,
     .help = "each node has 2^k children"},
    {"page-bits", "p", OPTION_OWN, .set = set_pages,
     .help =
         "pages of 2^p bytes; several, such as 12,21, are simulated in turn"},
    {"levels", "d", OPTION_OWN, .set = set_number,
     .help = "each path has d + 1 nodes"},
    {0}};
