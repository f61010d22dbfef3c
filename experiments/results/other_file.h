/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/other_file.h -- a file of one command, given where that
 * of another is wanted. */
#pragma once
#include <stddef.h>

#define FILE_PLAN "a plan of vat plan -o"
#define FILE_RESULTS "results of vat run -o"
#define FILE_CALIBRATION "a calibration of vat calibrate -o"
#define FILE_COMPARED "the output of vat compare --json"
#define FILE_WHAT_IF "the output of vat profile --what-if --json"
#define FILE_SAVED "a profile of vat profile --save"

/* What is wrong with `path`, as said in `error`, is what it is: "PATH: not
 * WANTED, but ...; to use it: ...".  Nothing is said of what is wanted, nor of
 * files that vat does not write as JSON.  Leaves errno. */
void other_file(const char *path, const char *wanted, char *error,
                size_t error_size);
