/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/whatif/what_if.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Who is given larger pages. */
enum { NOBODY = -1, EVERYBODY = -2 };

/* How misses wait for each other. */
enum waiting { AS_FOUND, FOR_NONE, FOR_THE_LAST };

struct law {
  const struct what_if_input *input;
  const struct overlap_machine *machine;
  enum waiting waiting;
  struct overlap_miss *misses; /* room for the longest burst's */
  double *weight;              /* of bursts */
  double instructions;         /* of the program */
  double base_ns;
};

static uint32_t waits_for(const struct law *law,
                          const struct profile_wait *wait) {
  if (law->waiting == FOR_NONE) return 0;
  return law->waiting == FOR_THE_LAST ? 1 : wait->back;
}

/* Stores go on once their page is known; what they write waits elsewhere. */
static double burst_ns(const struct law *law, const struct profile_burst *burst,
                       const struct profile_wait *waits, long who) {
  const struct walk_costs *costs = &law->input->costs;
  for (uint64_t i = 0; i < burst->waits; i++) {
    const struct profile_wait *w = &waits[i];
    bool larger =
        w->flags & PROFILE_HUGE && (who == EVERYBODY || (long)w->site == who);
    law->misses[i] = (struct overlap_miss){
        .gap = w->gap,
        .back = waits_for(law, w),
        .walk_ns = costs->walk_ns[w->octave] +
                   (larger ? 0 : costs->saved_ns[w->octave]),
        .data_ns = w->flags & PROFILE_STORE ? 0 : costs->data_ns[w->octave]};
  }
  return overlap_ns(law->machine, law->base_ns, law->misses, burst->waits,
                    (double)burst->instructions);
}

/* ns that the program stalls. */
static double stalled(const struct law *law, long who) {
  const struct profile_flow *flow = &law->input->profile->flow;
  const struct profile_wait *waits = flow->wait;
  double sum = 0;
  for (size_t i = 0; i < flow->bursts; waits += flow->burst[i++].waits)
    if (law->weight[i] > 0)
      sum +=
          law->weight[i] * (burst_ns(law, &flow->burst[i], waits, who) -
                            law->base_ns * (double)flow->burst[i].instructions);
  return sum;
}

/* So that all of it takes the time that was measured: the more instructions
 * take by themselves, the longer it takes. */
static void find_base(struct law *law) {
  double all = law->input->time.user_s * 1e9;
  double low = 0, high = all / law->instructions;
  for (int i = 0; i < 30; i++) {
    law->base_ns = (low + high) / 2;
    if (law->base_ns * law->instructions + stalled(law, NOBODY) < all)
      low = law->base_ns;
    else
      high = law->base_ns;
  }
}

static double all_walks(const struct profile_site *site, int huge,
                        const double ns[WALK_OCTAVES]) {
  double sum = 0;
  for (int i = 0; i < WALK_OCTAVES; i++)
    sum += (double)site->walks[huge][i] * (ns ? ns[i] : 1);
  return sum;
}

/* Over all sites. */
static double total(const struct profile *profile, int huge,
                    const double ns[WALK_OCTAVES]) {
  double sum = 0;
  for (size_t i = 0; i < profile->sites.count; i++)
    sum += all_walks(&profile->sites.site[i], huge, ns);
  return sum;
}

/* A burst stands for the misses since the one before, so that all stand for
 * all. */
static int weigh(struct law *law) {
  const struct profile *profile = law->input->profile;
  const struct profile_flow *flow = &profile->flow;
  double misses = total(profile, 0, NULL) + total(profile, 1, NULL);
  double sum = 0, instructions = 0, accesses = 0;
  uint64_t longest = 0;
  law->weight = calloc(flow->bursts + 1, sizeof *law->weight);
  if (!law->weight) return -1;
  for (size_t i = 0; i < flow->bursts; i++) {
    const struct profile_burst *b = &flow->burst[i];
    if (b->waits) sum += (double)(b->period + b->waits);
    if (b->waits > longest) longest = b->waits;
  }
  for (size_t i = 0; i < flow->bursts; i++) {
    const struct profile_burst *b = &flow->burst[i];
    if (!b->waits) continue;
    law->weight[i] =
        misses * (double)(b->period + b->waits) / sum / (double)b->waits;
    instructions += law->weight[i] * (double)b->instructions;
    accesses += law->weight[i] * (double)b->accesses;
  }
  law->instructions =
      accesses > 0 ? instructions / accesses * (double)profile->totals.accesses
                   : 0;
  law->misses = calloc(longest + 1, sizeof *law->misses);
  return law->misses ? 0 : -1;
}

/* What the bursts' misses would save one by one. */
static double sampled(const struct law *law, long who) {
  const struct profile_flow *flow = &law->input->profile->flow;
  size_t next = 0;
  double sum = 0;
  for (size_t i = 0; i < flow->bursts; i++)
    for (uint64_t n = 0; n < flow->burst[i].waits; n++, next++) {
      const struct profile_wait *w = &flow->wait[next];
      if (w->flags & PROFILE_HUGE && (who == EVERYBODY || (long)w->site == who))
        sum += law->weight[i] * law->input->costs.saved_ns[w->octave];
    }
  return sum;
}

/* Of what `who`'s misses would save one by one, the share that is saved. */
static double exposed(struct law *law, double without, long who) {
  double alone = sampled(law, who);
  return alone > 0 ? (without - stalled(law, who)) / alone : 0;
}

static double overall(struct law *law, const struct overlap_machine *machine,
                      enum waiting waiting) {
  law->machine = machine;
  law->waiting = waiting;
  find_base(law);
  double without = stalled(law, NOBODY), all = law->input->time.user_s * 1e9;
  double told = without + law->base_ns * law->instructions;
  double share = exposed(law, without, EVERYBODY);
  /* Misses alone would take longer than all did: they are dearer on paper. */
  return told > all ? share * all / told : share;
}

enum { SITES_ALONE = 40 /* that are looked at by themselves; others share */ };

/* Each site alone; then scaled, so that together they save what all do. */
static void share_out(struct law *law, struct what_if *what, double exposure) {
  const struct profile *p = law->input->profile;
  const double *ns = law->input->costs.saved_ns;
  double without = stalled(law, NOBODY), sum = 0;
  for (size_t i = 0; i < p->sites.count; i++) {
    double alone = all_walks(&p->sites.site[i], 1, ns), share = exposure;
    if (alone > 0 && i < SITES_ALONE && sampled(law, (long)i) > 0)
      share = exposed(law, without, (long)i);
    what->sites[i].value = alone * share;
    sum += what->sites[i].value;
  }
  for (size_t i = 0; i < p->sites.count; i++) {
    double share = sum > 0 ? what->sites[i].value / sum : 0;
    what->sites[i] = (struct what_if_value){share * what->saved_s.value,
                                            share * what->saved_s.lo,
                                            share * what->saved_s.hi};
  }
}

/* Never all of it, nor less than nothing. */
static double bounded(double saved, double all) {
  return fmin(fmax(0, saved), 0.99 * all);
}

static int solve(struct law *law, struct what_if *what) {
  const struct what_if_input *input = law->input;
  const struct profile *p = input->profile;
  const struct what_if_time *time = &input->time;
  double alone = 1e-9 * total(p, 1, input->costs.saved_ns);
  double misses = total(p, 0, NULL) + total(p, 1, NULL);
  double found = 1, most = 1, least = 0;
  what->covered = misses > 0 ? total(p, 1, NULL) / misses : 0;
  what->alone_s = alone;
  what->overlap = NAN;
  what->base_ns = NAN;
  if (weigh(law)) return -1;
  if (law->instructions > 0) {
    most = overall(law, &input->machine_hi, FOR_THE_LAST);
    least = overall(law, &input->machine_lo, FOR_NONE);
    found = what->overlap = overall(law, &input->machine, AS_FOUND);
    what->base_ns = law->base_ns;
  }
  double lo = fmin(least, found), hi = fmax(most, found);
  what->saved_s.value = bounded(alone * found, time->user_s);
  what->saved_s.lo =
      bounded(1e-9 * total(p, 1, input->costs.saved_lo_ns) * lo, time->user_s);
  what->saved_s.hi =
      bounded(1e-9 * total(p, 1, input->costs.saved_hi_ns) * hi, time->user_s);
  what->ratio.value = 1 - what->saved_s.value / time->user_s;
  what->ratio.lo = 1 - bounded(what->saved_s.hi, time->lo_s) / time->lo_s;
  what->ratio.hi = 1 - bounded(what->saved_s.lo, time->hi_s) / time->hi_s;
  share_out(law, what, found);
  return 0;
}

int what_if_make(struct what_if *what, const struct what_if_input *input) {
  struct law law = {.input = input};
  *what = (struct what_if){0};
  what->sites = calloc(input->profile->sites.count + 1, sizeof *what->sites);
  int failed = what->sites ? solve(&law, what) : -1;
  free(law.misses);
  free(law.weight);
  if (!failed) return 0;
  what_if_fini(what);
  errno = ENOMEM;
  return -1;
}

void what_if_fini(struct what_if *what) {
  free(what->sites);
  *what = (struct what_if){0};
}
