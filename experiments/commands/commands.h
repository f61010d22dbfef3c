/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/commands/commands.h -- the subcommands of vat, a file each. */
#pragma once
#include "experiments/cli/command.h"
#include "experiments/cli/options.h"

/* argv[0] is "vat NAME"; returns an exit code. */
typedef int command_run(int argc, char **argv);

command_run cmd_calibrate, cmd_compare, cmd_doctor, cmd_exec, cmd_list,
    cmd_merge, cmd_model, cmd_pages, cmd_plan, cmd_predict, cmd_profile,
    cmd_report, cmd_run, cmd_sim, cmd_trace, cmd_validate;

/* The options of those that have them from no other folder. */
extern const struct option_table calibrate_table, compare_table, doctor_table,
    exec_table, list_table, merge_table, pages_table, report_table, trace_table,
    validate_table;
