/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/pages_print.h"

#include <string.h>

#include "experiments/cli/human.h"
#include "experiments/cli/text_table.h"
#include "huge_pages/size_text.h"

static double percent(size_t part, size_t whole) {
  return whole ? 100 * (double)part / (double)whole : 0;
}

static void print_on(FILE *out, const struct process_pages *pages) {
  struct text_table table = {.out = out, .gap = 2, .indent = 2, .fits = true};
  text_columns(&table, "-8 pages\t8 memory\t4 share");
  for (size_t i = 0; *pages->on.kinds[i].name; i++)
    text_row(&table, "%s\t%s\t%.0f %%", HUMAN_PAGES(pages->on.kinds[i].name),
             HP_SIZE_SHOWN(pages->on.kinds[i].bytes),
             percent(pages->on.kinds[i].bytes, pages->resident));
  text_table_end(&table);
}

/* The fix below its reason, since it is long. */
static void print_whys(FILE *out, const struct pages_whys *whys) {
  for (size_t i = 0; i < whys->count; i++)
    fprintf(out, "  %10s  %s\n              fix: %s\n",
            HP_SIZE_SHOWN(whys->at[i].bytes), whys->at[i].reason->summary,
            whys->at[i].fix);
}

void process_pages_print(FILE *out, const struct process_pages *pages) {
  fprintf(out, "%s (process %d): %s resident\n", pages->name, (int)pages->pid,
          HP_SIZE_SHOWN(pages->resident));
  print_on(out, pages);
  if (pages->why.count) fputs("\n  not on huge pages, and why:\n", out);
  print_whys(out, &pages->why);
}
