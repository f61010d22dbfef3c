/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/what_if_fault_time.h"

#include <math.h>
#include <string.h>

#include "experiments/profile/profile_walks.h"

static const double base = 4096;

/* Cycles of a fault that count as the program's, as twelve runs on a Zen 4 had
 * them that touch each page of 1 GiB once; they differ by as much as half. */
static const double fault_cycles = 590, doubt = .5;

static double faults_of(const struct profile *profile) {
  double sum = 0;
  for (size_t i = 0; i < profile->sites.count; i++)
    sum += (double)profile->sites.site[i].faults;
  return sum;
}

/* Half of the time at most: the price is of another machine, perhaps. */
struct what_if_fault_time what_if_fault_time(const struct profile *profile,
                                             double cycle_ns, double faults,
                                             double user_s) {
  double told = faults_of(profile);
  if (!profile->has_faults || !(told > 0) || !(faults > 0))
    return (struct what_if_fault_time){0};
  return (struct what_if_fault_time){
      fmin(1e-9 * cycle_ns * fault_cycles, user_s / 2 / faults), faults / told};
}

struct what_if_time what_if_without_faults(const struct what_if_input *input) {
  const struct what_if_time *time = &input->time;
  double s =
      input->faults.user_s * input->faults.scale * faults_of(input->profile);
  double left = s > 0 ? 1 - s / time->user_s : 1;
  return (struct what_if_time){time->user_s * left, time->lo_s * left,
                               time->hi_s * left};
}

/* The part of a site that is given larger pages, by its misses. */
static double given(const struct what_if_input *input, size_t number) {
  const struct profile *profile = input->profile;
  const struct profile_site *site = &profile->sites.site[number];
  double here = profile_walks_sum(profile, site, 1);
  double all = here + profile_walks_sum(profile, site, 0);
  if (!(all > 0) || !strcmp(site->kind, "shared")) return 0;
  if (input->given && input->given[number]) return 1;
  if (input->planned) here = profile_walks_sum(profile, site, 2);
  return fmin(1, here / all);
}

double what_if_fault_s(const struct what_if_input *input, size_t site,
                       double page_bytes) {
  double faults =
      input->faults.scale * (double)input->profile->sites.site[site].faults;
  return input->faults.user_s * faults * given(input, site) *
         (1 - base / page_bytes);
}

static void widen(struct what_if_value *to, double s) {
  double down = to->value - to->lo, up = to->hi - to->value;
  to->value += s;
  to->lo = to->value - hypot(down, doubt * s);
  to->hi = to->value + hypot(up, doubt * s);
}

void what_if_add_fault_time(struct what_if *what,
                            const struct what_if_input *input) {
  double all = 0;
  for (size_t i = 0; i < input->profile->sites.count; i++) {
    double s = what_if_fault_s(input, i, input->page_bytes);
    widen(&what->sites[i], s);
    all += s;
  }
  widen(&what->saved_s, all);
  what->ratio = what_if_ratio(&what->saved_s, &input->time);
}
