/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/what_if.h"

#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/profile/what_if_terms.h"

/* Who is given larger pages. */
enum { NOBODY = -1, EVERYBODY = -2 };

/* How misses wait for each other. */
enum waiting { AS_FOUND, FOR_NONE, FOR_THE_LAST };

struct law {
  const struct what_if_input *input;
  const struct overlap_machine *machine;
  enum waiting waiting;
  double kept;                              /* of waits AS_FOUND, a share */
  int doubt;                                /* of prices */
  struct overlap_miss *misses;              /* room for the longest burst's */
  double *weight;                           /* of bursts */
  struct walk_price (*price)[WALK_OCTAVES]; /* of bursts */
  double instructions;                      /* of the program */
  double
      walks[2]; /* its misses, where no huge page can be, and where one can */
  double alone; /* ns that these would save one by one: alone() */
  double walk_saved, walk_left; /* ns that all walks take one by one: what
                                   larger pages would save of them, and not */
  double scale; /* what its misses would save one by one, to bursts' */
  double base_ns;
  unsigned steps; /* of STEPS that are done: saved() and share_out() */
};
enum { STEPS = 6 };

/* Those AS_FOUND by lot, but the same each time, and fewer of a smaller share.
 */
static uint32_t waits_for(const struct law *law,
                          const struct profile_wait *wait) {
  uint64_t number = (uint64_t)(wait - law->input->profile->flow.wait) + 1;
  uint64_t lot = number * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / phi */
  if (law->waiting != AS_FOUND) return law->waiting == FOR_THE_LAST;
  return (double)(lot >> 11) * 0x1p-53 < law->kept ? wait->back : 0;
}

static bool is_given(const struct law *law, const struct profile_wait *wait,
                     long who) {
  int flag = law->input->planned ? PROFILE_PLANNED : PROFILE_HUGE;
  bool all = law->input->given && law->input->given[wait->site];
  return (wait->flags & flag || all) &&
         (who == EVERYBODY || (long)wait->site == who);
}

/* Stores go on once their page is known; what they write waits elsewhere. */
static double burst_ns(const struct law *law, size_t number, long who) {
  const struct profile_flow *flow = &law->input->profile->flow;
  const struct profile_burst *burst = &flow->burst[number];
  for (uint64_t i = 0; i < burst->waits; i++) {
    const struct profile_wait *w = &flow->wait[burst->first + i];
    const struct walk_price *price = &law->price[number][w->octave];
    law->misses[i] = (struct overlap_miss){
        .gap = w->gap,
        .back = waits_for(law, w),
        .walk_ns =
            price->walk_ns + (is_given(law, w, who) ? 0 : price->saved_ns),
        .data_ns = w->flags & PROFILE_STORE ? 0 : price->data_ns};
  }
  return overlap_ns(law->machine, law->base_ns, law->misses, burst->waits,
                    (double)burst->instructions);
}

/* ns that the program stalls. */
static double stalled(const struct law *law, long who) {
  const struct profile_flow *flow = &law->input->profile->flow;
  double sum = 0;
  for (size_t i = 0; i < flow->bursts; i++)
    if (law->weight[i] > 0)
      sum +=
          law->weight[i] * (burst_ns(law, i, who) -
                            law->base_ns * (double)flow->burst[i].instructions);
  return sum;
}

/* `part` of the step that goes on is done, 0 to 1. */
static void tick(const struct law *law, double part) {
  if (law->input->tick)
    law->input->tick(law->input->context, (law->steps + part) / STEPS);
}

/* ns that all of it takes by this law. */
static double told_ns(const struct law *law) {
  return stalled(law, NOBODY) + law->base_ns * law->instructions;
}

/* ns more than were measured, where an instruction takes base_ns by itself. */
static double excess(struct law *law, double base_ns) {
  law->base_ns = base_ns;
  return told_ns(law) - law->input->time.user_s * 1e9;
}

/* So that all of it takes the time that was measured: the more instructions
 * take by themselves, the longer it takes.  But what they wait for otherwise,
 * such as data without a miss, hides no walk: no more than a cycle each does.
 * Every step goes through the bursts: the method of false position (the
 * Illinois variant) takes a sixth of those of halving. */
static void find_base(struct law *law) {
  const double near = 1e-7 * law->input->time.user_s * 1e9;
  double low = 0, high = law->input->cycle_ns;
  double below = excess(law, low);
  if (below >= 0) return;
  double above = excess(law, high);
  if (above <= 0) return;
  for (int i = 0, side = 0; i < 30; i++) {
    double at = (low * above - high * below) / (above - below);
    double more = excess(law, at);
    if (fabs(more) <= near) return;
    if (more > 0) {
      high = at;
      above = more;
      if (side > 0) below /= 2;
      side = 1;
    } else {
      low = at;
      below = more;
      if (side < 0) above /= 2;
      side = -1;
    }
  }
}

/* By the rate of each burst's misses; 0 for a rate: that of a chase. */
static void set_prices(struct law *law, const double *rates) {
  const struct profile_flow *flow = &law->input->profile->flow;
  for (size_t b = 0; b < flow->bursts; b++)
    for (int i = 0; i < WALK_OCTAVES; i++)
      law->price[b][i] = walk_price(&law->input->costs.at[i],
                                    rates ? rates[b] : 0, law->doubt);
}

/* At the prices of a chase first, which tell the bursts' rates: of lines, of
 * which what accesses a cache faster has more. */
static void find_prices(struct law *law) {
  const struct profile_flow *flow = &law->input->profile->flow;
  set_prices(law, NULL);
  find_base(law);
  if (!what_if_has(law->input->without, WHAT_IF_PACE)) return;
  double *rates = memory_zeroed(flow->bursts + 1, sizeof *rates);
  for (size_t i = 0; i < flow->bursts; i++)
    if (law->weight[i] > 0)
      rates[i] = law->input->traffic * 1e9 * (double)flow->burst[i].waits /
                 burst_ns(law, i, NOBODY);
  set_prices(law, rates);
  find_base(law);
  free(rates);
}

/* Those of a site's misses that can be given larger pages. */
static double given_of(const struct law *law, const struct profile_walk *walk) {
  bool all = law->input->given && law->input->given[walk->site];
  bool given = all                   ? walk->where < 2
               : law->input->planned ? walk->where == 2
                                     : walk->where == 1;
  return given ? (double)walk->misses : 0;
}

/* What a site's misses would save one by one, at the prices of a chase. */
static double alone(const struct law *law, size_t number) {
  const struct profile *profile = law->input->profile;
  const struct profile_site *site = &profile->sites.site[number];
  double sum = 0;
  for (size_t i = 0; i < site->walks; i++) {
    const struct profile_walk *walk = &profile->walks.walk[site->walk + i];
    sum += given_of(law, walk) * law->input->costs.at[walk->octave].saved_slow;
  }
  return sum;
}

static void add_up(struct law *law) {
  const struct profile *profile = law->input->profile;
  for (size_t i = 0; i < profile->sites.count; i++) law->alone += alone(law, i);
  for (size_t i = 0; i < profile->walks.count; i++) {
    const struct profile_walk *walk = &profile->walks.walk[i];
    double given = given_of(law, walk);
    double all = walk->where < 2 ? (double)walk->misses : 0;
    const struct walk_cost *cost = &law->input->costs.at[walk->octave];
    law->walks[0] += all - given;
    law->walks[1] += given;
    law->walk_saved += all * cost->saved_slow;
    law->walk_left += all * cost->walk;
  }
}

/* What the bursts' misses would save one by one; at their own prices, or those
 * of a chase. */
static double sampled(const struct law *law, long who, bool own) {
  const struct profile_flow *flow = &law->input->profile->flow;
  double sum = 0;
  for (size_t i = 0; i < flow->bursts; i++)
    for (uint64_t n = 0; n < flow->burst[i].waits; n++) {
      const struct profile_wait *w = &flow->wait[flow->burst[i].first + n];
      if (is_given(law, w, who))
        sum +=
            law->weight[i] * (own ? law->price[i][w->octave].saved_ns
                                  : law->input->costs.at[w->octave].saved_slow);
    }
  return sum;
}

/* A burst stands for the misses since the one before, so that all stand for
 * all. */
static void weigh(struct law *law) {
  const struct profile *profile = law->input->profile;
  const struct profile_flow *flow = &profile->flow;
  double misses = law->walks[0] + law->walks[1];
  double sum = 0, instructions = 0, accesses = 0;
  uint64_t longest = 0;
  law->weight = memory_zeroed(flow->bursts + 1, sizeof *law->weight);
  law->price = memory_zeroed(flow->bursts + 1, sizeof *law->price);
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
  law->misses = memory_zeroed(longest + 1, sizeof *law->misses);
}

/* What waits for a branch that was guessed wrong need not: the wrong way often
 * leads to the same memory.  So where misses that wait as they were found to
 * would take longer than all did, so many of them wait that they do not. */
static void find_kept(struct law *law) {
  enum { HALVINGS = 10 };
  /* A thousandth more is what find_base() and these halvings are good for. */
  double all = law->input->time.user_s * 1e9 * 1.001, low = 0, high = 1;
  law->kept = 1;
  tick(law, 0);
  find_prices(law);
  if (law->waiting != AS_FOUND || told_ns(law) <= all) return;
  if (!what_if_has(law->input->without, WHAT_IF_EARLY)) return;
  for (int i = 0; i < HALVINGS; i++) {
    tick(law, (i + 1.) / (HALVINGS + 1));
    law->kept = (low + high) / 2;
    find_prices(law);
    if (told_ns(law) > all)
      high = law->kept;
    else
      low = law->kept;
  }
}

/* ns that are saved where everybody is given larger pages. */
static double saved(struct law *law, const struct overlap_machine *machine,
                    enum waiting waiting, int doubt) {
  law->machine = machine;
  law->waiting = waiting;
  law->doubt = doubt;
  find_kept(law);
  double without = stalled(law, NOBODY), all = law->input->time.user_s * 1e9;
  double told = told_ns(law);
  double ns = law->scale * (without - stalled(law, EVERYBODY));
  law->steps++;
  /* Misses alone would take longer than all did: they are dearer on paper. */
  return told > all ? ns * all / told : ns;
}

enum { SITES_ALONE = 40 /* that are looked at by themselves; others share */ };

/* Each site alone; then scaled, so that together they save what all do. */
static void share_out(const struct law *law, struct what_if *what) {
  const struct profile *p = law->input->profile;
  double without = stalled(law, NOBODY), sum = 0;
  double all = sampled(law, EVERYBODY, false);
  double together = without - stalled(law, EVERYBODY);
  double share = all > 0 ? together / all : 1;
  for (size_t i = 0; i < p->sites.count; i++) {
    double one = alone(law, i), own = 0;
    tick(law, fmin(1, (double)i / SITES_ALONE));
    if (one > 0 && i < SITES_ALONE) own = sampled(law, (long)i, false);
    what->sites[i].value =
        one * (own > 0 ? (without - stalled(law, (long)i)) / own : share);
    sum += what->sites[i].value;
  }
  /* Where each only waits for the others, none saves anything alone. */
  bool jointly = !(sum > 1e-3 * law->scale * together);
  for (size_t i = 0; jointly && i < p->sites.count; i++)
    what->sites[i].value = alone(law, i) * share;
  if (jointly) sum = law->alone * share;
  for (size_t i = 0; i < p->sites.count; i++) {
    double part = sum > 0 ? what->sites[i].value / sum : 0;
    what->sites[i] = (struct what_if_value){part * what->saved_s.value,
                                            part * what->saved_s.lo,
                                            part * what->saved_s.hi};
  }
}

/* Never all of it, nor less than nothing. */
static double bounded(double ns, double user_s) {
  return fmin(fmax(0, 1e-9 * ns), 0.99 * user_s);
}

/* With bursts.  What is not known of the machine and of what overlaps is
 * independent. */
static void solve(struct law *law, struct what_if *what) {
  const struct what_if_input *in = law->input;
  double user_s = in->time.user_s;
  double bursts = sampled(law, EVERYBODY, false);
  law->scale = bursts > 0 ? law->alone / bursts : 0;
  double most = saved(law, &in->machine_hi, FOR_THE_LAST, 0);
  double least = saved(law, &in->machine_lo, FOR_NONE, 0);
  enum waiting as_told =
      what_if_has(in->without, WHAT_IF_OVERLAP) ? AS_FOUND : FOR_THE_LAST;
  double dear = saved(law, &in->machine, as_told, 1);
  double cheap = saved(law, &in->machine, as_told, -1);
  double found = saved(law, &in->machine, as_told, 0);
  double less = hypot(fmax(0, found - least), fmax(0, found - cheap));
  double more = hypot(fmax(0, most - found), fmax(0, dear - found));
  what->saved_s = (struct what_if_value){bounded(found, user_s),
                                         bounded(found - less, user_s),
                                         bounded(found + more, user_s)};
  what->alone_s = 1e-9 * law->scale * sampled(law, EVERYBODY, true);
  what->overlap = what->alone_s > 0 ? what->saved_s.value / what->alone_s : 0;
  what->base_ns = law->base_ns;
}

/* A ratio that is measured differs by what runs differ by, too. */
struct what_if_value what_if_ratio(const struct what_if_value *saved,
                                   const struct what_if_time *time) {
  double noise = (time->hi_s - time->lo_s) / 2 / time->user_s;
  double value = 1 - saved->value / time->user_s;
  double down = (saved->hi - saved->value) / time->user_s;
  double up = (saved->value - saved->lo) / time->user_s;
  return (struct what_if_value){value, fmax(0, value - hypot(down, noise)),
                                value + hypot(up, noise)};
}

/* Each burst stands for its period. */
double what_if_traffic(const struct profile *profile) {
  double misses = 0, fills = 0;
  for (size_t i = 0; i < profile->flow.bursts; i++) {
    const struct profile_burst *b = &profile->flow.burst[i];
    double weight = (double)(b->period + b->waits);
    if (!b->waits) continue;
    misses += weight;
    fills += weight / (double)b->waits * (double)b->fills;
  }
  return misses > 0 ? fmax(1, (1 + fills / misses) / 2) : 1;
}

void what_if_make(struct what_if *what, const struct what_if_input *input) {
  struct law law = {.input = input};
  *what = (struct what_if){.base_ns = NAN, .overlap = NAN};
  what->sites =
      memory_zeroed(input->profile->sites.count + 1, sizeof *what->sites);
  add_up(&law);
  double misses = law.walks[0] + law.walks[1];
  what->covered = misses > 0 ? law.walks[1] / misses : 0;
  weigh(&law);
  if (law.instructions > 0) {
    solve(&law, what);
    share_out(&law, what);
  } else { /* too few misses for a burst: at most they all count */
    what->alone_s = 1e-9 * law.alone;
    what->saved_s.hi = bounded(1e9 * what->alone_s, input->time.user_s);
  }
  double own = law.alone > 0 ? 1e9 * what->alone_s / law.alone : 1;
  what->walks_s = 1e-9 * (own * law.walk_saved + law.walk_left);
  what->at_once = 1;
  if (what->overlap > 0 && what->overlap < 1)
    what->at_once = fmin(fmax(1, input->machine.walkers), 1 / what->overlap);
  what->ratio = what_if_ratio(&what->saved_s, &input->time);
  what->translation = what->ratio;
  free(law.misses);
  free(law.weight);
  free(law.price);
}

void what_if_fini(struct what_if *what) {
  free(what->sites);
  *what = (struct what_if){0};
}
