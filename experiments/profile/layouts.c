/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/layouts.h"

#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/profile/planning.h"

enum { TURNS = 3, BY_BUDGET = 0, BY_LOT, THE_REST };
static const char *const kinds[TURNS] = {"budget", "lot", "rest"};

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

/* What saves most within `part` of `parts` of what all takes. */
static struct plan_request within(const struct plan_request *request,
                                  uint64_t all, size_t part, size_t parts) {
  struct plan_request one = *request;
  one.budget_given = true;
  one.budget = all / parts * part;
  return one;
}

/* Lot number `of_kind`, counted from 1 on, or what it left. */
static struct plan_request by_lot(const struct plan_request *request,
                                  size_t of_kind, uint64_t seed, bool rest) {
  struct plan_request one = *request;
  one.lot = rest ? PLAN_NOT_DRAWN : PLAN_DRAWN;
  one.seed = seed + of_kind;
  return one;
}

struct drawing {
  struct layouts *layouts;
  struct planning *planning;
  struct plan_everything everything; /* not of what was drawn alone */
};

static void add(struct drawing *drawing, const struct plan_request *request,
                const char *kind, size_t number) {
  struct layouts *layouts = drawing->layouts;
  struct page_plan *plan = &layouts->plan[layouts->count];
  *plan = make(drawing->planning, request);
  plan->everything = drawing->everything;
  if (is_new(layouts, plan))
    snprintf(layouts->name[layouts->count++], LAYOUT_NAME, "%s-%zu", kind,
             number);
  else
    page_plan_fini(plan);
}

/* Of a program with few tables, many lots are alike or have nothing.  Then more
 * budgets follow, between those before. */
static void draw(struct layouts *layouts, struct planning *p, size_t count,
                 uint64_t seed) {
  const struct plan_request request = *p->request;
  const size_t budgets = (count + TURNS - 1) / TURNS;
  struct page_plan all = make(p, &request);
  struct drawing drawing = {layouts, p, all.everything};
  const uint64_t bytes = all.everything.bytes;
  page_plan_fini(&all);
  for (size_t turn = 0; layouts->count < count && turn < 2 * count + TURNS;
       turn++) {
    const size_t number = turn / TURNS + 1;
    struct plan_request one =
        turn % TURNS == BY_BUDGET
            ? within(&request, bytes, number, budgets + 1)
            : by_lot(&request, number, seed, turn % TURNS == THE_REST);
    if (turn % TURNS != BY_BUDGET || number <= budgets)
      add(&drawing, &one, kinds[turn % TURNS], number);
  }
  for (size_t i = 0; layouts->count < count && i < count; i++) {
    struct plan_request one = within(&request, bytes, 2 * i + 1, 2 * count);
    add(&drawing, &one, kinds[BY_BUDGET], budgets + i + 1);
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
