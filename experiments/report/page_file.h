/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/page_file.h -- a page of its own in a report's directory.
 */
#pragma once
#include <stdio.h>

#include "experiments/results/results.h"

/* Write what `print` prints of `of` as the file `name` of the directory `dir`,
 * made where absent.  An exit code, with `error` a sentence. */
int page_file_write(const char *dir, const char *name,
                    void (*print)(FILE *page, const void *of), const void *of,
                    char error[RESULTS_ERROR_SIZE]);
