/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/tree_options.h -- the options that describe a translation
 * tree, of every command that has one.
 */
#ifndef EXPERIMENTS_SIM_TREE_OPTIONS_H
#define EXPERIMENTS_SIM_TREE_OPTIONS_H
#include <argp.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/tree.h"

/* --tree, --index-bits, --page-bits and --levels as a child of a command's
 * argp; its input is the struct vat_tree that they change. */
extern const struct argp tree_argp;

/* The same where --tree and --page-bits may be lists: of trees, or of pages in
 * each of which the other numbers hold.  Its input is the struct trees that
 * they change, which has one at least. */
enum { TREES_MOST = 16 };
struct trees {
  struct vat_tree tree[TREES_MOST];
  size_t count;
};
extern const struct argp trees_argp;

/* The limits of a tree's numbers. */
enum { TREE_INDEX_BITS_MAX = 32, TREE_PAGE_BITS_MAX = 48 };

/* The tree of `vat list trees` called `name`, the value of --option.  Exits
 * where there is none. */
struct vat_tree tree_option_preset(const char *option, const char *name);

/* The value of --option, least..most.  Exits where `text` is no such number. */
uint64_t tree_option_number(const char *option, const char *text,
                            uint64_t least, uint64_t most);
#endif
