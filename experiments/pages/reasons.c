/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/reasons.h"

#include <config.h>

#include "experiments/pages/reason_rows.h"

const struct pages_reason *const pages_reasons[] = {&reason_special,
                                                    &reason_copied,
                                                    &reason_file,
                                                    &reason_too_small,
                                                    &reason_unaligned,
                                                    &reason_not_built,
                                                    &reason_pool_empty,
                                                    &reason_shared_off,
                                                    &reason_disabled,
                                                    &reason_stack,
                                                    &reason_off,
                                                    &reason_advised_not,
                                                    &reason_shared_not_advised,
                                                    &reason_not_advised,
                                                    &reason_userfaultfd,
                                                    &reason_cgroup_limit,
                                                    &reason_no_free_block,
                                                    &reason_swapped,
                                                    &reason_merged,
                                                    &reason_forked,
                                                    &reason_partly_used,
                                                    &reason_locked,
                                                    &reason_touched_early,
                                                    NULL};

const struct pages_reason *pages_reason_of(const struct pages_part *part) {
  size_t i = 0;
  while (!pages_reasons[i]->holds(part)) i++;
  return pages_reasons[i];
}

bool pages_reason_alone(const struct pages_reason *reason,
                        const struct pages_part *part) {
  if (reason->kind == REASON_NATURE) return false;
  if (reason == &reason_pool_empty) return true; /* that pool heeds no other */
  for (size_t i = 0; pages_reasons[i]; i++) {
    const struct pages_reason *other = pages_reasons[i];
    if (other != reason && other->kind != REASON_STATE && other->holds(part))
      return false;
  }
  return true;
}
