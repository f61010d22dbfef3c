/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/leftovers.h -- what earlier reports left in a directory.
 *
 * Only files named as a report names them are touched.
 */
#pragma once
#include <stddef.h>

/* Remove figures and tables of a part beyond the `parts` there are now; 0: the
 * temporary files of reports that were killed, where none is running. */
void leftovers_remove(int dir, size_t parts);
