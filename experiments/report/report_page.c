/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/report_page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/report/figure.h"
#include "experiments/report/html.h"
#include "experiments/report/meaning.h"
#include "experiments/report/report_first.h"
#include "experiments/report/report_pieces.h"
#include "experiments/report/standing.h"
#include "experiments/report/table.h"
#include "experiments/results/ratio.h"

/* The CSV as a URL of its own, so that the page has it wherever it goes. */
static void print_data(FILE *page, const struct figure *figure,
                       const struct survey *survey, const struct chart *chart) {
  char *text = NULL;
  size_t size;
  FILE *csv = memory_stream(&text, &size);
  figure_write_csv(figure, csv, survey, chart);
  memory_stream_close(csv);
  for (const char *c = text; *c; c++)
    fprintf(page,
            isalnum((unsigned char)*c) || strchr(",.-_", *c) ? "%c" : "%%%02X",
            (unsigned char)*c);
  free(text);
}

static void print_figure(FILE *page, const struct report_part *part,
                         size_t index) {
  const struct figure *figure = figures[index];
  char prefix[32], name[64], title[FIGURE_TITLE_SIZE],
      machine[REPORT_MACHINE_SIZE];
  struct chart chart;
  if (!part->svg[index]) return; /* print_notes() says why */
  figure_chart(figure, &part->survey, &chart);
  report_machine_titles(&part->survey, figure->of_gpu, machine);
  fprintf(page, "<h2>%s</h2>\n", figure_title(figure, title));
  snprintf(prefix, sizeof prefix, "f%zu%s-", index, part->suffix);
  fputs("<figure>" HTML_WIDE "\n", page);
  html_svg(page, part->svg[index], prefix, figure->title);
  fprintf(page, "</div>\n<figcaption>%s", figure->caption);
  snprintf(name, sizeof name, "%s%s", figure->name, part->suffix);
  html_print(page,
             "%s%s Machine: %s. Files: <a href=\"%s.svg\">SVG</a>, "
             "<a href=\"%s.png\">PNG</a>, <a href=\"%s.csv\">CSV</a>; "
             "<a download=\"%s.csv\" href=\"data:text/csv,",
             *chart.detail ? " " : "", chart.detail, machine, name, name, name,
             name);
  print_data(page, figure, &part->survey, &chart);
  chart_fini(&chart);
  fputs("\">the CSV from this page</a>.</figcaption></figure>\n", page);
}

static void print_head(FILE *page, const struct table_column *columns,
                       size_t count) {
  fputs("<thead><tr>", page);
  for (size_t i = 1; i < count; i++) {
    fputs(columns[i].left ? "<th class=\"left\">" : "<th>", page);
    html_print(page, "%s<small>%s</small></th>", columns[i].head,
               columns[i].unit);
  }
  fputs("</tr></thead>\n", page);
}

static const char *cell_class(const struct table_column *column,
                              const struct summary *row) {
  if (column->left) return "left";
  if (strcmp(column->unit, "/ 4k") || !summary_is_significant(row)) return "";
  return row->ratio_to_4k < 1 ? "faster" : "slower";
}

/* The first column, the program, is the heading above the table. */
static void print_row(FILE *page, const struct table_column *columns,
                      size_t count, const struct summary *row, bool telling) {
  fprintf(page, "<tr%s>", telling ? " class=\"telling\"" : "");
  for (size_t i = 1; i < count; i++) {
    char text[TABLE_CELL_SIZE];
    table_cell(&columns[i], row, text);
    html_print(page, "<td class=\"%s\">%s</td>", cell_class(&columns[i], row),
               text);
  }
  fputs("</tr>\n", page);
}

/* Rows of one size, or of all where `only` is 0. */
static void print_table(FILE *page, const struct report_part *part,
                        const struct summary *program, uint64_t only) {
  struct table_column columns[TABLE_COLUMNS_MAX];
  const struct survey *survey = &part->survey;
  uint64_t telling = standing_size(survey, program);
  size_t count = table_columns(part->rows, part->row_count, columns);
  fputs(HTML_WIDE "<table>", page);
  print_head(page, columns, count);
  fputs("<tbody>\n", page);
  uint64_t n = 0; /* which comes first, where it is there */
  do {
    for (size_t i = 0; i < survey->kind_count && (!only || n == only); i++) {
      const struct summary *row =
          survey_row(survey, program, n, survey->kinds[i]);
      if (row) print_row(page, columns, count, row, !only && n == telling);
    }
  } while ((n = survey_next_size(survey, program, n)));
  fputs("</tbody></table></div>\n", page);
}

static void print_program(FILE *page, const struct report_part *part,
                          size_t index) {
  const struct survey *survey = &part->survey;
  const struct summary *program = survey->programs[index];
  size_t sizes = 0;
  for (size_t i = 0; i < survey->kind_count; i++) /* on nothing, too */
    if (survey_row(survey, program, 0, survey->kinds[i])) sizes = 1;
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));) sizes++;
  html_print(page, "<h3>%s</h3>\n", SURVEY_LABEL(program));
  if (survey_is_timed(program)) {
    struct meaning meaning;
    meaning_of(survey, index, &meaning);
    html_print(page, "<p>%s.</p>\n", meaning.text);
  }
  print_table(page, part, program, standing_size(survey, program));
  report_pieces(page, survey, index);
  if (sizes < 2) return;
  fprintf(page, "<details><summary>All %zu sizes</summary>\n", sizes);
  print_table(page, part, program, 0);
  fputs("</details>\n", page);
}

static void print_method(FILE *page) {
  fputs("<h2>How it was measured</h2>\n", page);
  fprintf(
      page,
      "<p>Each program works in one region of memory of the named page kind. "
      "vat touches the region before it starts the clock. Afterwards, vat asks "
      "the kernel which pages the region really has, and if they are of "
      "another kind, it discards the repetition. Only the program itself is "
      "timed, not making its input and checking its answer. For each size, the "
      "page kinds take turns, so a machine that slows down slows all of them. "
      "An operation is one step in the RAM model: scans, permute and heapify "
      "take n steps, sorts and searches n log<sub>2</sub> n, transposes "
      "n<sup>2</sup>.</p>\n<p>The first repetition on larger pages and the "
      "first on 4 KiB pages are a pair, and so on. The ratio is the median "
      "over the pairs. If the line above a table has two times, such as 5.14 "
      "instead of 6.11 ns, they are those of the pair with the median ratio. "
      "So they can differ from the medians in the table. The 95 %% interval of "
      "the ratio is a bootstrap over the pairs, or Student's t with fewer than "
      "six pairs; with fewer than %d there is none. A difference does not "
      "count if the interval contains 1, or if the difference is at most %.1f "
      "%%, because repeated measurements of the same program differ by about "
      "that.</p>\n",
      RATIO_MIN_PAIRS, 100 * SUMMARY_NOISE_FLOOR);
}

/* Notes on samples shown one by one; more are counted. */
enum { NOTES_SHOWN = 12 };

/* Entries that share a reason share a line. */
static bool is_same_missing(const json_t *a, const json_t *b) {
  return json_is_false(json_object_get(a, "present")) &&
         json_is_false(json_object_get(b, "present")) &&
         !strcmp(report_machine_text(a, "why"),
                 report_machine_text(b, "why")) &&
         !strcmp(report_machine_text(a, "mend"),
                 report_machine_text(b, "mend"));
}

static bool was_said(const json_t *entries, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (is_same_missing(json_array_get(entries, i),
                        json_array_get(entries, index)))
      return true;
  return false;
}

/* `entries`: objects with "name", "present", and where absent "why", "mend". */
static bool print_missing(FILE *page, const json_t *entries, const char *what) {
  bool any = false;
  for (size_t i = 0; i < json_array_size(entries); i++) {
    const json_t *missing = json_array_get(entries, i);
    const char *fix = report_machine_text(missing, "mend"), *comma = "";
    if (!is_same_missing(missing, missing) || was_said(entries, i)) continue;
    fprintf(page, "<li>%s absent: ", what);
    for (size_t k = i; k < json_array_size(entries); k++) {
      if (!is_same_missing(missing, json_array_get(entries, k))) continue;
      html_print(page, "%s<code>%s</code>", comma,
                 report_machine_text(json_array_get(entries, k), "name"));
      comma = ", ";
    }
    html_print(page, " &ndash; %s%s%s</li>\n",
               report_machine_text(missing, "why"), *fix ? ". Fix: " : "", fix);
    any = true;
  }
  return any;
}

static bool print_left_out(FILE *page, const struct report_part *part) {
  char note[TABLE_NOTE_SIZE];
  size_t notes = 0;
  for (size_t i = 0; i < part->row_count; i++) {
    if (!table_note(&part->rows[i], note) || notes++ >= NOTES_SHOWN) continue;
    html_print(page, "<li>%s</li>\n", note);
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

static bool print_not_drawn(FILE *page, const struct report_part *parts,
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

/* What a reader must know is not there, and why. */
static void print_notes(FILE *page, const struct report_part *part,
                        bool alone) {
  const json_t *machine = part->results->machine;
  bool missing =
      print_missing(page, json_object_get(machine, "page_kinds"), "Page kinds");
  missing |=
      print_missing(page, json_object_get(machine, "counters"), "Counters");
  missing |= print_left_out(page, part);
  missing |= alone && print_not_drawn(page, part, 1);
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
  if (!missing) fputs("<li>Nothing that was asked for.</li>\n", page);
}

/* `number`: from 1; 0: it is the only one. */
static void print_part(FILE *page, const struct report_part *part,
                       size_t number) {
  bool alone = !number;
  fputs("<section class=\"machine\">\n", page);
  if (!alone) {
    struct meaning_headline headline;
    meaning_headline_of(&part->survey, &headline);
    html_print(page,
               "<h2>%zu. %s</h2>\n<p class=\"kicker\"><code>%s</code></p>\n"
               "<p class=\"lead\">%s. %s</p>\n",
               number, report_machine_name(part->results->machine), part->path,
               headline.title, headline.lead);
  }
  report_first(page, &part->survey);
  fputs("<h2>The machine</h2>\n", page);
  report_machine(page, part->results->machine);
  for (size_t i = 0; figures[i]; i++) print_figure(page, part, i);
  fputs(
      "<h2>In numbers</h2>\n<p>The first line under each program is about the "
      "largest size with a difference, or, if no size has one, the largest "
      "size whose result is known. The table at the top has the size "
      "with the largest "
      "saving.</p>\n",
      page);
  char note[TABLE_NOTE_SIZE];
  if (table_simulated_note(part->rows, part->row_count, note))
    html_print(page, "<p>%s.</p>\n", note);
  for (size_t i = 0; i < part->survey.program_count; i++)
    print_program(page, part, i);
  fputs("<h2>What is not here</h2>\n<ul>\n", page);
  print_notes(page, part, alone);
  html_print(page,
             "</ul>\n<p class=\"foot\">Made from <code>%s</code>; all rows as "
             "one <a href=\"table%s.txt\">text table</a>.</p>\n</section>\n",
             part->path, part->suffix);
}

/* Of each part, before the first. */
static void print_answers(FILE *page, const struct report_part *parts,
                          size_t count) {
  fputs("<ol>\n", page);
  for (size_t i = 0; i < count; i++) {
    struct meaning_headline headline;
    meaning_headline_of(&parts[i].survey, &headline);
    html_print(page, "<li>%s: %s.</li>\n",
               report_machine_name(parts[i].results->machine), headline.title);
  }
  fputs("</ol>\n", page);
}

void report_page(FILE *page, const struct report_part *parts, size_t count) {
  struct meaning_headline headline = {.lead = ""};
  if (count == 1)
    meaning_headline_of(&parts->survey, &headline);
  else
    snprintf(headline.title, sizeof headline.title,
             "What larger pages save: %zu results side by side", count);
  html_begin(page, headline.title,
             "<meta name=\"color-scheme\" content=\"light dark\">\n");
  fputs("<p class=\"kicker\">What address translation costs", page);
  if (count == 1)
    html_print(page, " &middot; %s",
               report_machine_name(parts->results->machine));
  html_print(page, "</p>\n<h1>%s</h1>\n<p class=\"lead\">%s</p>\n",
             headline.title, headline.lead);
  if (count > 1) print_answers(page, parts, count);
  fputs("</header>\n<main>\n", page);
  for (size_t i = 0; i < count; i++)
    print_part(page, &parts[i], count == 1 ? 0 : i + 1);
  if (count > 1) {
    fputs(
        "<section class=\"machine\">\n<h2>Figures that are not here</h2>\n"
        "<ul>\n",
        page);
    if (!print_not_drawn(page, parts, count)) fputs("<li>None.</li>\n", page);
    fputs("</ul>\n</section>\n", page);
  }
  print_method(page);
  fputs(
      "</main>\n<p class=\"foot\">Made by vat. Figures 2.1 to 2.7 are "
      "numbered as in T. Jurkiewicz's PhD thesis (sections 2.1, 2.2 and 2.6), "
      "and repeat its measurements on this machine. Sources of figures of GPU "
      "models: Kothapalli et al., A performance prediction model for the CUDA "
      "GPGPU platform, HiPC 2009; L. Ma, PhD thesis, Washington University in "
      "St. Louis 2014.</p>\n</body>\n</html>\n",
      page);
}
