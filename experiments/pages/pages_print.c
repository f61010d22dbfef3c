/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/text_table.h"
#include "experiments/pages/survey.h"
#include "huge_pages/size_text.h"

enum { WIDTH = 80, INDENT = 14, MAPPINGS = 12 };

static double percent(size_t part, size_t whole) {
  return whole ? 100 * (double)part / (double)whole : 0;
}

/* A name that neither steers the terminal nor has a tab. */
static const char *tame(const char *name, char text[HP_MAPPING_NAME]) {
  snprintf(text, HP_MAPPING_NAME, "%s", name);
  fail_tame(text);
  return text;
}
#define TAME(name) tame((name), (char[HP_MAPPING_NAME]){""})

/* Words from `column` on, in lines that begin at INDENT. */
static void print_words(FILE *out, int column, const char *text) {
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (column + 1 + length > WIDTH && column > INDENT)
      column = fprintf(out, "\n%*s", INDENT, "") - 1;
    else
      column += fprintf(out, " ");
    column += fprintf(out, "%.*s", length, text);
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', out);
}

static void print_on(FILE *out, const struct pages_on *on, size_t resident) {
  struct text_table table = {.out = out, .gap = 2, .indent = 2, .fits = true};
  if (!resident) return;
  text_columns(&table, "-8 pages\t8 memory\t5 share");
  for (size_t i = 0; *on->kinds[i].name; i++)
    text_row(&table, "%s\t%s\t%.0f %%", HUMAN_PAGES(on->kinds[i].name),
             HP_SIZE_SHOWN(on->kinds[i].bytes),
             percent(on->kinds[i].bytes, resident));
  text_table_end(&table);
}

static void print_why(FILE *out, const struct pages_why *why) {
  fprintf(out, "  %10s  %s (%s)\n%*sfix:", HP_SIZE_SHOWN(why->bytes),
          why->reason->summary, why->reason->name, INDENT, "");
  print_words(out, INDENT + 4, why->fix);
  if (!why->could) return;
  fprintf(out, "%*smakes %s huge", INDENT, "", HP_SIZE_SHOWN(why->could));
  if (why->more)
    fprintf(out, ", and takes up to %s more", HP_SIZE_SHOWN(why->more));
  fputc('\n', out);
}

/* The largest part that one change makes huge. */
static const struct pages_why *largest(const struct pages_whys *whys) {
  const struct pages_why *best = NULL;
  for (size_t i = 0; i < whys->count; i++)
    if (whys->at[i].could && (!best || whys->at[i].could > best->could))
      best = &whys->at[i];
  return best;
}

static void print_whys(FILE *out, const struct pages_whys *whys) {
  const struct pages_why *best = largest(whys);
  if (!whys->count) return;
  fputs("\n  not on huge pages, and why:\n", out);
  for (size_t i = 0; i < whys->count; i++) print_why(out, &whys->at[i]);
  if (!best) {
    fputs("\n  No single change makes any of it huge.\n", out);
    return;
  }
  fprintf(out,
          "\n  Could be huge by one change each: %s; the most, %s, by: %s\n",
          HP_SIZE_SHOWN(pages_whys_could(whys)), HP_SIZE_SHOWN(best->could),
          best->reason->name);
}

static void print_untold(FILE *out, bool sizes_told) {
  if (!sizes_told)
    fputs(
        "  Pages between base pages and huge pages count as base pages: their "
        "size is\n  told to root only; fix: run vat as root\n",
        out);
}

static size_t on_huge(const struct pages_whys *whys, size_t resident) {
  size_t small = 0;
  for (size_t i = 0; i < whys->count; i++) small += whys->at[i].bytes;
  return resident > small ? resident - small : 0;
}

static const char *first_reason(const struct pages_whys *whys) {
  return whys->count ? whys->at[0].reason->name : "-";
}

/* The largest mapping at or below `below`, of which there may be several: they
 * have an order by place. */
static int larger(const struct pages_mapping *a,
                  const struct pages_mapping *b) {
  if (a->resident != b->resident) return a->resident > b->resident;
  return a < b;
}

static const struct pages_mapping *next_mapping(
    const struct process_pages *pages, const struct pages_mapping *after) {
  const struct pages_mapping *best = NULL;
  for (size_t i = 0; i < pages->count; i++) {
    const struct pages_mapping *m = &pages->mappings[i];
    if (after && !larger(after, m)) continue;
    if (!best || larger(m, best)) best = m;
  }
  return best;
}

static void print_mappings(FILE *out, const struct process_pages *pages) {
  struct text_table table = {.out = out, .gap = 2, .indent = 2, .fits = true};
  const struct pages_mapping *m = NULL;
  size_t shown = 0, rest = pages->resident;
  fputc('\n', out);
  text_columns(&table, "8 memory\t5 huge\t-8 why not\t-8 mapping");
  for (; shown < MAPPINGS && (m = next_mapping(pages, m)); shown++) {
    rest -= m->resident;
    text_row(&table, "%s\t%.0f %%\t%s\t%s", HP_SIZE_SHOWN(m->resident),
             percent(on_huge(&m->why, m->resident), m->resident),
             first_reason(&m->why),
             *m->mapping.name ? TAME(m->mapping.name) : "(no name)");
  }
  text_table_end(&table);
  if (pages->count > shown)
    fprintf(out, "  and %s in %zu smaller ones\n", HP_SIZE_SHOWN(rest),
            pages->count - shown);
}

static void print_head(FILE *out, const struct process_pages *pages) {
  fprintf(out, "%s (process %d", TAME(pages->name), (int)pages->pid);
  if (pages->pid_inside && pages->pid_inside != pages->pid)
    fprintf(out, ", %d in its container", pages->pid_inside);
  fprintf(out, "): %s resident\n\n", HP_SIZE_SHOWN(pages->resident));
}

void process_pages_print(FILE *out, const struct process_pages *pages) {
  print_head(out, pages);
  print_on(out, &pages->on, pages->resident);
  print_untold(out, pages->sizes_told);
  if (pages->count) print_mappings(out, pages);
  print_whys(out, &pages->why);
}

/* Processes of which nothing is said, a line for each reason. */
static void print_absents(FILE *out, const struct pages_survey *survey) {
  for (size_t i = 0; i < survey->absents; i++) {
    const struct pages_absent *absent = &survey->absent[i];
    size_t before = 0, same = 0;
    for (size_t k = 0; k < survey->absents; k++) {
      bool equal = survey->absent[k].reason == absent->reason;
      before += equal && k < i;
      same += equal;
    }
    if (before) continue;
    fprintf(out, "  not counted, %zu %s: %s%s%s\n", same,
            same == 1 ? "process" : "processes", absent->reason,
            absent->fix ? "; fix: " : "", absent->fix ? absent->fix : "");
  }
  if (survey->outside)
    fprintf(out,
            "  not counted, %zu processes: of another pid namespace; fix: run "
            "vat on the host\n",
            survey->outside);
}

/* A line for each. */
static void print_processes(FILE *out, const struct pages_survey *survey) {
  struct text_table table = {.out = out, .gap = 2, .indent = 2, .fits = true};
  text_columns(&table,
               "7 process\t8 memory\t5 huge\t8 could be\t-8 why not\t-8 "
               "program");
  for (size_t i = 0; i < survey->count; i++) {
    const struct process_pages *p = &survey->at[i];
    text_row(&table, "%d\t%s\t%.0f %%\t%s\t%s\t%s", (int)p->pid,
             HP_SIZE_SHOWN(p->resident),
             percent(on_huge(&p->why, p->resident), p->resident),
             HP_SIZE_SHOWN(pages_whys_could(&p->why)), first_reason(&p->why),
             TAME(p->name));
  }
  text_table_end(&table);
}

void pages_survey_print(FILE *out, const struct pages_survey *survey) {
  fprintf(out, "%zu %s: %s resident, shared memory counted once\n\n",
          survey->count, survey->count == 1 ? "process" : "processes",
          HP_SIZE_SHOWN(survey->resident));
  if (survey->count) print_processes(out, survey);
  print_absents(out, survey);
  fputc('\n', out);
  print_on(out, &survey->on, survey->resident);
  print_untold(out, survey->sizes_told);
  print_whys(out, &survey->why);
}
