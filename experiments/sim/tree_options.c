/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/tree_options.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/sizes.h"

enum { KEY_TREE = 256, KEY_INDEX_BITS, KEY_PAGE_BITS, KEY_LEVELS };

static const struct argp_option option_table[] = {
    {0, 0, NULL, 0, "The translation tree", 4},
    {"tree", KEY_TREE, "TREE", 0,
     "one of `vat list trees` (default: amd64-4k with as few levels as hold "
     "all addresses)",
     0},
    {"index-bits", KEY_INDEX_BITS, "k", 0, "2^k children a node", 0},
    {"page-bits", KEY_PAGE_BITS, "p", 0, "pages of 2^p bytes", 0},
    {"levels", KEY_LEVELS, "d", 0, "d + 1 nodes a path", 0},
    {0}};

uint64_t tree_option_number(const char *option, const char *text,
                            uint64_t least, uint64_t most) {
  uint64_t value = 0;
  if (!size_parse(text, &value) && value >= least && value <= most)
    return value;
  if (most == UINT64_MAX)
    exit(fail(VAT_USAGE, "--%s %s: not a number from %llu", option, text,
              (unsigned long long)least));
  exit(fail(VAT_USAGE, "--%s %s: not a number from %llu to %llu", option, text,
            (unsigned long long)least, (unsigned long long)most));
}

struct vat_tree tree_option_preset(const char *option, const char *name) {
  const struct vat_tree_preset *found = vat_tree_preset_find(name);
  if (found) return found->tree;
  exit(fail(VAT_USAGE, "--%s %s: no such tree; see `vat list trees`", option,
            name));
}

/* The numbers by themselves. */
static error_t set_number(int key, const char *value, struct vat_tree *tree) {
  switch (key) {
    case KEY_INDEX_BITS:
      tree->index_bits = (unsigned)tree_option_number("index-bits", value, 1,
                                                      TREE_INDEX_BITS_MAX);
      return 0;
    case KEY_PAGE_BITS:
      tree->page_bits = (unsigned)tree_option_number("page-bits", value, 0,
                                                     TREE_PAGE_BITS_MAX);
      return 0;
    case KEY_LEVELS:
      tree->levels =
          (unsigned)tree_option_number("levels", value, 1, VAT_LEVELS_MAX);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct vat_tree *tree = state->input;
  if (key == KEY_TREE) {
    *tree = tree_option_preset("tree", value);
    return 0;
  }
  return set_number(key, value, tree);
}

const struct argp tree_argp = {.options = option_table, .parser = parse};

static const struct argp_option list_table[] = {
    {0, 0, NULL, 0, "The translation tree", 4},
    {"tree", KEY_TREE, "TREE,...", 0,
     "one of `vat list trees`, or several, each simulated (default: amd64-4k "
     "with as few levels as hold all addresses)",
     0},
    {"index-bits", KEY_INDEX_BITS, "k", 0, "2^k children a node", 0},
    {"page-bits", KEY_PAGE_BITS, "p", 0,
     "pages of 2^p bytes; several such as 12,21 are simulated each", 0},
    {"levels", KEY_LEVELS, "d", 0, "d + 1 nodes a path", 0},
    {0}};

/* One item of a list: of trees, or of pages in the first tree as it was. */
static void add_item(struct trees *trees, int key, const char *item,
                     const struct vat_tree *first) {
  struct vat_tree tree = *first;
  if (key == KEY_TREE)
    tree = tree_option_preset("tree", item);
  else
    set_number(key, item, &tree);
  for (size_t i = 0; i < trees->count; i++)
    if (trees->tree[i].page_bits == tree.page_bits &&
        trees->tree[i].index_bits == tree.index_bits &&
        trees->tree[i].levels == tree.levels)
      exit(fail(VAT_USAGE, "--%s: %s is named twice",
                key == KEY_TREE ? "tree" : "page-bits", item));
  if (trees->count == TREES_MOST)
    exit(fail(VAT_USAGE, "--%s: at most %d of them",
              key == KEY_TREE ? "tree" : "page-bits", TREES_MOST));
  trees->tree[trees->count++] = tree;
}

static void set_list(struct trees *trees, int key, const char *list) {
  const struct vat_tree first = trees->tree[0];
  if (trees->count > 1 && key == KEY_PAGE_BITS)
    exit(fail(VAT_USAGE,
              "--page-bits and several of --tree: one list or the other"));
  trees->count = 0;
  for (;; list++) {
    size_t length = strcspn(list, ",");
    char *item = strndup(list, length);
    if (!item) exit(fail(VAT_ABSENT, "out of memory"));
    add_item(trees, key, item, &first);
    free(item);
    list += length;
    if (!*list) return;
  }
}

static error_t parse_lists(int key, char *value, struct argp_state *state) {
  struct trees *trees = state->input;
  if (key == KEY_TREE || (key == KEY_PAGE_BITS && strchr(value, ','))) {
    set_list(trees, key, value);
    return 0;
  }
  error_t unknown = ARGP_ERR_UNKNOWN;
  for (size_t i = 0; i < trees->count; i++)
    unknown = set_number(key, value, &trees->tree[i]);
  return unknown;
}

const struct argp trees_argp = {.options = list_table, .parser = parse_lists};
