/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/pages/reason_rows.h -- the reasons, which reasons.c lists. */
#pragma once
#include "experiments/pages/reason.h"

extern const struct pages_reason reason_special, reason_copied, reason_file,
    reason_too_small, reason_unaligned;
extern const struct pages_reason reason_not_built, reason_pool_empty,
    reason_shared_off, reason_shared_not_advised, reason_off, reason_disabled,
    reason_advised_not, reason_stack, reason_not_advised, reason_userfaultfd;
extern const struct pages_reason reason_cgroup_limit, reason_no_free_block,
    reason_swapped, reason_merged, reason_forked, reason_partly_used,
    reason_locked, reason_touched_early;
