/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/algo_sets.h -- sets of algorithms that are measured together, each
 * with a name: vat run --set. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "cpu_algos/algo.h"

enum { ALGO_SET_MOST = 16 };

struct algo_set {
  const char *name; /* NULL: the end */
  const char *summary;
  const char *algos[ALGO_SET_MOST]; /* names of cpu_algos[], NULL-ended */
};

/* The first, "default", is measured where none is named. */
extern const struct algo_set cpu_algo_sets[];

/* NULL with errno EINVAL: there is none of that name. */
const struct algo_set *cpu_algo_set_find(const char *name);

size_t cpu_algo_set_count(const struct algo_set *set); /* of its algorithms */

/* Is it in the first set? */
bool cpu_algo_is_default(const struct algo *algo);
