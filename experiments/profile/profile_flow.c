/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tool found out for the what-if: experiments/valgrind/flow.h. */
#include "experiments/profile/profile_flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/array.h"
#include "experiments/cli/memory.h"

enum { NUMBERS = 65536 }; /* of a process's sites */

/* So many numbers, and nothing behind them. */
static int flow_read_numbers(const char *text, uint64_t *values, size_t count,
                             const char **why) {
  char *end;
  for (size_t i = 0; i < count; i++) {
    text += strspn(text, " ");
    errno = 0;
    values[i] = strtoull(text, &end, 10);
    *why = "a number is missing";
    if (end == text || *text == '-' || *text == '+' || errno) return -1;
    text = end;
  }
  *why = "more numbers than there should be";
  return *text ? -1 : 0;
}

static struct profile_site *last_site(struct profile *profile) {
  return &profile->sites.site[profile->sites.count - 1];
}

int profile_flow_number(struct profile *profile, const char *text,
                        const char **why) {
  struct profile_flow *flow = &profile->flow;
  uint64_t number;
  if (flow_read_numbers(text, &number, 1, why)) return -1;
  *why = "no number of a site";
  if (number >= NUMBERS) return -1;
  if (!flow->site_of)
    flow->site_of = memory_zeroed(NUMBERS, sizeof *flow->site_of);
  flow->site_of[number] = (uint32_t)profile->sites.count - 1;
  return 0;
}

int profile_flow_walks(struct profile *profile, const char *text,
                       const char **why) {
  uint64_t values[1 + PROFILE_OCTAVES];
  if (flow_read_numbers(text, values, 1 + PROFILE_OCTAVES, why)) return -1;
  *why = "neither 0 nor 1";
  if (values[0] > 1) return -1;
  memcpy(last_site(profile)->walks[values[0]], values + 1,
         sizeof last_site(profile)->walks[0]);
  return 0;
}

int profile_flow_burst(struct profile *profile, const char *text,
                       const char **why) {
  struct profile_flow *flow = &profile->flow;
  uint64_t values[5];
  if (flow_read_numbers(text, values, 5, why)) return -1;
  *ARRAY_ADD(flow->burst, flow->bursts) =
      (struct profile_burst){values[0], 0, values[2], values[3], values[4]};
  return 0;
}

int profile_flow_wait(struct profile *profile, const char *text,
                      const char **why) {
  struct profile_flow *flow = &profile->flow;
  uint64_t values[5];
  if (flow_read_numbers(text, values, 5, why)) return -1;
  *why = "no such miss";
  if (!flow->bursts || !flow->site_of || values[0] > UINT32_MAX ||
      values[1] > flow->burst[flow->bursts - 1].waits ||
      values[2] >= PROFILE_OCTAVES || values[3] > 7 || values[4] >= NUMBERS ||
      flow->site_of[values[4]] >= profile->sites.count)
    return -1;
  *ARRAY_ADD(flow->wait, flow->waits) = (struct profile_wait){
      (uint32_t)values[0], (uint16_t)values[1], (uint8_t)values[2],
      (uint8_t)values[3], flow->site_of[values[4]]};
  flow->burst[flow->bursts - 1].waits++;
  return 0;
}

void profile_flow_begin_merge(struct profile *profile) {
  struct profile_flow *flow = &profile->flow;
  size_t count = profile->sites.count;
  flow->owner = memory_zeroed(count + 1, sizeof *flow->owner);
  for (size_t i = 0; i < count; i++)
    flow->owner[i] = profile->sites.site[i].id = i;
}

void profile_flow_merge(struct profile *profile, size_t to, size_t from) {
  struct profile_site *a = &profile->sites.site[to],
                      *b = &profile->sites.site[from];
  profile->flow.owner[b->id] = a->id;
  for (int huge = 0; huge < 2; huge++)
    for (int i = 0; i < PROFILE_OCTAVES; i++)
      a->walks[huge][i] += b->walks[huge][i];
}

void profile_flow_end_merge(struct profile *profile) {
  struct profile_flow *flow = &profile->flow;
  size_t most = 0;
  for (size_t i = 0; i < profile->sites.count; i++)
    if (profile->sites.site[i].id > most) most = profile->sites.site[i].id;
  size_t *place = memory_zeroed(most + 1, sizeof *place);
  for (size_t i = 0; i < profile->sites.count; i++)
    place[profile->sites.site[i].id] = i;
  for (size_t i = 0; i < flow->waits; i++)
    flow->wait[i].site = (uint32_t)place[flow->owner[flow->wait[i].site]];
  free(place);
}

void profile_flow_fini(struct profile_flow *flow) {
  free(flow->wait);
  free(flow->burst);
  free(flow->site_of);
  free(flow->owner);
}
