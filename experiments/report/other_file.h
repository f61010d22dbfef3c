/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/other_file.h -- what vat wrote that is no results file. */
#pragma once

/* "written by vat calibrate -o; fix: ..."; NULL: it is none of those that vat
 * writes as JSON, or cannot be read. */
const char *other_file(const char *path);
