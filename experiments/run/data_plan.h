/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/data_plan.h -- put the data that algorithms work on
 * into a plan, and write the answer.
 */
#pragma once
#include "experiments/data/data.h"
#include "experiments/run/driver.h"
#include "experiments/run/plan.h"

/*
 * Put generator and input, which is read into `data`, into a plan that has its
 * algorithms but no sizes yet; an input gives it one.  `sized`: sizes were
 * named.  An exit code, having printed what is wrong.
 */
int data_into_plan(const struct data_options *options, bool sized,
                   struct data *data, struct plan *plan);

/* Take over the data into a plan that was read from the results file `path`,
 * in place of `made`, by the options.  An exit code, as above: it must be of
 * the same generator and input. */
int data_resume(const struct data_options *options, const struct plan *made,
                struct plan *plan, const char *path);

/* Before anything is measured: is there one answer, and can it be written, to
 * another file than the `results` (NULL: not named)?  As above. */
int data_check_output(const struct data_options *options,
                      const struct plan *plan, const char *results);

/* Write the answer, where one was asked for.  As above. */
int data_write_answer(const struct data_options *options,
                      struct driver *driver);
