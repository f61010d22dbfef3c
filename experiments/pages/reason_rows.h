/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/reason_rows.h -- the reasons, and what their rows share.
 *
 * Internal to this folder. */
#pragma once
#include "experiments/pages/reasons.h"

extern const struct pages_reason reason_special, reason_copied, reason_file,
    reason_too_small, reason_unaligned;
extern const struct pages_reason reason_not_built, reason_pool_empty,
    reason_shared_off, reason_shared_not_advised, reason_off, reason_disabled,
    reason_advised_not, reason_stack, reason_not_advised, reason_userfaultfd;
extern const struct pages_reason reason_cgroup_limit, reason_no_free_block,
    reason_swapped, reason_merged, reason_forked, reason_partly_used,
    reason_locked, reason_touched_early;

/* Write a fix; what does not fit is cut. */
void reason_say(char fix[FIX_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

size_t reason_base_pages(const struct pages_part *part); /* of a huge page */
bool reason_is_advised(const struct pages_part *part);
