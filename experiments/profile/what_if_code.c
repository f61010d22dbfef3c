/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/what_if_code.h"

#include <math.h>

const struct what_if_code what_if_code_unknown = {{NAN, NAN, NAN},
                                                  {NAN, NAN, NAN}};

/* ns of walks that larger pages save. */
static double walks_ns(const struct what_if_input *in, double rate, int doubt) {
  const struct profile_code *code = &in->profile->code;
  double sum = 0;
  for (size_t i = 0; i < code->objects; i++)
    for (int o = 0; o < WALK_OCTAVES; o++)
      sum += (double)code->object[i].walks[1][o] *
             walk_price(&in->costs.at[o], rate, doubt).saved_ns;
  return sum;
}

/* What misses of data are there, and what do they save in the mean? */
static double data_misses(const struct what_if_input *in, double *mean_ns) {
  const struct profile_walks *walks = &in->profile->walks;
  double misses = 0, ns = 0;
  for (size_t i = 0; i < walks->count; i++) {
    const struct profile_walk *walk = &walks->walk[i];
    if (walk->where > 1) continue;
    misses += (double)walk->misses;
    ns += (double)walk->misses * in->costs.at[walk->octave].saved_slow;
  }
  *mean_ns = misses > 0 ? ns / misses : 0;
  return misses;
}

static double share(uint64_t part, uint64_t all) {
  return all ? (double)part / (double)all : 0;
}

/* Entries of the second level that code leaves to data: ns, one by one. */
static double data_ns(const struct what_if_input *in, double mean_ns) {
  const struct profile *p = in->profile;
  double fewer = (double)p->totals.misses[0][0] - (double)p->code.data_walks_2m;
  const struct profile_fetches *all = &p->code.totals;
  return fmax(0, fewer) * mean_ns *
         share(all->huge_walked, all->on[PROFILE_CODE_4K].walked);
}

void what_if_code_make(struct what_if_code *code,
                       const struct what_if_input *input,
                       const struct what_if *what) {
  const struct profile_fetches *all = &input->profile->code.totals;
  double user_s = input->time.user_s, mean_ns;
  *code = what_if_code_unknown;
  if (!input->profile->code.instructions) return;
  double walks = data_misses(input, &mean_ns);
  walks += (double)all->on[PROFILE_CODE_4K].walked;
  double rate = input->traffic * walks / user_s;
  double data = data_ns(input, mean_ns);
  double hits = (double)(all->huge_missed - all->huge_walked) *
                (isnan(input->costs.hit) ? 0 : input->costs.hit);
  double found = walks_ns(input, rate, 0) +
                 data * (isnan(what->overlap) ? 0 : what->overlap);
  double most = fmax(found, walks_ns(input, rate, 1) + data) + hits;
  code->saved_s = (struct what_if_value){fmin(1e-9 * found, 0.99 * user_s), 0,
                                         fmin(1e-9 * most, 0.99 * user_s)};
  code->ratio = what_if_ratio(&code->saved_s, &input->time);
}
