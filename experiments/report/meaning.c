/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/meaning.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/human.h"
#include "experiments/cli/memory.h"
#include "experiments/report/standing.h"
#include "experiments/results/ratio.h"
#include "huge_pages/size_text.h"

static void say(struct meaning *meaning, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(struct meaning *meaning, const char *format, ...) {
  size_t used = strlen(meaning->text);
  va_list args;
  va_start(args, format);
  vsnprintf(meaning->text + used, sizeof meaning->text - used, format, args);
  va_end(args);
}

/* The rows of the deciding size, in the order of their page kinds, and those of
 * them that differ, by their ratios. */
struct pick {
  const struct survey *survey;
  const struct summary **rows, **differing;
  size_t count, differing_count;
  size_t others;              /* than the base's */
  const struct summary *base; /* NULL: none */
  bool compared;              /* has any a ratio? */
};

static bool is_so(const struct pick *pick, const struct summary *row,
                  enum standing standing) {
  return !row->base && standing_of(pick->survey, row) == standing;
}

static void pick_row(struct pick *pick, const struct summary *row) {
  size_t at = pick->differing_count;
  pick->rows[pick->count++] = row;
  if (row->base && !pick->base) pick->base = row;
  if (row->base) return;
  pick->others++;
  enum standing standing = standing_of(pick->survey, row);
  pick->compared |= standing <= STANDING_TOO_FEW;
  if (standing != STANDING_DIFFERS) return;
  for (pick->differing_count++;
       at && pick->differing[at - 1]->ratio_to_4k > row->ratio_to_4k; at--)
    pick->differing[at] = pick->differing[at - 1];
  pick->differing[at] = row;
}

/* Both arrays are to be freed. */
static struct pick pick_rows(const struct survey *survey,
                             const struct summary *program) {
  size_t room = survey->kind_count + 1;
  struct pick pick = {.survey = survey,
                      .rows = memory_zeroed(room, sizeof *pick.rows),
                      .differing = memory_zeroed(room, sizeof *pick.rows)};
  uint64_t n = standing_size(survey, program);
  for (size_t i = 0; i < survey->kind_count; i++) {
    const struct summary *row =
        survey_row(survey, program, n, survey->kinds[i]);
    if (row) pick_row(&pick, row);
  }
  return pick;
}

/* Of the kinds that tie with the least ratio the first: see standing_gain(). */
static const struct summary *simplest(const struct pick *pick) {
  const struct summary *least = pick->differing[0];
  for (size_t i = 0; i < pick->count; i++)
    if (is_so(pick, pick->rows[i], STANDING_DIFFERS) &&
        standing_tie(pick->rows[i], least))
      return pick->rows[i];
  return least;
}

static void say_differences(struct meaning *meaning, const struct pick *pick) {
  if (!pick->differing_count) return;
  const struct summary *row = meaning->row = meaning->best = simplest(pick);
  meaning->verdict = row->ratio_to_4k < 1 ? MEANING_FASTER : MEANING_SLOWER;
  say(meaning, "%.2f times as long on %s (%s instead of %s ns)",
      row->ratio_to_4k, HUMAN_PAGES(row->pages),
      HUMAN_NUMBER(row->pair_ns_per_op),
      HUMAN_NUMBER(row->pair_base_ns_per_op));
  for (size_t i = 0; i < pick->differing_count; i++) {
    row = pick->differing[i];
    if (row == meaning->best) continue;
    say(meaning, "; %s%.2f times as long on %s",
        standing_tie(row, pick->differing[0]) ? "also " : "", row->ratio_to_4k,
        HUMAN_PAGES(row->pages));
  }
}

/* From what was said of it before, if anything was. */
static const char *separator(const struct meaning *meaning) {
  const char *end = meaning->text + strlen(meaning->text);
  return strncmp(end - 2, ": ", 2) ? "; " : "";
}

/* Of rows that do not differ: how each standing is said, and what follows from
 * it where no other row says more. */
static const struct {
  enum standing standing;
  enum meaning_verdict verdict;
  const char *before, *after;
} open_rows[] = {
    {STANDING_SAME, MEANING_NOISE, "below noise", ""},
    {STANDING_WIDE_OPEN, MEANING_OPEN, "not known",
     ": the interval is too wide"},
    {STANDING_UNCONFIRMED, MEANING_OPEN, "not known",
     ": the sizes beside it disagree"},
};
enum { OPEN_ROWS = sizeof open_rows / sizeof *open_rows };

/* "0.98 [0.55, 1.74]" */
static void say_interval(struct meaning *meaning, const struct summary *row) {
  say(meaning, "%.2f %s", row->ratio_to_4k,
      human_interval(row->ratio_lo, row->ratio_hi, (char[HUMAN_SIZE]){""}));
}

/* "below noise (0.99 [0.97, 1.01])"; "below noise on 2 MiB pages (...)" where
 * there are other kinds. */
static void say_open(struct meaning *meaning, const struct pick *pick,
                     size_t index) {
  const struct summary *said = NULL;
  enum meaning_verdict verdict = open_rows[index].verdict;
  bool is_all = meaning->verdict == MEANING_UNKNOWN &&
                open_rows[index].standing == STANDING_WIDE_OPEN;
  for (size_t i = 0; i < pick->count; i++) {
    const struct summary *row = pick->rows[i];
    if (!is_so(pick, row, open_rows[index].standing)) continue;
    if (!said)
      say(meaning, "%s%s", separator(meaning),
          is_all ? "no gain shown at the largest size"
                 : open_rows[index].before);
    else
      say(meaning, ") and");
    if (pick->others > 1) say(meaning, " on %s", HUMAN_PAGES(row->pages));
    say(meaning, " (");
    say_interval(meaning, row);
    if (!said) said = row;
  }
  if (!said) return;
  if (verdict == MEANING_OPEN)
    say(meaning, ", %zu repetitions%s", said->reps, open_rows[index].after);
  say(meaning, ")");
  /* Of slower kinds and one that makes no difference one takes the latter. */
  if (meaning->verdict != MEANING_UNKNOWN &&
      (meaning->verdict != MEANING_SLOWER || verdict != MEANING_NOISE))
    return;
  meaning->verdict = verdict;
  meaning->best = NULL;
  meaning->row = said;
}

/* The largest size, where a smaller one decides. */
static void say_largest(struct meaning *meaning, const struct pick *pick) {
  const struct survey *survey = pick->survey;
  const struct summary *told = meaning->row;
  uint64_t n = told ? survey_telling_size(survey, told) : 0;
  const struct summary *row = n > (told ? told->n : 0)
                                  ? survey_row(survey, told, n, told->pages)
                                  : NULL;
  for (size_t i = 0; row && i < OPEN_ROWS; i++) {
    if (standing_of(survey, row) != open_rows[i].standing) continue;
    say(meaning, "; with %s of memory, %s", HP_SIZE_SHOWN(survey_bytes(row)),
        open_rows[i].before);
    if (pick->others > 1) say(meaning, " on %s", HUMAN_PAGES(row->pages));
    say(meaning, " (");
    say_interval(meaning, row);
    say(meaning, ", %zu repetitions%s)", row->reps, open_rows[i].after);
  }
}

static void say_unjudged(struct meaning *meaning, const struct pick *pick) {
  for (size_t i = 0; i < pick->count; i++) {
    const struct summary *row = pick->rows[i];
    const char *pages = HUMAN_PAGES(row->pages);
    if (is_so(pick, row, STANDING_TOO_FEW))
      say(meaning, "%s%s %.2f, but too few repetitions to tell",
          separator(meaning), pages, row->ratio_to_4k);
    else if (is_so(pick, row, STANDING_ALONE))
      say(meaning, "%s%s ns on %s", separator(meaning),
          HUMAN_NUMBER(row->ns_per_op_median), pages);
    else if (is_so(pick, row, STANDING_LEFT_OUT))
      say(meaning, "%s%s %s", separator(meaning), pages,
          row->rejected ? "were not granted" : "gave wrong answers");
  }
}

/* On a device it lies in that one's own memory: pages are the host's, and there
 * is nothing to be compared. */
static bool has_pages(const struct summary *row) {
  return !strcmp(row->device, "cpu");
}

/* Nothing could be compared: say what there is, and what is missing. */
static void say_alone(struct meaning *meaning, const struct pick *pick) {
  const struct summary *base = pick->base;
  if (base && base->reps && !has_pages(base))
    say(meaning, "%s%s ns an operation%s", separator(meaning),
        HUMAN_NUMBER(base->ns_per_op_median),
        survey_is_timed(base) ? "" : ", emulated");
  else if (base && base->reps)
    say(meaning, "%s%s ns on %s, nothing to compare with", separator(meaning),
        HUMAN_NUMBER(base->ns_per_op_median), HUMAN_PAGES(base->pages));
  else if (base)
    say(meaning, "%s%s %s, nothing to compare with", separator(meaning),
        HUMAN_PAGES(base->pages),
        base->rejected ? "were not granted" : "gave wrong answers");
  else
    say(meaning, "%s4 KiB pages were not measured", separator(meaning));
}

void meaning_of(const struct survey *survey, size_t program,
                struct meaning *meaning) {
  struct pick pick = pick_rows(survey, survey->programs[program]);
  const struct summary *first =
      pick.count ? pick.rows[0] : survey->programs[program];
  *meaning = (struct meaning){.best = NULL};
  say(meaning, "%s (%s): ", SURVEY_LABEL(first),
      HP_SIZE_SHOWN(survey_bytes(first)));
  say_differences(meaning, &pick);
  for (size_t i = 0; i < OPEN_ROWS; i++) say_open(meaning, &pick, i);
  say_unjudged(meaning, &pick);
  if (!pick.compared) say_alone(meaning, &pick);
  say_largest(meaning, &pick);
  free(pick.rows);
  free(pick.differing);
}

/* `all`: programs that have pages, the first of which is `first`; or of them
 * all, if none has. */
static void headline_title(const size_t *verdicts, size_t all,
                           const struct summary *first, char *title,
                           size_t size) {
  char whom[SURVEY_LABEL_SIZE];
  snprintf(whom, sizeof whom, "%zu algorithms", all);
  if (all == 1) survey_label(first, whom);
  if (all > 1 && verdicts[MEANING_FASTER])
    snprintf(title, size, "Larger pages speed up %zu of %zu algorithms",
             verdicts[MEANING_FASTER], all);
  else if (all > 1 && verdicts[MEANING_SLOWER])
    snprintf(title, size, "Larger pages slow down %zu of %zu algorithms",
             verdicts[MEANING_SLOWER], all);
  else if (verdicts[MEANING_FASTER] || verdicts[MEANING_SLOWER])
    snprintf(title, size, "Larger pages %s %s",
             verdicts[MEANING_FASTER] ? "speed up" : "slow down", whom);
  else if (verdicts[MEANING_NOISE] == all && all)
    snprintf(title, size, "Larger pages make no measurable difference to %s",
             whom);
  else if (verdicts[MEANING_NOISE])
    snprintf(title, size,
             "Larger pages make no measurable difference to %zu of %zu "
             "algorithms",
             verdicts[MEANING_NOISE], all);
  else if (verdicts[MEANING_OPEN])
    snprintf(title, size,
             "No speedup by larger pages shown for %s at the largest size",
             whom);
  else if (first && !survey_is_timed(first))
    snprintf(title, size, "What was counted of %s", whom);
  else
    snprintf(title, size, "What %s cost%s%s", whom, all == 1 ? "s" : "",
             first && !has_pages(first) ? "" : " on the pages there are");
}

/* "2 algorithms show no measurable difference, 1 is uncertain." */
static void headline_rest(const size_t *verdicts, char *lead, size_t size) {
  static const struct {
    enum meaning_verdict verdict;
    const char *one, *many;
  } rest[] = {
      {MEANING_NOISE, "shows no measurable difference",
       "show no measurable difference"},
      {MEANING_SLOWER, "is slower", "are slower"},
      {MEANING_OPEN, "is uncertain (its interval is too wide)",
       "are uncertain (their intervals are too wide)"},
      {MEANING_UNKNOWN, "could not be judged", "could not be judged"},
  };
  const char *gap = *lead ? " " : "";
  bool said = false;
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
    size_t count = verdicts[rest[i].verdict], used = strlen(lead);
    if (!count) continue;
    snprintf(lead + used, size - used, "%s%zu %s%s", said ? ", " : gap, count,
             said         ? ""
             : count == 1 ? "algorithm "
                          : "algorithms ",
             count == 1 ? rest[i].one : rest[i].many);
    said = true;
  }
  size_t used = strlen(lead);
  if (said) snprintf(lead + used, size - used, ".");
}

static void headline_gain(const struct summary *most, size_t faster, char *lead,
                          size_t size) {
  snprintf(
      lead, size, "With %s of memory, %s takes %.2f times as long on %s%s.",
      HP_SIZE_SHOWN(survey_bytes(most)), SURVEY_LABEL(most), most->ratio_to_4k,
      HUMAN_PAGES(most->pages), faster > 1 ? ", the largest saving" : "");
}

void meaning_headline_of(const struct survey *survey,
                         struct meaning_headline *headline) {
  size_t verdicts[MEANING_SLOWER + 1] = {0}, all = 0;
  const struct summary *first =
      survey->program_count ? survey->programs[0] : NULL;
  struct meaning meaning;
  const struct summary *most = NULL;
  for (size_t i = 0; i < survey->program_count; i++) {
    if (!survey_is_timed(first)) first = survey->programs[i];
    if (!has_pages(survey->programs[i])) continue;
    if (!all++) first = survey->programs[i];
    meaning_of(survey, i, &meaning);
    verdicts[meaning.verdict]++;
    const struct summary *gain = meaning.verdict == MEANING_FASTER
                                     ? standing_gain(survey, meaning.best)
                                     : NULL;
    if (gain && (!most || gain->ratio_to_4k < most->ratio_to_4k)) most = gain;
  }
  headline_title(verdicts, all ? all : survey->program_count, first,
                 headline->title, sizeof headline->title);
  *headline->lead = '\0';
  headline->compared = verdicts[MEANING_UNKNOWN] < all;
  if (!all) return;
  if (verdicts[MEANING_UNKNOWN] == all) {
    snprintf(headline->lead, sizeof headline->lead,
             "Nothing could be compared: that takes 4 KiB pages, another page "
             "kind, and %d repetitions on each.",
             RATIO_MIN_PAIRS);
    return;
  }
  if (most)
    headline_gain(most, verdicts[MEANING_FASTER], headline->lead,
                  sizeof headline->lead);
  headline_rest(verdicts, headline->lead, sizeof headline->lead);
}

void meaning_print_headline(FILE *out, const struct summary *rows,
                            size_t count) {
  struct survey survey;
  struct meaning_headline headline;
  survey_init(&survey, rows, count);
  meaning_headline_of(&survey, &headline);
  fprintf(out, "%s.%s%s\n", headline.title, *headline.lead ? " " : "",
          headline.lead);
  survey_fini(&survey);
}

void meaning_print(FILE *out, const struct summary *rows, size_t count) {
  struct survey survey;
  struct meaning meaning;
  survey_init(&survey, rows, count);
  for (size_t i = 0; i < survey.program_count; i++) {
    meaning_of(&survey, i, &meaning);
    fprintf(out, "%s\n", meaning.text);
  }
  survey_fini(&survey);
}
