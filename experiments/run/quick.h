/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/quick.h -- `vat run --quick`: what is measured for a first
 * answer in less than half a minute.
 */
#pragma once
#include "experiments/run/run_options.h"

/* Fill what `options` leave open.  Returns an exit code, having printed what is
 * wrong: algorithms of the user's own (2). */
int quick_options(struct run_options *options);

/* The only size of an algorithm of quick_options(): smaller where memory is. */
uint64_t quick_size(const struct algo *algo);
