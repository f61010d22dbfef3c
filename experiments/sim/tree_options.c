/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/tree_options.h"

#include <stdlib.h>

#include "experiments/command.h"
#include "experiments/driver/sizes.h"

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

static error_t parse(int key, char *value, struct argp_state *state) {
  struct vat_tree *tree = state->input;
  switch (key) {
    case KEY_TREE:
      *tree = tree_option_preset("tree", value);
      return 0;
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

const struct argp tree_argp = {.options = option_table, .parser = parse};
