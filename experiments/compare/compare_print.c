/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table, and below it what it means. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/text_table.h"
#include "experiments/compare/comparison.h"
#include "experiments/results/summary.h"
#include "huge_pages/size_text.h"

const char *verdict_word(const struct comparison *c,
                         const struct outcome *outcome, enum figure_id figure) {
  enum { TIME, RATE, FIGURE };
  static const char *const words[][3] = {
      [VERDICT_UNKNOWN] = {"unknown", "unknown", "unknown"},
      [VERDICT_NOISE] = {"below noise", "below noise", "below noise"},
      [VERDICT_LESS] = {"faster", "slower", "lower"},
      [VERDICT_MORE] = {"slower", "faster", "higher"},
  };
  int of = figure != FIGURE_METRIC || c->options.lower_is_better ? TIME
           : c->options.higher_is_better                         ? RATE
                                                                 : FIGURE;
  if (outcome->arm->base) return "baseline";
  return words[outcome->verdict[figure]][of];
}

const char *comparison_looks(const struct comparison *c) {
  if (!c->trace) return "warm-up";
  return c->count && c->runs[0].result.trace_error ? "sampled" : "exit";
}

/* Cut to fit, and harmless to a terminal. */
static void print_command(FILE *out, const char *words) {
  char text[200];
  int length = snprintf(text, sizeof text, "%s", words);
  if ((size_t)length >= sizeof text) strcpy(text + sizeof text - 4, "...");
  fail_tame(text);
  fprintf(out, "%s\n", text);
}

/* The program and its arguments, or each arm's. */
static void print_commands(FILE *out, const struct comparison *c) {
  for (size_t i = 0; c->options.arms.count && i < c->arms.count; i++) {
    const struct arm *arm = &c->arms.at[i];
    if (arm->control) continue;
    fprintf(out, "%s: ", arm->name);
    print_command(out, arm->words);
  }
  if (c->options.arms.count) return;
  char *words = arms_words(&c->options.program);
  print_command(out, words);
  free(words);
}

/* An interval is padded, so that a last "-" is as wide as the others. */
static void add_ratio(struct text_table *table, const struct ratio *ratio) {
  char interval[40] = "-";
  if (!isnan(ratio->lo))
    snprintf(interval, sizeof interval, "[%.3f, %.3f]", ratio->lo, ratio->hi);
  text_cell_if(table, !isnan(ratio->value), "%.3f", ratio->value);
  text_cell(table, "%-14s", interval);
}

static void add_row(struct text_table *table, const struct comparison *c,
                    const struct outcome *outcome) {
  const double *median = outcome->median;
  const double faults = median[FIGURE_FAULTS], peak = median[FIGURE_PEAK];
  double part = granted_to_arm(c, outcome->arm, &outcome->backing);
  text_cells(table, "%s\t%zu\t%s\t%s\t%s", outcome->arm->name, outcome->runs,
             HUMAN_NUMBER(median[FIGURE_WALL]),
             HUMAN_NUMBER(median[FIGURE_USER]),
             HUMAN_NUMBER(median[FIGURE_SYS]));
  text_cell_if(table, !isnan(faults), "%.0f", faults);
  text_cell_if(table, !isnan(peak), "%s", HP_SIZE_SHOWN((size_t)peak));
  text_cell_if(table, !isnan(part), "%.0f %%", 100 * part);
  add_ratio(table, &outcome->ratio[FIGURE_WALL]);
  add_ratio(table, &outcome->ratio[FIGURE_USER]);
  text_row_end(table);
}

/* Of the first column, where the control is base/base. */
static size_t name_width(const struct comparison *c) {
  size_t width = 2 * strlen(c->arms.at[0].name) + 1;
  if (width < 5) width = 5;
  for (size_t i = 0; i < c->arms.count; i++) {
    const struct arm *arm = &c->arms.at[i];
    size_t own = strlen(arm->name) + (arm->control && i > 1 ? 5 : 0);
    if (own > width) width = own;
  }
  return width;
}

/* An arm to itself: "4k/4k", "4k-contiguous/same". */
static void add_control(struct text_table *table, const struct comparison *c,
                        size_t i) {
  const struct outcome *outcome = &c->outcomes[i];
  const char *name = outcome->arm->name;
  if (isnan(outcome->control[FIGURE_WALL].value) && i) return;
  text_cells(table, "%s/%s\t\t\t\t\t\t\tcontrol", name, i ? "same" : name);
  add_ratio(table, &outcome->control[FIGURE_WALL]);
  add_ratio(table, &outcome->control[FIGURE_USER]);
  text_row_end(table);
}

static void print_table(FILE *out, const struct comparison *c) {
  struct text_table table = {.out = out, .gap = 1};
  const char *base = c->arms.at[0].name;
  const bool named = !c->arms.at[0].kind;
  text_columns(&table,
               "-%zu %s\t5 runs\t8 wall\ns\t8 user\ns\t8 sys\ns\t"
               "9 page\nfaults\t10 peak\nmemory\t8 %s",
               name_width(c), named ? "arm" : "pages",
               named ? "on huge\npages" : "share\ngranted");
  table.gap = 2;
  text_columns(&table,
               "7 wall\n/ %s\t-14 95 %%\ninterval\t"
               "7 user\n/ %s\t-14 95 %%\ninterval",
               base, base);
  for (size_t i = 0; i < c->outcome_count; i++)
    add_row(&table, c, &c->outcomes[i]);
  for (size_t i = 0; i < c->outcome_count; i++) add_control(&table, c, i);
  text_table_end(&table);
  fputc('\n', out);
}

/* "faster: 0.91 of the time", "below noise (0.99)".  The control beside it, as
 * it may be all that is read. */
static void print_verdict(FILE *out, const struct comparison *c,
                          const struct outcome *outcome, enum figure_id figure,
                          const char *name) {
  const char *base = c->arms.at[0].name;
  const char *quote = c->arms.at[0].kind ? "" : "'"; /* an arm may be "off" */
  const struct ratio *ratio = &outcome->ratio[figure];
  const char *word = verdict_word(c, outcome, figure);
  if (isnan(ratio->value))
    fprintf(out, "%s: too little to compare", name);
  else if (isnan(ratio->lo))
    fprintf(out, "%s: %.3f times %s%s%s, in too few rounds for an interval",
            name, ratio->value, quote, base, quote);
  else
    fprintf(out, "%s: %s, %.3f times %s%s%s [%.3f, %.3f]", name, word,
            ratio->value, quote, base, quote, ratio->lo, ratio->hi);
  if (figure != FIGURE_METRIC && !comparison_is_steady(c, figure))
    fprintf(out, " (but the control differs by %.0f %%)",
            100 * fabs(c->outcomes[0].control[figure].value - 1));
}

/* Where a difference comes from is said where there is one. */
static void print_split(FILE *out, const struct comparison *c,
                        const struct outcome *outcome) {
  const char *cause = outcome->arm->contiguous
                          ? ", from where memory lies in caches"
                          : ", from translation and caches";
  const char *const from[] = {
      [VERDICT_UNKNOWN] = " (too few rounds)",
      [VERDICT_NOISE] = " (below noise)",
      [VERDICT_LESS] = cause,
      [VERDICT_MORE] = cause,
  };
  const enum verdict user = outcome->verdict[FIGURE_USER];
  const double *here = outcome->median, *base = c->outcomes[0].median;
  double faults = rint(here[FIGURE_FAULTS] - base[FIGURE_FAULTS]);
  /* What commands do differently is not known: it may be anything. */
  fprintf(out,
          "\n  user time %+.3f s%s; system time %+.3f s, %.0f %s page "
          "faults\n",
          here[FIGURE_USER] - base[FIGURE_USER],
          outcome->arm->kind || user <= VERDICT_NOISE ? from[user] : "",
          here[FIGURE_SYS] - base[FIGURE_SYS], fabs(faults),
          faults > 0 ? "more" : "fewer");
}

static void print_percent(FILE *out, const char *what, double saved, double lo,
                          double hi) {
  fprintf(out, "%.1f %% by %s", 100 * saved, what);
  if (!isnan(lo)) fprintf(out, " [%.1f, %.1f]", 100 * lo, 100 * hi);
}

/* Of the user time on base pages: what contiguous frames save, and what larger
 * pages save of the rest. */
static void print_translation(FILE *out, const struct comparison *c,
                              const struct outcome *outcome) {
  const struct ratio *translation = &outcome->translation, *placement = NULL;
  for (size_t i = 0; i < c->outcome_count; i++)
    if (c->outcomes[i].arm->contiguous)
      placement = &c->outcomes[i].ratio[FIGURE_USER];
  if (!placement || isnan(translation->value) || isnan(placement->value))
    return;
  const double rest = placement->value;
  fprintf(out, "  user time saved: %.1f %%: ",
          100 * (1 - outcome->ratio[FIGURE_USER].value));
  print_percent(out, "translation", rest * (1 - translation->value),
                rest * (1 - translation->hi), rest * (1 - translation->lo));
  fputs(", ", out);
  print_percent(out, "placement", 1 - rest, 1 - placement->hi,
                1 - placement->lo);
  fputc('\n', out);
}

/* Memory that makes a difference; 1024 base pages. */
static const size_t clear_bytes = (size_t)4 << 20;

static void print_part(FILE *out, const char **gap, size_t bytes,
                       const char *what) {
  if (bytes < (size_t)1 << 20) return;
  fprintf(out, "%s%s of %s", *gap, HP_SIZE_SHOWN(bytes), what);
  *gap = ", ";
}

/* Did time, page faults or the peak show memory that no look did? */
static bool is_unseen(const struct comparison *c,
                      const struct outcome *outcome) {
  const double *here = outcome->median, *base = c->outcomes[0].median;
  const double seen = (double)backing_total(&outcome->backing);
  const struct backing_pages shared = backing_shared(&outcome->backing);
  if (backing_pages_total(&shared) - shared.base >= clear_bytes) return false;
  return granted_base_open(c) >= clear_bytes ||
         outcome->verdict[FIGURE_WALL] == VERDICT_LESS ||
         outcome->verdict[FIGURE_USER] == VERDICT_LESS ||
         here[FIGURE_FAULTS] < fmin(base[FIGURE_FAULTS] - clear_bytes / 4096.0,
                                    0.9 * base[FIGURE_FAULTS]) ||
         here[FIGURE_PEAK] > 2 * seen + clear_bytes;
}

static void print_shared(FILE *out, const struct outcome *outcome) {
  const struct backing_pages shared = backing_shared(&outcome->backing);
  size_t all = backing_pages_total(&shared), huge = all - shared.base;
  if (all < clear_bytes) return;
  fprintf(out, "  %s of shared memory, %.0f %% of it on huge pages",
          HP_SIZE_SHOWN(all), 100 * (double)huge / (double)all);
  if (huge < all / 2)
    fputs(
        "; shared memory is on huge pages only if the program asks for them "
        "(PostgreSQL: huge_pages=on) or "
        "/sys/kernel/mm/transparent_hugepage/shmem_enabled is set",
        out);
  fputc('\n', out);
}

static void print_planned(FILE *out, size_t planned, double share) {
  if (isnan(share))
    fprintf(out, "  the plan chooses %s, too little to see what is granted\n",
            HP_SIZE_SHOWN(planned));
  else
    fprintf(out, "  granted: %.0f %% of the %s that the plan chooses\n",
            100 * share, HP_SIZE_SHOWN(planned));
}

static void print_private(FILE *out, const struct comparison *c,
                          const struct outcome *outcome) {
  const struct backing *backing = &outcome->backing;
  size_t open = granted_base_open(c);
  if (!open) open = backing->open;
  double share = granted_to_arm(c, outcome->arm, backing);
  if (outcome->arm->planned) {
    print_planned(out, outcome->arm->planned, share);
    return;
  }
  if (outcome->arm->listed) {
    if (!isnan(share))
      fprintf(out, "  %.0f %% of all its memory is on huge pages\n",
              100 * share);
    return;
  }
  if (isnan(share)) {
    if (backing->open < open) open = backing->open;
    fprintf(out,
            is_unseen(c, outcome)
                ? "  vat did not see its memory: when it looked, at the exit "
                  "and at the peak, there were %s of private memory\n"
                : "  too little private memory for such pages: %s\n",
            HP_SIZE_SHOWN(open + backing->edges));
    return;
  }
  if (outcome->arm->contiguous)
    fprintf(
        out,
        "  of the %s that can be on huge pages, %.0f %% lie in contiguous "
        "frames, %s at a time%s, and %s are translated as huge pages",
        HP_SIZE_SHOWN(open), 100 * share,
        HP_SIZE_SHOWN(outcome->arm->kind->bytes),
        backing->unseen ? " (counted by page faults)" : "",
        backing->granted.thp ? HP_SIZE_SHOWN(backing->granted.thp) : "none");
  else
    fprintf(out, "  granted: %.0f %% of the %s that can be on such pages",
            100 * share, HP_SIZE_SHOWN(open));
  const char *gap = "; not on them: ";
  print_part(out, &gap, backing->files, "files");
  print_part(out, &gap, backing->stacks, "stack");
  print_part(out, &gap, backing->edges, "mappings (or their ends) under 2 MiB");
  fputc('\n', out);
}

static void print_backing(FILE *out, const struct comparison *c,
                          const struct outcome *outcome) {
  const bool asked = outcome->arm->kind;
  if (asked && !outcome->backing.processes)
    fputs("  vat did not see its memory: the runs were too short\n", out);
  else if (asked)
    print_private(out, c, outcome);
  print_shared(out, outcome);
}

static void print_rejected(FILE *out, const struct outcome *outcome) {
  if (!outcome->rejected) return;
  fprintf(out, "  %zu run%s not counted: not on the requested pages%s\n",
          outcome->rejected, outcome->rejected > 1 ? "s were" : " was",
          outcome->refused_thp && !outcome->arm->forbid_thp
              ? ", since the program forbids transparent huge pages (redis: "
                "disable-thp no)"
          : outcome->arm->kind->pooled ? "; does the pool run dry? --reserve"
          : outcome->arm->forbid_thp   ? ""
                                       : ", when vat looked, at the peak and "
                                         "at the exit");
}

static void print_counters(FILE *out, const struct comparison *c,
                           const struct outcome *outcome) {
  for (size_t q = 0; q < QUANTITY_COUNT; q++) {
    double base = c->outcomes[0].median[FIGURE_COUNTERS + q];
    double here = outcome->median[FIGURE_COUNTERS + q];
    if (q != QUANTITY_PAGE_FAULTS && !isnan(base) && !isnan(here))
      fprintf(out, "  %s: %s on %s, %s here\n",
              counters_info(c->counters, q)->name, HUMAN_NUMBER(base),
              c->arms.at[0].name, HUMAN_NUMBER(here));
  }
}

static void print_outcome(FILE *out, const struct comparison *c,
                          const struct outcome *outcome) {
  const struct arm *arm = outcome->arm;
  fprintf(out, "%s: ",
          arm_is_pages(arm) && !arm->contiguous ? HUMAN_PAGES(arm->name)
                                                : arm->name);
  if (outcome->runs) {
    print_verdict(out, c, outcome, FIGURE_WALL, "wall");
    print_verdict(out, c, outcome, FIGURE_USER, "; user");
    if (c->outcomes[0].runs)
      print_split(out, c, outcome);
    else
      fputc('\n', out);
    print_translation(out, c, outcome);
    print_counters(out, c, outcome);
  } else {
    fputs("no run was counted\n", out);
  }
  print_backing(out, c, outcome);
  print_rejected(out, outcome);
  if (c->launch.metric && outcome->runs) {
    print_verdict(out, c, outcome, FIGURE_METRIC, "  --metric");
    fputs(c->options.higher_is_better || c->options.lower_is_better
              ? "\n"
              : " (add --higher-is-better or --lower-is-better)\n",
          out);
  }
}

/* When wall is about getting memory, say so: it is not translation. */
static void print_touch(FILE *out, const struct comparison *c) {
  const struct first_touch *touch = &c->touch;
  const struct outcome *base = &c->outcomes[0];
  if (!touch->known) return;
  fprintf(out,
          "first touch of memory: 4k %.2f, 2m %.2f s per GiB; if it was just "
          "used: 4k %.2f, 2m %.2f\n",
          touch->base_found, touch->huge_found, touch->base_again,
          touch->huge_again);
  for (size_t i = 1; i < c->outcome_count; i++) {
    const struct outcome *it = &c->outcomes[i];
    double wall = it->median[FIGURE_WALL] - base->median[FIGURE_WALL];
    double sys = it->median[FIGURE_SYS] - base->median[FIGURE_SYS];
    if (!it->arm->kind) continue;
    double granted = (double)backing_of_kind(&it->backing, it->arm->kind);
    double most =
        granted * 0x1p-30 * fmax(touch->huge_found, touch->base_found);
    bool mostly = granted >= clear_bytes && sys / wall >= 0.5 &&
                  most >= SUMMARY_NOISE_FLOOR * base->median[FIGURE_WALL];
    if (!mostly) continue; /* nor where a figure is NAN */
    fprintf(out,
            "  %s: the wall time differs mostly by the first touch of its "
            "memory (up to %.2f s of system time), not by translation: compare "
            "user times%s\n",
            it->arm->name, most,
            c->options.prewarm ? "" : ", or add --prewarm");
  }
}

static void print_left_behind(FILE *out, const struct comparison *c) {
  size_t most = 0;
  for (size_t i = 0; i < c->count; i++)
    if (c->runs[i].result.left_behind > most)
      most = c->runs[i].result.left_behind;
  if (most)
    fprintf(out, "up to %zu process%s outlived the program; vat ended %s\n",
            most, most > 1 ? "es" : "", most > 1 ? "them" : "it");
}

static void print_looks(FILE *out, const struct comparison *c) {
  const char *how = comparison_looks(c);
  if (!strcmp(how, "warm-up"))
    fputs(
        "the pages of exiting processes were read in the warm-up only: reading "
        "them slows down runs that are so short, or have so many signals or "
        "threads\n",
        out);
  else if (!strcmp(how, "sampled"))
    fprintf(out,
            "vat sampled the memory of processes, since it may not read it at "
            "their exit: ptrace is refused here (%s)\n",
            strerror(c->count ? c->runs[0].result.trace_error : 0));
}

void comparison_print(FILE *out, const struct comparison *c) {
  print_commands(out, c);
  fprintf(out, "  %s\n\n", c->arms.means);
  print_table(out, c);
  for (size_t i = 1; i < c->outcome_count; i++)
    print_outcome(out, c, &c->outcomes[i]);
  comparison_advise(out, c);
  print_touch(out, c);
  print_looks(out, c);
  print_left_behind(out, c);
}
