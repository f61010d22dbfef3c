// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "cpu_algos/std_sort.h"

void cpu_std_sort(uint64_t *keys, uint64_t n) { std::sort(keys, keys + n); }
