/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/leftovers.h -- what earlier reports left in a directory.
 *
 * Only files named as a report names them are touched.
 */
#pragma once
#include "experiments/report/report_page.h"

/* Remove figures and tables that the `count` parts there are now have not; 0:
 * the temporary files of reports that were killed, where none is running. */
void leftovers_remove(int dir, const struct report_part *parts, size_t count);
