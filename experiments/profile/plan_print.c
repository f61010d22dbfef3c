/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan, for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/text_table.h"
#include "experiments/profile/planning.h"
#include "huge_pages/size_text.h"

enum { ROWS = 12, CHOICES = 15 };

static const double mib = 1 << 20;

static const char *ratio_text(const struct plan_ratio *ratio, char text[64]) {
  if (isnan(ratio->lo))
    snprintf(text, 64, "%.3f (unknown)", ratio->user_ratio);
  else
    snprintf(text, 64, "%.3f (%.3f-%.3f)", ratio->user_ratio, ratio->lo,
             ratio->hi);
  return text;
}

static double share(const struct planning *p, double misses) {
  return p->misses > 0 ? 100 * misses / p->misses : 0;
}

static void print_head(const struct planning *p, FILE *to) {
  char *command = plan_command("", p->profiled.program);
  fail_tame(command);
  const struct what_if_time *time = &p->table.native.time;
  fprintf(to, "%s on base pages:", command + 1);
  free(command);
  if (time->user_s > 0)
    fprintf(to, " user time %.3g s (%.3g-%.3g), ", time->user_s, time->lo_s,
            time->hi_s);
  else
    fputs(" user time not known, ", to);
  fprintf(to, "%.0f leaf misses, %s at its peak\n", p->misses,
          HP_SIZE_SHOWN((size_t)p->plan.harm.peak_rss_bytes[0]));
}

/* Beyond that, memory buys little. */
static void print_most(const struct planning *p, FILE *to) {
  size_t i = 0, points = p->plan.points;
  if (!points || !(p->curve[points - 1] > 0)) return;
  while (p->curve[i] < 0.9 * p->curve[points - 1]) i++;
  fprintf(to, "nine tenths of what can be saved at all: %s\n",
          HP_SIZE_SHOWN((size_t)p->plan.curve[i].bytes));
}

/* What the plan does, and how far it may be from the best one. */
static void print_result(const struct planning *p, FILE *to) {
  char text[64];
  const struct page_plan *plan = &p->plan;
  double saved = 0;
  for (size_t i = 0; i < plan->choice_count; i++) saved += p->choice_misses[i];
  fputs("\nplan: ", to);
  if (p->request->budget_given)
    fprintf(to, "of a budget of %s, ", HP_SIZE_SHOWN(p->request->budget));
  fprintf(to, "%s on %s; ", HP_SIZE_SHOWN(plan->used_bytes),
          HUMAN_PAGES(plan->pages));
  if (p->what)
    fprintf(to, "user time / 4k %s, %.3g s %ssaved\n",
            ratio_text(&plan->predicted, text), p->saving,
            !p->by_touch              ? ""
            : p->costs.look_ups_s > 0 ? "of system time, less look-ups, "
                                      : "of system time ");
  else
    fprintf(to, "%.1f %% of the leaf misses saved\n", share(p, saved));
  if (p->by_touch)
    fputs(
        "what is saved are first touches: this processor does not join entries "
        "of neighbouring pages\n",
        to);
  if (p->saving > 0)
    fprintf(to,
            "an optimal choice within this budget would save at most %.1f %% "
            "more\n",
            100 * (p->most / p->saving - 1));
  if (p->what)
    fprintf(to, "everything that saves time: %s; user time / 4k %s\n",
            HP_SIZE_SHOWN(plan->everything.bytes),
            ratio_text(&plan->everything.ratio, text));
  if (p->what && p->all.left_out > 0)
    fprintf(to, "not chosen, as each saves next to nothing: %.2g s in all\n",
            p->all.left_out);
  print_most(p, to);
  if (p->all.unreachable > 0 && p->what)
    fprintf(to, "%.2g s more is saved at sites whose callers are not known\n",
            p->all.unreachable);
}

static const char *where_of(const struct plan_choice *choice) {
  return choice->what == PLAN_DATA   ? "static data"
         : choice->what == PLAN_HEAP ? "heap, all of it"
                                     : choice->where;
}

static void print_choice(const struct planning *p, size_t number,
                         struct text_table *table) {
  const struct plan_choice *c = &p->plan.choices[number];
  double bytes = (double)c->bytes / mib;
  text_cell(table, bytes < 10 ? "%.1f" : "%.0f", bytes);
  if (p->what) {
    text_cell(table, "%.3g", c->saving_s);
    text_cell_if(table, !isnan(c->lo), "%.3g-%.3g", c->lo, c->hi);
  } else {
    text_cell(table, "%.1f", share(p, p->choice_misses[number]));
  }
  char part[96] = "";
  if (c->to && c->what == PLAN_SITE_SMALL)
    snprintf(part, sizeof part, ", the first %s", HP_SIZE_SHOWN(c->to));
  else if (c->to)
    snprintf(part, sizeof part, ", bytes %llu to %llu of each block",
             (unsigned long long)c->from, (unsigned long long)c->to);
  const char *small = strcmp(c->kind, "mapping") ? ", small blocks" : "";
  text_row(table, "%s%s%s", where_of(c),
           c->what == PLAN_SITE_SMALL ? small : "", part);
}

static void print_choices(const struct planning *p, FILE *to) {
  struct text_table table = {.out = to, .gap = 2};
  size_t count = p->plan.choice_count;
  if (!count) return;
  fputc('\n', to);
  text_columns(&table, p->what ? "9 MiB\t9 saves s\t17 interval\t-4 what"
                               : "9 MiB\t12 misses %%\t-4 what");
  for (size_t i = 0; i < count && i < CHOICES; i++) print_choice(p, i, &table);
  text_table_end(&table);
  if (count > CHOICES)
    fprintf(to, "and %zu more, which --json lists\n", count - CHOICES);
}

/* Powers of two of pages and what was asked for, or every so many-th of these;
 * and the last. */
static bool is_shown(const struct planning *p, size_t point, int octaves) {
  double pages = p->plan.curve[point].bytes / (double)p->all.page;
  double lg = log2(pages);
  uint64_t budget = p->request->budget / p->all.page * p->all.page;
  bool asked =
      p->request->budget_given && p->plan.curve[point].bytes == (double)budget;
  if (!asked && point && !(p->curve[point] > 0)) return false;
  int step = octaves / ROWS + 1, behind = octaves % step;
  return point + 1 == p->plan.points || asked || !point ||
         (lg == floor(lg) && (int)lg % step == behind);
}

static void print_curve(const struct planning *p, FILE *to) {
  struct text_table table = {.out = to, .gap = 2};
  const struct page_plan *plan = &p->plan;
  if (plan->points < 2) return;
  double pages = plan->curve[plan->points - 1].bytes / (double)p->all.page;
  int octaves = pages > 1 ? (int)log2(pages) : 0;
  fputc('\n', to);
  text_columns(&table, p->what ? "10 budget\t14 user time / 4k\t9 saves s"
                               : "10 budget\t14 misses saved");
  for (size_t i = 0; i < plan->points; i++) {
    if (!is_shown(p, i, octaves)) continue;
    text_cell(&table, "%s", HP_SIZE_SHOWN((size_t)plan->curve[i].bytes));
    if (p->what)
      text_row(&table, "%.3f\t%.3g", plan->curve[i].user_ratio, p->curve[i]);
    else
      text_row(&table, "%.1f %%", share(p, p->curve[i]));
  }
  text_table_end(&table);
}

static void print_touches(const struct planning *p, FILE *to) {
  const struct plan_costs *c = &p->costs;
  if (isnan(c->touch_now)) {
    fputs(
        "first touch: not known; fix: vat profile --what-if measures it, or "
        "--timed RUNS.jsonl of vat compare -o has it\n",
        to);
    return;
  }
  fprintf(to,
          "first touch: now %.3g us for a page of 4 KiB, with the plan %.3g us "
          "for one of %s; in all %.2g s %s system time\n",
          1e6 * c->touch_now, 1e6 * c->touch_then,
          HP_SIZE_SHOWN(planning_page(p)), fabs(c->sys_saved_s),
          c->sys_saved_s < 0 ? "more" : "less");
}

/* A fork copies page tables, and a write afterwards a page. */
static void print_fork(const struct planning *p, FILE *to) {
  bool copied = false;
  for (size_t i = 0; i < p->plan.choice_count; i++)
    copied |= p->plan.choices[i].what != PLAN_SHARED;
  if (p->profile.processes < 2 || !copied) return;
  fprintf(to, "fork: the program has %u processes; ", p->profile.processes);
  if (planning_is_thp(p))
    fputs(
        "a write to private memory that two have since fork() splits its huge "
        "page, which then saves nothing until khugepaged makes it anew\n",
        to);
  else
    fprintf(to,
            "a write to private memory that two have since fork() copies %s, "
            "and takes a page of the pool more: if there is none, the child "
            "is killed (SIGBUS)\n",
            HP_SIZE_SHOWN(p->all.page));
}

static void print_look_ups(const struct planning *p, FILE *to) {
  if (!(p->costs.look_ups_s > 0)) return;
  fprintf(to,
          "look-ups: %.2g s more user time, to find the blocks that are "
          "chosen; what is saved is less that\n",
          p->costs.look_ups_s);
}

static void print_costs(const struct planning *p, FILE *to) {
  const struct plan_harm *harm = &p->plan.harm;
  if (!p->plan.choice_count) return;
  fprintf(to, "\npeak memory: now %s%s, with the plan %s\n",
          HP_SIZE_SHOWN((size_t)harm->peak_rss_bytes[0]),
          isnan(p->table.native.peak_bytes) ? " (by the pages it touched)" : "",
          HP_SIZE_SHOWN((size_t)harm->peak_rss_bytes[1]));
  fprintf(to, "zeroed: %s %s\n",
          HP_SIZE_SHOWN((size_t)fabs(harm->zeroed_bytes)),
          harm->zeroed_bytes < 0 ? "less" : "more");
  fprintf(to, "page faults: %.0f %s\n", fabs(harm->faults_saved),
          harm->faults_saved < 0 ? "more" : "fewer");
  print_touches(p, to);
  print_look_ups(p, to);
  print_fork(p, to);
}

static void print_verdict(const struct planning *p, FILE *to) {
  const struct page_plan *plan = &p->plan;
  if (plan->verdict)
    fprintf(to, "\n%s: %s\n",
            plan->choice_count && !p->what ? "worth it?" : "not worth it",
            plan->verdict);
  else if (!p->by_touch && plan->predicted.hi >= 1)
    fputs(
        "\nperhaps worth it: the interval contains 1, so there may be no "
        "saving; vat compare --plan measures it\n",
        to);
  else
    fputs("\nworth it\n", to);
}

static void print_ways(const struct planning *p, FILE *to) {
  const struct page_plan *plan = &p->plan;
  if (!plan->choice_count) return;
  fputs("\nto do it, one of:\n", to);
  for (size_t i = 0; i < plan->way_count; i++) {
    char *text = memory_text(plan->ways[i].text);
    fail_tame(text);
    fprintf(to, "  %s\n      (%s)\n", text, plan_way_meaning(&plan->ways[i]));
    free(text);
  }
  bool any = false;
  for (size_t i = 0; i < plan->choice_count && i < CHOICES; i++) {
    if (!plan->choices[i].madvise) continue;
    fprintf(to, "  %s\n", plan->choices[i].madvise);
    any = true;
  }
  if (any) fputs("      (in the source, on memory aligned to its pages)\n", to);
}

void planning_print(const struct planning *p, FILE *to) {
  print_head(p, to);
  print_result(p, to);
  print_choices(p, to);
  print_curve(p, to);
  print_costs(p, to);
  print_verdict(p, to);
  print_ways(p, to);
}
