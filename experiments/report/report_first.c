/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/report_first.h"

#include <math.h>

#include "experiments/probe/calibration.h"
#include "experiments/report/html.h"
#include "experiments/report/meaning.h"
#include "experiments/report/report_machine.h"
#include "experiments/report/standing.h"
#include "huge_pages/size_text.h"

static const struct {
  const char *class, *words;
} verdicts[] = {
    [MEANING_UNKNOWN] = {"unknown", "not known"},
    [MEANING_OPEN] = {"unknown", "not known"},
    [MEANING_NOISE] = {"noise", "no difference"},
    [MEANING_FASTER] = {"faster", ""},
    [MEANING_SLOWER] = {"slower", ""},
};

/* A bar as long as the time that is left, the whole being that on 4 KiB. */
static void print_bar(FILE *page, const struct meaning *meaning,
                      const struct summary *row) {
  double ratio = meaning->best ? row->ratio_to_4k : 1;
  fprintf(page, "<span class=\"bar\"><i style=\"width:%.0f%%\"></i><b>",
          100 * fmin(ratio, 1));
  if (meaning->best)
    fprintf(page, "%.0f %%", 100 * ratio);
  else
    fputs(verdicts[meaning->verdict].words, page);
  fputs("</b></span>", page);
}

static void print_row(FILE *page, const struct survey *survey,
                      const struct meaning *meaning) {
  const struct summary *row = meaning->row;
  if (meaning->verdict == MEANING_FASTER) row = standing_gain(survey, row);
  fprintf(page, "<tr class=\"%s\"><td class=\"left\">",
          verdicts[meaning->verdict].class);
  html_print(page, "%s</td><td class=\"left\">", SURVEY_LABEL(row));
  print_bar(page, meaning, row);
  html_print(page, "</td><td class=\"left roomy\">%s</td><td>%s</td>",
             HUMAN_PAGES(row->pages), HP_SIZE_SHOWN(survey_bytes(row)));
  fprintf(page,
          "<td>%.*f&ndash;%.*f&nbsp;%%</td><td class=\"roomy\">%zu</td></tr>\n",
          human_digits(row->ratio_lo, row->ratio_lo > 1) - 2,
          100 * row->ratio_lo,
          human_digits(row->ratio_hi, row->ratio_hi < 1) - 2,
          100 * row->ratio_hi, row->reps);
}

/* Returns how many programs there was nothing to compare of. */
static size_t print_table(FILE *page, const struct survey *survey) {
  size_t shown = 0, others = 0;
  for (size_t i = 0; i < survey->program_count; i++) {
    struct meaning meaning;
    if (!survey_is_timed(survey->programs[i])) continue;
    meaning_of(survey, i, &meaning);
    others += !meaning.row;
    if (!meaning.row) continue;
    if (!shown++)
      fputs(HTML_WIDE
            "<table class=\"findings\"><thead><tr>"
            "<th class=\"left\">program</th>"
            "<th class=\"left\">time; on 4 KiB pages it is 100 %</th>"
            "<th class=\"left roomy\">pages</th><th>memory</th>"
            "<th>95 % interval</th><th "
            "class=\"roomy\">repetitions</th></tr></thead><tbody>\n",
            page);
    print_row(page, survey, &meaning);
  }
  if (shown)
    fputs(
        "</tbody></table></div>\n<p class=\"kicker\">If larger pages speed "
        "up a program, its row is for the size where they save most. Otherwise "
        "its row is for the largest size whose result is known. All sizes "
        "are below, under In numbers.</p>\n",
        page);
  return others;
}

static void print_others(FILE *page, const struct survey *survey,
                         size_t count) {
  fprintf(page,
          "<details><summary>Times of %zu program%s with nothing to compare"
          "</summary>\n"
          "<ul>\n",
          count, count == 1 ? "" : "s");
  for (size_t i = 0; i < survey->program_count; i++) {
    struct meaning meaning;
    if (!survey_is_timed(survey->programs[i])) continue;
    meaning_of(survey, i, &meaning);
    if (!meaning.row) html_print(page, "<li>%s</li>\n", meaning.text);
  }
  fputs("</ul></details>\n", page);
}

/* "4 KiB pages, transparent huge pages": which are, or are not, present. */
static void list_kinds(const json_t *machine, bool present,
                       char names[NAMES_SIZE]) {
  const json_t *kinds = json_object_get(machine, "page_kinds"), *kind;
  size_t i;
  *names = '\0';
  json_array_foreach(kinds, i, kind) {
    if (json_is_true(json_object_get(kind, "present")) == present)
      names_add(names, HUMAN_PAGES(report_machine_text(kind, "name")));
  }
}

/* What an entry of the guest's TLB maps is the smaller of its page and the
 * host's: known where a larger page of the guest's was calibrated. */
static void print_host(FILE *page, const struct calibration *cal) {
  const struct cal_pages *most = NULL;
  for (size_t i = 0; cal && i < cal->page_count; i++)
    if (!most || cal->pages[i].page_bytes > most->page_bytes)
      most = &cal->pages[i];
  if (!most || !(most->granularity_bytes > 0)) {
    fputs(
        " The pages of its host were not measured. To measure and show them: "
        "<code>vat calibrate -o MACHINE.json</code>, then <code>vat report "
        "FILE --machine MACHINE.json -o DIR</code>.",
        page);
    return;
  }
  fprintf(page, " Its host uses pages of %s%s, as calibrated.",
          HP_SIZE_SHOWN((size_t)most->granularity_bytes),
          most->granularity_bytes < most->page_bytes ? "" : " at least");
}

static void print_pages(FILE *page, const struct survey *survey) {
  char names[NAMES_SIZE];
  const json_t *machine = survey->record;
  const bool is_virtual = report_machine_is_virtual(machine);
  list_kinds(machine, true, names);
  if (!*names) return;
  html_print(page, "<p>Page kinds available on this machine: %s", names);
  list_kinds(machine, false, names);
  if (*names) html_print(page, "; not available: %s", names);
  fputs(is_virtual ? ". The machine is virtual." : ".", page);
  if (is_virtual) print_host(page, survey->calibration);
  fputs("</p>\n", page);
}

void report_first(FILE *page, const struct survey *survey) {
  size_t untimed = 0;
  for (size_t i = 0; i < survey->program_count; i++)
    untimed += !survey_is_timed(survey->programs[i]);
  size_t others = print_table(page, survey);
  if (others) print_others(page, survey, others);
  if (untimed) /* they are in the tables alone */
    fprintf(page,
            "<p>%zu program%s ran in the emulator, whose times are those of no "
            "machine: what was counted is in the tables below.</p>\n",
            untimed, untimed == 1 ? "" : "s");
  if (survey_has_device(survey, "cpu"))
    print_pages(page, survey);
  else if (survey_has_device(survey, "cuda"))
    fputs(
        "<p>All programs ran on a GPU, in its own memory, whose pages nobody "
        "chooses: the figures show what they cost.</p>\n",
        page);
}
