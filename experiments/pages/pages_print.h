/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/pages_print.h -- the memory of a process, for people. */
#pragma once
#include <stdio.h>

#include "experiments/pages/process_pages.h"

void process_pages_print(FILE *out, const struct process_pages *pages);
