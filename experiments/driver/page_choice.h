/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/driver/page_choice.h -- from --pages to the page kinds of a plan.
 */
#ifndef EXPERIMENTS_DRIVER_PAGE_CHOICE_H
#define EXPERIMENTS_DRIVER_PAGE_CHOICE_H
#include <stdbool.h>
#include <stddef.h>

#include "experiments/driver/plan.h"

/* True when `list`, as given, names kinds one by one: each must then be had. */
bool page_choice_named(const char *list);

/*
 * Add to the plan the kinds of `list`, or every kind that this machine can
 * give, with its pool grown if `reserve`, where none are named.  Returns an
 * exit code, having printed what is wrong.
 */
int page_choice_add(const char *list, bool reserve, struct plan *plan);

/* Name the kinds that the plan is without since this machine is, and what
 * `bytes` of each would take. */
void page_choice_note(const struct plan *plan, bool reserve, size_t bytes);
#endif
