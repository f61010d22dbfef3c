/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a reader must know is not there, and why. */
#include "experiments/report/report_notes.h"

#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/html.h"
#include "experiments/report/table.h"

/* Notes on samples shown one by one; more are counted. */
enum { NOTES_SHOWN = 12 };

static const char *string_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

/* Entries that share a reason share a line. */
static bool is_same_lack(const json_t *a, const json_t *b) {
  return json_is_false(json_object_get(a, "present")) &&
         json_is_false(json_object_get(b, "present")) &&
         !strcmp(string_of(a, "why"), string_of(b, "why")) &&
         !strcmp(string_of(a, "mend"), string_of(b, "mend"));
}

static bool was_said(const json_t *entries, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (is_same_lack(json_array_get(entries, i),
                     json_array_get(entries, index)))
      return true;
  return false;
}

static void print_lack(FILE *page, const json_t *entries, size_t index,
                       const char *what) {
  const json_t *lack = json_array_get(entries, index);
  const char *comma = "";
  fprintf(page, "<li>%s absent: ", what);
  for (size_t i = index; i < json_array_size(entries); i++) {
    if (!is_same_lack(lack, json_array_get(entries, i))) continue;
    fprintf(page, "%s<code>", comma);
    html_text(page, string_of(json_array_get(entries, i), "name"));
    fputs("</code>", page);
    comma = ", ";
  }
  fputs(" &ndash; ", page);
  html_text(page, string_of(lack, "why"));
  if (*string_of(lack, "mend")) fputs(". Mend: ", page);
  html_text(page, string_of(lack, "mend"));
  fputs("</li>\n", page);
}

/* `entries`: objects with "name", "present", and where absent "why", "mend". */
static bool print_lacks(FILE *page, const json_t *entries, const char *what) {
  bool any = false;
  for (size_t i = 0; i < json_array_size(entries); i++) {
    const json_t *entry = json_array_get(entries, i);
    if (json_is_false(json_object_get(entry, "present")) &&
        !was_said(entries, i)) {
      print_lack(page, entries, i, what);
      any = true;
    }
  }
  return any;
}

static bool print_left_out(FILE *page, const struct report_part *part) {
  char note[TABLE_NOTE_SIZE];
  size_t notes = 0;
  for (size_t i = 0; i < part->row_count; i++) {
    if (!table_note(&part->rows[i], note) || notes++ >= NOTES_SHOWN) continue;
    fputs("<li>", page);
    html_text(page, note);
    fputs("</li>\n", page);
  }
  if (notes > NOTES_SHOWN)
    fprintf(page, "<li>... and %zu more such rows, marked * in the tables</li>",
            notes - NOTES_SHOWN);
  return notes > 0;
}

static bool has_gpu(const struct survey *survey) {
  bool any = false;
  for (size_t i = 0; i < survey->program_count; i++)
    any |= strcmp(survey->programs[i]->device, "cpu") != 0;
  return any;
}

/* Has no file drawn it, though one might have? */
static bool is_missed(const struct report_part *parts, size_t count,
                      size_t figure) {
  bool missed = !figures[figure]->of_gpu;
  for (size_t i = 0; i < count; i++) {
    if (parts[i].svg[figure]) return false;
    missed |= has_gpu(&parts[i].survey);
  }
  return missed;
}

bool report_not_drawn(FILE *page, const struct report_part *parts,
                      size_t count) {
  bool any = false;
  for (size_t i = 0; figures[i]; i++) {
    char title[FIGURE_TITLE_SIZE];
    if (!is_missed(parts, count, i)) continue;
    fprintf(page, "<li>%s. Not drawn. %s</li>\n",
            figure_title(figures[i], title), figures[i]->needs);
    any = true;
  }
  return any;
}

void report_notes(FILE *page, const struct report_part *part, bool alone) {
  const json_t *machine = part->results->machine;
  bool lacks =
      print_lacks(page, json_object_get(machine, "page_kinds"), "Page kinds");
  lacks |= print_lacks(page, json_object_get(machine, "counters"), "Counters");
  lacks |= print_left_out(page, part);
  lacks |= alone && report_not_drawn(page, part, 1);
  if (part->results->cut)
    fputs(
        "<li>The results file ended in a half line, as after a kill: it was "
        "dropped.</li>\n",
        page);
  if (part->survey.program_count > FIGURE_PROGRAMS_MAX)
    fprintf(page,
            "<li>The figures show the first %d of %zu programs; the tables "
            "have all.</li>\n",
            FIGURE_PROGRAMS_MAX, part->survey.program_count);
  if (!lacks) fputs("<li>Nothing that was asked for.</li>\n", page);
}
