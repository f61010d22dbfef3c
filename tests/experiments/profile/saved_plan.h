/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/profile/saved_plan.h -- `vat plan --from` a saved profile
 * of three tables, and what its JSON says. */
#pragma once
#include "tests/experiments/json_at.h"
#include "tests/experiments/profile/saved_tables.h"
#include "tests/experiments/run_command.h"

enum { SAVED_PLAN_MORE = 5 /* options at most; the others are NULL */ };

/* An option: the calibration of a machine. */
extern const char saved_plan_machine[];
/* Of what ran last. */
extern struct command_result saved_plan;

/* The profile goes into a file. */
void saved_plan_write(const struct saved_tables *how, const char *path);
void saved_plan_run(const struct saved_tables *how,
                    const char *const more[SAVED_PLAN_MORE]);
/* It has to end well, and `more` to have "--json"; json_decref() frees it. */
json_t *saved_plan_json(const struct saved_tables *how,
                        const char *const more[SAVED_PLAN_MORE]);
