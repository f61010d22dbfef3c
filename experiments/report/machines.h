/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/machines.h -- the machines of all results files, beside
 * each other.
 *
 * A machine is a survey; its number is its place among them, from 0.  Figures
 * over machines are drawn once, with the first.
 */
#pragma once
#include "experiments/report/chart.h"
#include "experiments/report/survey.h"

/* Is it the first of several? */
bool machines_begin(const struct survey *survey);
size_t machines_count(const struct survey *survey);

/* "2  AMD EPYC, a KVM guest": by its number on the page, and by more where
 * another one is called the same. */
enum { MACHINES_LABEL = 144 };
const char *machines_label(const struct survey *survey, size_t machine,
                           char label[MACHINES_LABEL]);

bool machines_is_virtual(const struct survey *machine);

/* The row of a program, named by a row of any machine; NULL: it has none.  The
 * pages: base pages where `kind` is NULL. */
const struct summary *machines_row(const struct survey *machine,
                                   const struct summary *program, uint64_t n,
                                   const char *kind);

/* The program's next larger size after `n` (0: its smallest); 0 at the end, or
 * where the machine has no such program. */
uint64_t machines_next_size(const struct survey *machine,
                            const struct summary *program, uint64_t n);

/* Is it measured, on bigger pages as told by a ratio to base pages? */
bool machines_has_time(const struct summary *row);
bool machines_has_ratio(const struct summary *row);

/* The kind of bigger pages that most of the machines have ratios on, the
 * smallest of those that tie; NULL: none. */
const char *machines_big_kind(const struct survey *survey);

/* A legend: what is measured, and a line a machine. */
void machines_add_keys(struct chart *chart, const struct survey *survey,
                       const char *measure);
