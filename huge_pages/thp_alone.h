/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/thp_alone.h -- one size of transparent huge pages for whole
 * programs, and no other size beside it.
 *
 * Where the switches of several sizes are on, a page fault of a program takes
 * the largest page that fits.  So for one that is to have pages of one size,
 * the switch of this size is on and those of the others are off: a property of
 * the machine, for all its programs, as long as the program runs.
 */
#pragma once
#include <stddef.h>

#include "huge_pages/page_kind.h"
#include "huge_pages/pool.h"

/*
 * Will a program that asks so have no transparent huge pages but those of
 * `kind`, which has `alone`?  Returns 0, or -1 with errno ENOTSUP and `missing`
 * filled.
 */
int hp_thp_alone_explain(const struct hp_kind *kind, enum hp_thp_asks asks,
                         struct hp_missing *missing);

/* May this process, and what it starts, have transparent huge pages?  -1 with
 * errno ENOTSUP, and `missing` filled, where not. */
int hp_thp_disabled_explain(struct hp_missing *missing);

/* What the switch has to be at then: a number for hp_holding. */
size_t hp_thp_alone_choice(enum hp_thp_asks asks);
