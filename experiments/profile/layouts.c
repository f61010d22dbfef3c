/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/layouts.h"

#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/profile/planning.h"

enum { TURNS = 3, BY_BUDGET = 0, BY_LOT, THE_REST };

/* The plan for `request`, moved out of what was read once. */
static struct page_plan make(struct planning *p,
                             const struct plan_request *request) {
  p->request = request;
  planning_choose(p);
  planning_costs(p);
  struct page_plan plan = p->plan;
  p->plan = (struct page_plan){0};
  planning_forget(p);
  return plan;
}

static bool same(const struct page_plan *a, const struct page_plan *b) {
  if (a->choice_count != b->choice_count) return false;
  for (size_t i = 0; i < a->choice_count; i++) {
    const struct plan_choice *x = &a->choices[i], *y = &b->choices[i];
    if (x->what != y->what || x->from != y->from || x->to != y->to ||
        x->bytes != y->bytes || strcmp(x->where, y->where) != 0)
      return false;
  }
  return true;
}

static bool is_new(const struct layouts *layouts,
                   const struct page_plan *plan) {
  for (size_t i = 0; i < layouts->count; i++)
    if (same(&layouts->plan[i], plan)) return false;
  return plan->choice_count > 0;
}

/* The layout of a turn: the number of its kind, from 1 on. */
static void ask(struct plan_request *request, size_t turn, size_t of_kind,
                size_t budgets, uint64_t all, uint64_t seed) {
  static const double half = .5;
  if (turn % TURNS == BY_BUDGET) {
    request->budget_given = true;
    request->budget = all / (budgets + 1) * of_kind;
    return;
  }
  request->lot = (struct plan_lot){.chance = half,
                                   .seed = seed + of_kind,
                                   .others = turn % TURNS == THE_REST};
}

static void draw(struct layouts *layouts, struct planning *p, size_t count,
                 uint64_t seed) {
  static const char *const kinds[TURNS] = {"budget", "lot", "rest"};
  const struct plan_request request = *p->request;
  const size_t budgets = (count + TURNS - 1) / TURNS;
  struct page_plan all = make(p, &request);
  const struct plan_everything everything = all.everything;
  page_plan_fini(&all);
  /* Twice as many turns: some layouts are alike, or have nothing. */
  for (size_t turn = 0; layouts->count < count && turn < 2 * count + TURNS;
       turn++) {
    struct plan_request one = request;
    size_t number = turn / TURNS + 1;
    struct page_plan *plan = &layouts->plan[layouts->count];
    if (turn % TURNS == BY_BUDGET && number > budgets) continue;
    ask(&one, turn, number, budgets, everything.bytes, seed);
    *plan = make(p, &one);
    plan->everything = everything; /* not of what was drawn alone */
    if (!is_new(layouts, plan)) {
      page_plan_fini(plan);
      continue;
    }
    snprintf(layouts->name[layouts->count], LAYOUT_NAME, "%s-%zu",
             kinds[turn % TURNS], number);
    layouts->count++;
  }
  p->request = NULL;
}

int layouts_draw(struct layouts *layouts, const struct layouts_request *of,
                 size_t count, uint64_t seed) {
  const struct plan_request request = {.from = of->from,
                                       .machine = *of->machine,
                                       .timed = of->timed,
                                       .pages = "thp"};
  struct planning planning;
  *layouts = (struct layouts){0};
  int code = planning_open(&planning, &request);
  if (!code) draw(layouts, &planning, count, seed);
  planning_end(&planning);
  if (!code && !layouts->count)
    code = fail(VAT_USAGE,
                "%s: no memory of it is worth larger pages, so there is no "
                "layout to draw",
                of->from);
  return code;
}

void layouts_fini(struct layouts *layouts) {
  for (size_t i = 0; i < layouts->count; i++) page_plan_fini(&layouts->plan[i]);
  layouts->count = 0;
}
