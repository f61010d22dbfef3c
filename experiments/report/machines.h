/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/machines.h -- the machines of all results files, beside
 * each other.
 *
 * A machine is a survey; its number is its place among them, from 0.  Figures
 * over machines are drawn once, with the first.
 */
#pragma once
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

/* The kind of bigger pages that most of the machines have ratios on, the
 * smallest of those that tie; NULL: none, or it is not the first of several. */
const char *machines_big_kind(const struct survey *survey);
