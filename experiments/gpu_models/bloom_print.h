/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/bloom_print.h -- false positives, as a table with a
 * line below it, or JSON. */
#pragma once
#include <stddef.h>

#include "experiments/gpu_models/bloom_rates.h"

void bloom_print_head(const struct bloom_input *input);
void bloom_print_row(const struct bloom_filter *filter,
                     const struct bloom_rates *rates);
/* Of so many rows those whose interval has what (5.18) says, of different
 * elements, and of all. */
void bloom_print_sums(size_t rows, size_t by_model, size_t by_all);

void bloom_print_json(const struct bloom_input *input,
                      const struct bloom_filter *filter,
                      const struct bloom_rates *rates);
