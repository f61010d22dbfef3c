/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_first.h -- the answer that a part of the page
 * begins with: a table of what larger pages gain each program, and at which
 * size; and which pages the machine has. */
#pragma once
#include <stdio.h>

#include "experiments/report/survey.h"

void report_first(FILE *page, const struct survey *survey);
