/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/bloom_command.h -- vat model bloom. */
#pragma once
#include "experiments/cli/options.h"

/* argv[0] is "vat model bloom"; an exit code. */
extern const struct option_table bloom_table;
int bloom_command(int argc, char **argv);
