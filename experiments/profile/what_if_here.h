/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/what_if_here.h -- this machine, calibrated for
 * `vat profile --what-if` where no --machine names a calibration.
 *
 * What others take of the caches changes within minutes, so the program's own
 * runs lie between two calibrations: one of what what-if goes by, and one that
 * measures its curves again.
 */
#pragma once
#include "experiments/profile/what_if_table.h"

/* Before: the first calibration of `table`; and the caches of `request`, unless
 * they were typed or are --from a file, become this processor's TLBs.  Returns
 * an exit code; dies of a signal, as calibrate() does. */
int what_if_here_before(struct what_if_table *table,
                        struct profile_request *request);
/* After: the second one.  Where it fails, the first one is used alone. */
void what_if_here_after(struct what_if_table *table,
                        const struct profile_request *request);
/* These caches, of a processor that reports none, by what was calibrated; a
 * level that was not found has no entries. */
struct tlb_shape what_if_here_tlbs(const struct calibration *cal);
