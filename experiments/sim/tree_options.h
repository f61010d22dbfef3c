/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/tree_options.h -- the options that describe a translation
 * tree, of every command that has one.
 */
#pragma once
#include "experiments/cli/options.h"
#include "vat/tree.h"

/* --tree, --index-bits, --page-bits and --levels, of a struct vat_tree. */
extern const struct option_row tree_rows[];

/* The same where --tree and --page-bits may be lists: of trees, or of pages in
 * each of which the other numbers hold.  Of a struct trees, which has one at
 * least. */
enum { TREES_MOST = 16 };
struct trees {
  struct vat_tree tree[TREES_MOST];
  size_t count;
};
extern const struct option_row trees_rows[];

/* What the numbers of a tree are, for rows: their type, place and limits. */
enum { TREE_INDEX_BITS_MAX = 32, TREE_PAGE_BITS_MAX = 48 };
#define TREE_INDEX_BITS(type, member) \
  OPTION_SIZE, OPTION_AT(type, member), .least = 1, .most = TREE_INDEX_BITS_MAX
#define TREE_PAGE_BITS(type, member) \
  OPTION_SIZE, OPTION_AT(type, member), .most = TREE_PAGE_BITS_MAX
#define TREE_LEVELS(type, member) \
  OPTION_SIZE, OPTION_AT(type, member), .least = 1, .most = VAT_LEVELS_MAX

/* The tree of `vat list trees` called `name` into the struct vat_tree `at`. */
int tree_option_set(void *at, const char *option, const char *name);
