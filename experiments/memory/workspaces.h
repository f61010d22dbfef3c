/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/memory/workspaces.h -- the page kinds that are measured side by
 * side, and a region of memory for each.
 *
 * All regions exist side by side for the whole run, faulted in once, so that
 * page kinds can be interleaved and no fault falls into a measurement.  Every
 * size uses the start of its region.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "experiments/cli/progress.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/pool.h"
#include "huge_pages/region.h"

enum { PAGE_SET_MAX = HP_KINDS_MAX }; /* none is named twice */

/* Page kinds in the order of measuring. */
struct page_set {
  const struct hp_kind *kinds[PAGE_SET_MAX];
  size_t count;
};

struct workspaces {
  struct hp_region regions[PAGE_SET_MAX]; /* in the order of the set */
  struct hp_reservation *reservations[PAGE_SET_MAX];
  size_t count;
};

/* Memory one region of `bytes` of `kind` would take from what is free now; 0
 * where a pool already has it, SIZE_MAX where no address tells so much. */
size_t workspace_cost(const struct hp_kind *kind, size_t bytes);

/* Say why `kind` is not to be had and what fixes it: an error, or a note when
 * it is `optional`.  Returns VAT_ABSENT. */
int workspace_missing(const struct hp_kind *kind,
                      const struct hp_missing *missing, bool optional);

/* Grow the pool of `kind` by what `bytes` are missing, or set its switch, for
 * hp_pool_release().
 * Returns an exit code, having said as above why it cannot. */
int workspace_reserve(const struct hp_kind *kind, size_t bytes, bool optional,
                      struct hp_reservation **reservation);

/* The same for a program that is to have pages of `kind`, which has `alone`,
 * and of no other size (huge_pages/thp_alone.h): set the switches or, without
 * `reserve`, see that they are like that. */
int workspace_alone(const struct hp_kind *kind, enum hp_thp_asks asks,
                    bool reserve, struct hp_reservation **reservation);

/* True when `list`, the value of --pages, names kinds one by one: each must
 * then be had. */
bool page_set_is_named(const char *list);

/*
 * Add the kinds of `list`, or where none are named every kind that this machine
 * can give, with its pool grown if `reserve`, but for those that have to be
 * named.  Returns an exit code, having
 * printed what is wrong.
 */
int page_set_add(struct page_set *pages, const char *list, bool reserve);

/*
 * Map a region of `bytes` for every kind of the set, reserving pools first if
 * `reserve`, and with the switch of a kind set while its region is faulted in.
 * A kind that cannot be had is dropped from the set with a note if `optional`,
 * as is one that is missing from it, else it is an error. Returns an exit code,
 * having printed what is wrong; on failure nothing is left mapped or reserved.
 */
int workspaces_map(struct workspaces *workspaces, struct page_set *pages,
                   size_t bytes, bool reserve, bool optional,
                   struct progress *progress);
void workspaces_fini(struct workspaces *workspaces); /* zeroed is fine */
