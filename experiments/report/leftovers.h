/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/leftovers.h -- what earlier reports left in a directory.
 *
 * Only files named as a report names them are touched.
 */
#pragma once
#include <stddef.h>

/* Remove temporary files of reports that were killed; none must be running. */
void leftovers_remove_temporaries(int dir);

/* Remove figures and tables of a part beyond the `parts` there are now. */
void leftovers_remove_parts(int dir, size_t parts);
