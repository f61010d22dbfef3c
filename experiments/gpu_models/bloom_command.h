/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/bloom_command.h -- vat model bloom. */
#ifndef EXPERIMENTS_GPU_MODELS_BLOOM_COMMAND_H
#define EXPERIMENTS_GPU_MODELS_BLOOM_COMMAND_H
#include "experiments/cli/options.h"

/* argv[0] is "vat model bloom"; an exit code. */
extern const struct option_table bloom_table;
int bloom_command(int argc, char **argv);
#endif
