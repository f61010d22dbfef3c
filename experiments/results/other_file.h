/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/other_file.h -- what a file is that vat wrote as JSON. */
#pragma once
#include <stdbool.h>

/* "written by vat calibrate -o; fix: ..."; results files are named only if
 * `results`.  NULL: it is none of those that vat writes as JSON, or cannot be
 * read. */
const char *other_file(const char *path, bool results);
