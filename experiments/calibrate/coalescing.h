/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/coalescing.h -- does one TLB entry serve several base
 * pages whose frames are contiguous?
 *
 * The same chase over the same addresses, with their frames in runs of 1, 2,
 * 4, 8 and 16 pages (huge_pages/frame_runs.h): an entry that joins pages lets
 * the TLB reach as many times as far.
 */
#pragma once
#include "experiments/calibrate/measure.h"

/*
 * Fill cal->coalescing, on at most `bytes` of memory, until `until_s`.  The
 * levels of `cal` have reported sizes.  `time` as of measure(); signals must be
 * armed.  Returns 0, or -1 with errno EINTR.
 */
int coalescing_measure(struct calibration *cal, size_t bytes, double until_s,
                       const struct measure_time *time,
                       struct progress *progress);
