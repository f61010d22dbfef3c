/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/look_ups.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"

/* malloc() and free(), by whether the call is of several sites. */
static const double others_s[] = {1.4e-9, 11.1e-9},
                    chosen_s[] = {9.7e-9, 3.3e-9}, heap_s = .9e-9;

/* Where a site calls malloc(). */
struct call {
  const struct profile_frame *at;
  size_t site;
};

static int compare_calls(const void *x, const void *y) {
  const struct profile_frame *a = ((const struct call *)x)->at;
  const struct profile_frame *b = ((const struct call *)y)->at;
  int order = strcmp(a->object, b->object);
  return order ? order : order_words(a->offset, b->offset);
}

bool *look_ups_shared(const struct profile *profile) {
  const struct profile_sites *sites = &profile->sites;
  bool *shared = memory_zeroed(sites->count + 1, sizeof *shared);
  struct call *call = memory_zeroed(sites->count + 1, sizeof *call);
  size_t calls = 0;
  for (size_t i = 0; i < sites->count; i++) {
    const struct profile_site *site = &sites->site[i];
    if (!strcmp(site->kind, "heap") && site->chains)
      call[calls++] =
          (struct call){profile->chains.chain[site->chain].frame, i};
  }
  qsort(call, calls, sizeof *call, compare_calls);
  for (size_t i = 1; i < calls; i++)
    if (!compare_calls(&call[i - 1], &call[i]))
      shared[call[i - 1].site] = shared[call[i].site] = true;
  free(call);
  return shared;
}

double look_ups_all(const struct profile *profile, const bool *shared) {
  double s = 0;
  for (size_t i = 0; i < profile->sites.count; i++)
    if (!strcmp(profile->sites.site[i].kind, "heap"))
      s += others_s[shared[i]] * (double)profile->sites.site[i].blocks;
  return s;
}

double look_ups_heap(const struct profile *profile) {
  double s = 0;
  for (size_t i = 0; i < profile->sites.count; i++)
    if (!strcmp(profile->sites.site[i].kind, "heap"))
      s += heap_s * (double)profile->sites.site[i].blocks;
  return s;
}

double look_ups_chosen(const struct profile_site *site, bool shared) {
  uint64_t large = site->large, blocks = site->blocks;
  return blocks > large ? chosen_s[shared] * (double)(blocks - large) : 0;
}
