/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/commands/commands.h -- the subcommands of vat, a file each. */
#pragma once
#include "experiments/cli/command.h"
#include "experiments/cli/options.h"

struct command {
  const char *name;
  const char *summary;
  const struct option_table *options; /* NULL: more than one table */
  /* argv[0] is "vat NAME"; returns an exit code. */
  int (*run)(int argc, char **argv);
};

extern const struct command cmd_calibrate, cmd_compare, cmd_doctor, cmd_list,
    cmd_merge, cmd_model, cmd_predict, cmd_profile, cmd_report, cmd_run,
    cmd_sim, cmd_trace, cmd_validate;
