/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses within the budget, and fills the plan. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/cli/human.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/order.h"
#include "experiments/profile/leave_out.h"
#include "experiments/profile/planning.h"
#include "experiments/profile/priced_chooser.h"
#include "experiments/profile/small_blocks.h"
#include "huge_pages/region.h"

/* Budgets of the curve: so many between one and twice as much. */
enum { STEPS = 8, ENDS = 64, BUDGETS = 64 * STEPS };

static int compare_budgets(const void *x, const void *y) {
  return order_words(*(const uint64_t *)x, *(const uint64_t *)y);
}

/* Where the first items end, by saving per byte. */
static size_t add_ends(const struct chooser_list *list, uint64_t page,
                       uint64_t *budget) {
  size_t count = 0;
  for (; count < list->count && count < ENDS; count++)
    budget[count] =
        (list->entry[count + 1].bytes_before + page - 1) / page * page;
  return count;
}

/* From nothing, and from one page in even steps of a logarithm to all; where
 * items end; and what was asked for.  How many. */
static size_t budgets(const struct chooser *chooser, uint64_t page,
                      uint64_t all, uint64_t asked, uint64_t budget[BUDGETS]) {
  size_t count = 0, kept = 0;
  budget[count++] = 0;
  for (int i = 0; i < 2; i++)
    count += add_ends(&chooser->list[i], page, &budget[count]);
  for (int i = 0; count < BUDGETS - 2; i++) {
    uint64_t pages = (uint64_t)exp2((double)i / STEPS);
    if (pages * page >= all) break;
    budget[count++] = pages * page;
  }
  budget[count++] = all;
  budget[count++] = asked < all ? asked : all;
  qsort(budget, count, sizeof *budget, compare_budgets);
  for (size_t i = 1; i < count; i++)
    if (budget[i] != budget[kept] && budget[i] <= all)
      budget[++kept] = budget[i];
  return kept + 1;
}

/* What shares pages is in whole ones, all together. */
static uint64_t whole_pages(const struct planning *p, uint64_t bytes) {
  return (bytes + p->all.page - 1) / p->all.page * p->all.page;
}

static struct what_if_value sum_of(const struct candidates *all,
                                   const bool *chosen) {
  struct what_if_value sum = {0, 0, 0};
  for (size_t i = 0; i < all->count; i++)
    if (chosen[i]) {
      sum.value += all->at[i].saved.value;
      sum.lo += all->at[i].saved.lo;
      sum.hi += all->at[i].saved.hi;
    }
  return sum;
}

/* Less the time that this way of choosing takes.  By touch, look-ups are all
 * that changes user time. */
static struct plan_ratio ratio_of(const struct planning *p, const bool *chosen,
                                  const struct priced_choice *plan,
                                  double look_ups_s) {
  struct plan_ratio none = {NAN, NAN, NAN};
  struct what_if_value saved = {0, 0, 0};
  double less_s = p->by_touch ? look_ups_s : plan->look_ups_s;
  if (!p->what) return none;
  if (!p->by_touch) saved = sum_of(&p->all, chosen);
  saved.value -= less_s;
  saved.lo -= less_s;
  saved.hi -= less_s;
  struct what_if_value ratio = what_if_ratio(&saved, &p->table.native.time);
  if (isnan(saved.lo)) ratio.lo = ratio.hi = NAN;
  return (struct plan_ratio){ratio.value, ratio.lo, ratio.hi};
}

/* --- choices --- */

static char *where_of(const struct planning *p, const struct candidate *c) {
  char text[PROFILE_WHERE];
  if (c->site != CANDIDATE_NO_SITE)
    return memory_text(
        profile_site_where(&p->profile.sites.site[c->site], text));
  return memory_text(c->what == PLAN_HEAP ? "heap" : "");
}

/* Where its site is named after: for people. */
static void add_place(struct plan_frame *to, const struct profile_place *at) {
  if (!to->function && *at->function) to->function = memory_text(at->function);
  if (*at->file) to->file = memory_text(at->file);
  to->line = at->line;
}

/* The innermost frame of the code that its site is named after is where its
 * first caller is. */
static void copy_chain(struct frame_names *names, struct plan_chain *to,
                       const struct profile_chain *from,
                       const struct profile_site *site) {
  const struct profile_place *caller = &site->caller[0];
  bool placed = !site->callers;
  to->frames = from->frames;
  to->frame = memory_zeroed(from->frames, sizeof *to->frame);
  for (unsigned i = 0; i < from->frames; i++) {
    const struct profile_frame *frame = &from->frame[i];
    const char *name = frame_name(names, frame);
    to->frame[i] = (struct plan_frame){.object = memory_text(frame->object),
                                       .offset = frame->offset};
    if (name) to->frame[i].function = memory_text(name);
    if (placed || strcmp(frame->object, caller->object)) continue;
    add_place(&to->frame[i], caller);
    placed = true;
  }
}

/* What to write into the source, and where.  Small blocks and all of the heap
 * are in many places. */
static char *advice_of(const struct planning *p, const struct candidate *c) {
  char at[512], function[64];
  bool shared = c->what == PLAN_SHARED, thp = planning_is_thp(p);
  if (c->what != PLAN_SITE_LARGE && !shared) return NULL;
  const struct profile_site *site = &p->profile.sites.site[c->site];
  if (!site->callers || (!thp && !shared)) return NULL;
  const struct profile_place *caller = &site->caller[0];
  profile_place_where(caller, at);
  profile_place_function(caller, function);
  if (!thp)
    return memory_format(
        "%s (%s): MAP_HUGETLB for mmap(), MFD_HUGETLB for memfd_create(), "
        "SHM_HUGETLB for shmget(), or a file in a mount of hugetlbfs",
        at, function);
  uint64_t to = c->to < site->largest ? c->to : site->largest;
  if (c->to)
    return memory_format(
        "%s (%s): madvise((char *)p + %llu, %llu, "
        "MADV_HUGEPAGE)",
        at, function, (unsigned long long)c->from,
        (unsigned long long)(to - c->from));
  return memory_format("%s (%s): madvise(p, bytes, MADV_HUGEPAGE)", at,
                       function);
}

/* Of the larger pages, in the profile; 0: it has no counts of such. */
static unsigned tree_of(const struct planning *p) {
  char name[HP_NAME_SIZE];
  hp_page_name((size_t)planning_page(p), name);
  return profile_tree_named(&p->profile, name);
}

static void add_choice(struct planning *p, const struct candidate *c) {
  struct page_plan *plan = &p->plan;
  size_t misses = plan->choice_count;
  *ARRAY_ADD(p->choice_misses, misses) =
      tree_of(p) || !planning_is_small(p) ? c->misses : NAN;
  struct plan_choice *choice = ARRAY_ADD(plan->choices, plan->choice_count);
  *choice = (struct plan_choice){.where = where_of(p, c),
                                 .kind = memory_text("heap"),
                                 .what = c->what,
                                 .bytes = c->bytes,
                                 .saving_s = c->saved.value,
                                 .lo = c->saved.lo,
                                 .hi = c->saved.hi,
                                 .from = c->from,
                                 .to = c->to,
                                 .madvise = advice_of(p, c)};
  if (c->what == PLAN_DATA) choice->kind[0] = '\0';
  if (c->site == CANDIDATE_NO_SITE) return;
  const struct profile_site *site = &p->profile.sites.site[c->site];
  free(choice->kind);
  choice->kind = memory_text(site->kind);
  choice->least_bytes = PROFILE_UNIT;
  choice->chains = memory_zeroed(site->chains, sizeof *choice->chains);
  choice->chain_count = site->chains;
  for (size_t i = 0; i < site->chains; i++)
    copy_chain(&p->names, &choice->chains[i],
               &p->profile.chains.chain[site->chain + i], site);
}

static bool of_one_site(const struct candidate *a, const struct candidate *b) {
  bool large = a->what == PLAN_SITE_LARGE || a->what == PLAN_SHARED;
  return large && a->what == b->what && a->site == b->site;
}

static void add_piece(struct candidate *to, const struct candidate *piece) {
  double faulted =
      to->times * (double)to->touched + piece->times * (double)piece->touched;
  to->to = piece->to;
  to->bytes += piece->bytes;
  to->touched += piece->touched;
  if (to->touched) to->times = faulted / (double)to->touched;
  to->saved.value += piece->saved.value;
  to->saved.lo += piece->saved.lo;
  to->saved.hi += piece->saved.hi;
  to->misses += piece->misses;
}

/* Pieces of one site that lie side by side are one choice; all of them are all
 * of its blocks. */
static size_t join(const struct candidates *all, const bool *chosen,
                   struct candidate *joined) {
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++) {
    const struct candidate *c = &all->at[i];
    struct candidate *last = count ? &joined[count - 1] : NULL;
    if (!chosen[i]) continue;
    if (last && chosen[i - 1] && of_one_site(last, c) && last->to == c->from) {
      add_piece(last, c);
    } else {
      last = &joined[count++];
      *last = *c;
    }
    bool ends = i + 1 == all->count || !of_one_site(c, c + 1);
    if (ends && !last->from && !c->cut) last->to = 0;
  }
  return count;
}

static double per_byte(const struct candidate *c) {
  double saved = isnan(c->saved.value) ? c->misses : c->saved.value;
  return saved / (double)c->bytes;
}

static int compare_candidates(const void *x, const void *y) {
  const struct candidate *a = x, *b = y;
  double left = per_byte(a), right = per_byte(b);
  if (left != right) return left > right ? -1 : 1;
  return a->site < b->site ? -1 : a->site > b->site;
}

static void add_choices(struct planning *p, const bool *chosen) {
  struct candidate *joined = memory_zeroed(p->all.count + 1, sizeof *joined);
  size_t count = join(&p->all, chosen, joined);
  uint64_t arena = 0;
  qsort(joined, count, sizeof *joined, compare_candidates);
  for (size_t i = 0; i < count; i++) {
    bool part = joined[i].what == PLAN_SITE_LARGE && joined[i].to;
    if (joined[i].arena && !part) arena = SMALL_BLOCKS_BEGIN;
    add_choice(p, &joined[i]);
    p->plan.used_bytes += joined[i].bytes;
  }
  planning_add_costs(p, joined, count);
  uint64_t used = p->plan.used_bytes;
  p->plan.used_bytes = whole_pages(p, used + arena);
  p->costs.faulted_then +=
      (double)(planning_is_small(p) ? arena : p->plan.used_bytes - used);
  p->costs.arena = arena > 0;
  p->costs.more += (double)arena;
  free(joined);
}

/* --- the plan --- */

/* What look-ups take of a plan before priced_cut(). */
static double look_ups_of(const struct planning *p,
                          const struct priced_choice *plan,
                          const bool *chosen) {
  double s = plan->look_ups_s;
  for (size_t i = 0; i < p->all.count; i++) {
    struct candidate c = p->all.at[i];
    if (!chosen[i]) continue;
    if (plan->choice.part_bytes && plan->choice.part == i)
      candidate_cut(&c, plan->choice.part_number);
    s += c.look_ups_s;
  }
  return s;
}

static void add_curve(struct planning *p, struct priced_chooser *chooser,
                      const uint64_t *budget, size_t count, bool *chosen) {
  p->plan.curve = memory_zeroed(count, sizeof *p->plan.curve);
  p->curve = memory_zeroed(count, sizeof *p->curve);
  p->plan.points = count;
  for (size_t i = 0; i < count; i++) {
    struct priced_choice plan = priced_choose(chooser, budget[i], chosen);
    double user_s = p->curve[i] = plan.choice.saving;
    if (p->by_touch) user_s = -look_ups_of(p, &plan, chosen);
    p->plan.curve[i] = (struct plan_point){
        (double)budget[i],
        p->what ? 1 - user_s / p->table.native.time.user_s : NAN};
  }
}

static void choose(struct planning *p, struct priced_chooser *chooser,
                   bool *chosen) {
  static const uint64_t no_limit = UINT64_MAX;
  uint64_t budget[BUDGETS];
  struct priced_choice all = priced_choose(chooser, no_limit, chosen);
  uint64_t bytes = whole_pages(p, all.choice.bytes), asked = bytes;
  if (p->request->budget_given)
    asked = p->request->budget / p->all.page * p->all.page;
  p->plan.everything = (struct plan_everything){
      ratio_of(p, chosen, &all, look_ups_of(p, &all, chosen)), bytes};
  size_t count = budgets(priced_chooser_of_all(chooser), p->all.page, bytes,
                         asked, budget);
  add_curve(p, chooser, budget, count, chosen);
  struct priced_choice plan = priced_choose(chooser, asked, chosen);
  p->costs.look_ups_s = look_ups_of(p, &plan, chosen);
  priced_cut(&p->all, &plan, chosen);
  p->plan.predicted = ratio_of(p, chosen, &plan, p->costs.look_ups_s);
  p->saving = plan.choice.saving;
  p->most = plan.choice.most;
}

static void copy_head(struct planning *p) {
  struct page_plan *plan = &p->plan;
  const struct profile_objects *objects = &p->profile.objects;
  for (char **word = p->profiled.program; *word; word++)
    *ARRAY_ADD(plan->command, plan->words) = memory_text(*word);
  snprintf(plan->pages, sizeof plan->pages, "%s", p->request->pages);
  for (size_t i = 0; i < objects->count; i++) {
    struct plan_object *to = ARRAY_ADD(plan->objects, plan->object_count);
    const char *build_id = objects->object[i].build_id;
    *to = (struct plan_object){.name = memory_text(objects->object[i].name)};
    if (build_id && strlen(build_id) < PLAN_BUILD_ID)
      strcpy(to->build_id, build_id);
  }
  plan->budget_bytes =
      p->request->budget_given ? (double)p->request->budget : NAN;
}

static void init_chooser(struct priced_chooser *chooser,
                         const struct planning *p) {
  priced_chooser_init(chooser, &p->all, p->all.look_ups_s, planning_arena_s(p));
}

static struct chooser_item *heap_of(const struct planning *p) {
  for (size_t i = 0; i < p->all.count; i++)
    if (p->all.item[i].role == CHOOSER_WHOLE) return &p->all.item[i];
  return NULL;
}

/* Leaves the heap as a whole out, where leave_out.h says so. */
static void make_chooser(struct priced_chooser *chooser,
                         const struct planning *p) {
  struct chooser_item *heap = heap_of(p);
  init_chooser(chooser, p);
  if (!heap || heap->left_out) return;
  struct priced_chooser without;
  heap->left_out = true;
  init_chooser(&without, p);
  double with = priced_choose(chooser, UINT64_MAX, NULL).choice.saving;
  struct chooser_choice sites =
      priced_choose(&without, UINT64_MAX, NULL).choice;
  heap->left_out =
      sites.bytes <= heap->bytes &&
      with - sites.saving < leave_out_nothing(with, planning_noise_s(p));
  priced_chooser_fini(heap->left_out ? chooser : &without);
  if (heap->left_out) *chooser = without;
}

/* The heap as a whole would have them all. */
static void draw(struct planning *p) {
  const enum plan_lot lot = p->request->lot;
  if (lot == PLAN_NO_LOT) return;
  for (size_t i = 0; i < p->all.count; i++) {
    bool drawn = cpu_random_at(p->request->seed, i) >> 63;
    if (p->all.item[i].role == CHOOSER_WHOLE || drawn != (lot == PLAN_DRAWN))
      p->all.item[i].left_out = true;
  }
}

void planning_choose(struct planning *p) {
  struct priced_chooser chooser;
  uint64_t page = planning_page(p);
  if (page < PROFILE_UNIT) page = PROFILE_UNIT;
  planning_find(p, page, tree_of(p));
  draw(p);
  p->misses = (double)p->profile.totals.misses[0][0];
  copy_head(p);
  p->names.objects = &p->profile.objects;
  bool *chosen = memory_zeroed(p->all.count + 1, sizeof *chosen);
  make_chooser(&chooser, p);
  choose(p, &chooser, chosen);
  priced_chooser_fini(&chooser);
  p->plan.optimum_saving_s = p->what ? p->most : NAN;
  add_choices(p, chosen);
  free(chosen);
}
