/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data.h -- data of one's own: files read and written.
 *
 * A kind of data is what an algorithm says it takes (struct algo.data); each
 * has one form as text, and keys a binary one, too: doc/data-formats.md.
 * Nothing in a file is trusted.  What is wrong is reported as a sentence
 * "FILE:LINE: what; the fix", for the caller to print.
 */
#pragma once
#include "experiments/cli/options.h"
#include "experiments/data/data_source.h"

/* What algorithms work on, a file or what a generator makes, and where the
 * answer goes.  As typed; NULL where not given. */
struct data_options {
  const char *input, *queries, *output, *generator;
};

/* --input, --queries, --output and --generator, of a struct data_options. */
extern const struct option_row data_rows[];

/* Has the algorithm this generator?  An exit code, having printed which it
 * has. */
int data_check_generator(const struct algo *algo, const char *generator);

extern const struct data_kind *const data_kinds[]; /* NULL-ended */

/* The kind called `name`, or NULL. */
const struct data_kind *data_kind_find(const char *name);

/*
 * Read a file, and `queries`, as data->part[1], where it is not NULL; "-" is
 * standard input.  Returns 0, or -1 with `error`; then errno is ENOMEM where a
 * limit on this process is why.  Release with data_fini() in either case.
 */
int data_read(struct data *data, const struct data_kind *kind, const char *path,
              const char *queries, char error[DATA_ERROR]);
void data_fini(struct data *data); /* a zeroed one is fine */

/*
 * Write a file, which appears whole or not at all, or to a device or a pipe;
 * "-" is standard output.  Returns 0, or -1 with `error`: also where a signal
 * waits (driver/interrupt.h).
 */
int data_write(const struct data_kind *kind, const struct algo_data *answer,
               const char *path, char error[DATA_ERROR]);

/* Before there is anything to write: could it be?  As above. */
int data_write_try(const char *path, char error[DATA_ERROR]);
