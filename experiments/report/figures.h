/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/figures.h -- the table of figures. */
#pragma once
#include "experiments/report/figure.h"

extern const struct figure *const figures[]; /* NULL-ended, reading order */
