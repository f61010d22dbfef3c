/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/figure.h"

const struct figure *const figures[] = {
    &figure_operation_time,
    &figure_page_ratio,
    NULL,
};

size_t figure_programs(const struct survey *survey) {
  return survey->program_count < FIGURE_PROGRAMS_MAX ? survey->program_count
                                                     : FIGURE_PROGRAMS_MAX;
}
