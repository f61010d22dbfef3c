/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/memory/page_set.h -- the page kinds that are measured side by
 * side, in the order of measuring. */
#ifndef EXPERIMENTS_MEMORY_PAGE_SET_H
#define EXPERIMENTS_MEMORY_PAGE_SET_H
#include <stdbool.h>
#include <stddef.h>

#include "huge_pages/page_kind.h"

enum { PAGE_SET_MAX = 8 };

struct page_set {
  const struct hp_kind *kinds[PAGE_SET_MAX];
  size_t count;
};

/* True when `list`, the value of --pages, names kinds one by one: each must
 * then be had. */
bool page_set_is_named(const char *list);

/*
 * Add the kinds of `list`, or every kind that this machine can give, with its
 * pool grown if `reserve`, where none are named.  Returns an exit code, having
 * printed what is wrong.
 */
int page_set_add(struct page_set *pages, const char *list, bool reserve);

/* Name the kinds that are missing from the set since this machine lacks them,
 * and what `bytes` of each would take. */
void page_set_note_missing(const struct page_set *pages, bool reserve,
                           size_t bytes);
#endif
