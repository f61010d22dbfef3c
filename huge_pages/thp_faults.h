/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/thp_faults.h -- what the kernel counts of page faults that wanted
 * a transparent huge page of one size: a proof for who may not see frames.
 *
 * The counts are the whole machine's.
 */
#pragma once
#include <stddef.h>

struct hp_thp_faults {
  size_t given, missed; /* since the machine started: got one, got none */
};

/* -1: ENOENT, this kernel does not count them. */
int hp_thp_faults_read(size_t page_bytes, struct hp_thp_faults *faults);

/* Of `pages` pages that were faulted in between, how many are of the size at
 * least?  Where others fault meanwhile, what they missed counts as ours; and
 * what they got cannot make up for it. */
size_t hp_thp_faults_given(const struct hp_thp_faults *before,
                           const struct hp_thp_faults *after, size_t pages);
