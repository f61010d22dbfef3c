/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/sheet_command.h -- models made of sheets on the
 * command line. */
#pragma once
#include "experiments/cli/options.h"
#include "gpu_algos/models/sheet.h"

/* argv[0] is "vat model calibrated", or "vat model integrated".  Each returns
 * an exit code. */
int calibrated_command(int argc, char **argv);
int integrated_command(int argc, char **argv);

/* Their options. */
const struct option_table *sheet_table(const struct sheet_model *model);
