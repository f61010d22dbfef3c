/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/doctor/doctor.h"

void examine_counters(struct findings *findings,
                      const struct counters *counters) {
  for (size_t i = 0; i < counters_count(counters); i++) {
    const struct counter_info *info = counters_info(counters, i);
    if (info->present)
      findings_ok(findings, info->name, "%s", info->source);
    else
      findings_lack(findings, info->name, info->mend, "%s", info->why);
  }
}
