/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_page.h -- index.html, section by section. */
#pragma once
#include <stdio.h>

#include "experiments/report/report_part.h"

void report_page(FILE *page, const struct report_part *parts, size_t count);
