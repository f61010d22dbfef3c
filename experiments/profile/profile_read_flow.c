/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks by their distance, and bursts of misses: experiments/valgrind/flow.h.
 */
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/profile_reading.h"
#include "experiments/profile/profile_walks.h"

enum { SITES_MOST = 65536 };

/* A site's number, which misses of bursts name. */
int profile_read_site_number(struct reading *r) {
  struct profile_flow *flow = &r->profile->flow;
  if (r->number[0] >= SITES_MOST)
    return reading_wrong(r, "no number of a site");
  if (!flow->site_of)
    flow->site_of = memory_zeroed(SITES_MOST, sizeof *flow->site_of);
  flow->site_of[r->number[0]] = (uint32_t)r->profile->sites.count - 1;
  return 0;
}

int profile_read_walks(struct reading *r) {
  if (r->number[0] >= PROFILE_WALKS)
    return reading_wrong(r, "neither 0 nor 1, nor of a plan");
  for (unsigned i = 0; i < PROFILE_OCTAVES; i++)
    profile_walks_add(r->profile, r->profile->sites.count - 1,
                      (unsigned)r->number[0], i, r->number[1 + i]);
  return 0;
}

int profile_read_burst(struct reading *r) {
  struct profile_flow *flow = &r->profile->flow;
  const uint64_t *n = r->number;
  *ARRAY_ADD(flow->burst, flow->bursts) =
      (struct profile_burst){n[0], 0, n[2], n[3], n[4], flow->waits};
  return 0;
}

int profile_read_wait(struct reading *r) {
  struct profile_flow *flow = &r->profile->flow;
  const uint64_t *n = r->number;
  if (!flow->bursts || !flow->site_of || n[0] > UINT32_MAX ||
      n[1] > flow->burst[flow->bursts - 1].waits || n[2] >= PROFILE_OCTAVES ||
      n[3] > 15 || n[4] >= SITES_MOST ||
      flow->site_of[n[4]] >= r->profile->sites.count)
    return reading_wrong(r, "no such miss");
  *ARRAY_ADD(flow->wait, flow->waits) =
      (struct profile_wait){(uint32_t)n[0], (uint16_t)n[1], (uint8_t)n[2],
                            (uint8_t)n[3], flow->site_of[n[4]]};
  flow->burst[flow->bursts - 1].waits++;
  return 0;
}
