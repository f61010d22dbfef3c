/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/profile/two_sites.h"

#include <stdlib.h>

#include "experiments/profile/profile_walks.h"

void two_sites_make(struct profile *p, uint64_t misses, uint32_t gap,
                    unsigned back) {
  static const struct profile_place nowhere = {"", "", "", 0, 0};
  *p = (struct profile){0};
  p->trees = 1;
  p->totals.accesses = misses * gap;
  p->sites.site = calloc(3, sizeof *p->sites.site);
  p->sites.count = 3;
  for (int i = 0; i < 3; i++) {
    p->sites.site[i].name = "";
    p->sites.site[i].caller[0] = nowhere;
    p->sites.site[i].pages[0] = 4096;
  }
  profile_walks_add(p, 0, 1, 10, misses / 2);
  profile_walks_add(p, 1, 1, 10, misses / 4);
  profile_walks_add(p, 1, 0, 10, misses / 4); /* nothing huge there */
  p->flow.burst = calloc(TWO_SITES_BURSTS, sizeof *p->flow.burst);
  p->flow.wait =
      calloc(TWO_SITES_BURSTS * TWO_SITES_LENGTH, sizeof *p->flow.wait);
  p->flow.bursts = misses ? TWO_SITES_BURSTS : 0;
  for (size_t i = 0; i < p->flow.bursts; i++)
    p->flow.burst[i] = (struct profile_burst){1000,
                                              TWO_SITES_LENGTH,
                                              TWO_SITES_LENGTH * gap,
                                              TWO_SITES_LENGTH * gap,
                                              0,
                                              i * TWO_SITES_LENGTH};
  p->flow.waits = p->flow.bursts * TWO_SITES_LENGTH;
  for (size_t i = 0; i < p->flow.waits; i++)
    p->flow.wait[i] =
        (struct profile_wait){gap, i % TWO_SITES_LENGTH ? (uint16_t)back : 0,
                              10, i % 4 == 3 ? 0 : PROFILE_HUGE, i % 2};
}
