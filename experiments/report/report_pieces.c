/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/report_pieces.h"

#include <math.h>
#include <string.h>

#include "experiments/report/html.h"
#include "huge_pages/size_text.h"

const char *pieces_text(const struct pieces_line *line,
                        char text[PIECES_TEXT]) {
  const struct segmented *fit = &line->fit;
  double line_error = 100 * fit->line.error;
  double pieces_error = 100 * fit->pieces.error;
  double curve_error = 100 * fit->curve.error;
  switch (segmented_judge(fit)) {
    case SEGMENTED_NONE:
      snprintf(text, PIECES_TEXT, "there are too few sizes");
      break;
    case SEGMENTED_LINE:
      snprintf(text, PIECES_TEXT,
               "one straight line fits about as well as anything else (error "
               "%.1f %%)",
               line_error);
      break;
    case SEGMENTED_PIECES:
      snprintf(text, PIECES_TEXT,
               "%zu straight pieces fit (error %.1f %%) better than one line "
               "(%.1f %%) and than any smooth curve (%.1f %%)",
               fit->count, pieces_error, line_error, curve_error);
      break;
    case SEGMENTED_UNDECIDED:
      snprintf(text, PIECES_TEXT,
               "%zu straight pieces fit (error %.1f %%) better than one line "
               "(%.1f %%), but a smooth curve fits as well (%.1f %%)",
               fit->count, pieces_error, line_error, curve_error);
      break;
    case SEGMENTED_CURVE:
      snprintf(text, PIECES_TEXT,
               "a smooth curve fits (error %.1f %%) better than straight "
               "pieces (%.1f %%)",
               curve_error, pieces_error);
  }
  return text;
}

static const char *bytes_text(double bytes, char text[HP_SIZE_TEXT]) {
  if (!(bytes >= 1 && bytes < 1e18)) return strcpy(text, "-");
  return hp_size_text((size_t)bytes, text);
}

/* "20.6 [20.4, 21.0]", to a tenth. */
static const char *place_text(struct segmented_interval x,
                              char text[HUMAN_SIZE]) {
  snprintf(text, HUMAN_SIZE, "%.1f [%.1f, %.1f]", x.value, x.lo, x.hi);
  return text;
}

static const char *slope_text(struct segmented_interval ns,
                              char text[HUMAN_SIZE]) {
  snprintf(text, HUMAN_SIZE, "%.2g [%.2g, %.2g]", ns.value, ns.lo, ns.hi);
  return text;
}

static void print_break(FILE *page, const struct survey *survey,
                        const struct pieces_line *line, size_t piece) {
  const struct segmented_piece *p = &line->fit.piece[piece];
  char text[HUMAN_SIZE], near[64] = "-", bytes[HP_SIZE_TEXT];
  struct reach reach;
  double doublings;
  if (!piece) {
    fputs("<td></td><td></td><td class=\"left\"></td>", page);
    return;
  }
  if (pieces_nearest(survey, line, piece, &reach, &doublings))
    snprintf(near, sizeof near, "%.31s %s", reach.name,
             bytes_text(reach.bytes, bytes));
  html_print(page, "<td>%s%s</td>", place_text(p->from, text),
             p->step ? ", a step" : "");
  html_print(
      page, "<td>%s</td><td class=\"left\">%s</td>",
      bytes_text(pieces_bytes(survey, line->program, p->from.value), bytes),
      near);
}

static void print_rows(FILE *page, const struct survey *survey,
                       const struct pieces_line *line) {
  for (size_t i = 0; i < line->fit.count; i++) {
    char text[HUMAN_SIZE];
    html_print(page, "<tr><td class=\"left\">%s</td><td>%zu</td>",
               i ? "" : line->kind, i + 1);
    print_break(page, survey, line, i);
    html_print(page, "<td>%s</td></tr>\n",
               slope_text(line->fit.piece[i].slope, text));
  }
}

void report_pieces(FILE *page, const struct survey *survey, size_t program) {
  const char *head = "<p>Time per operation over log<sub>2</sub> n: ",
             *tail = "";
  for (size_t k = 0; k < survey->kind_count; k++) {
    const struct pieces_line *line =
        pieces_find(survey, program, survey->kinds[k]);
    char text[PIECES_TEXT];
    if (!line) continue;
    fputs(head, page);
    html_print(page, "on %s, %s", HUMAN_PAGES(line->kind),
               pieces_text(line, text));
    head = "; ";
    tail = ".</p>\n";
  }
  fputs(tail, page);
  if (!*tail) return;
  fputs("<details><summary>The straight pieces</summary>\n" HTML_WIDE
        "<table><thead><tr><th class=\"left\">pages</th><th>piece</th>"
        "<th>begins at<small>log<sub>2</sub> n</small></th>"
        "<th>memory<small>there</small></th><th class=\"left\">nearest"
        "<small>end of</small></th><th>slope<small>ns per doubling</small></th>"
        "</tr></thead><tbody>\n",
        page);
  for (size_t k = 0; k < survey->kind_count; k++) {
    const struct pieces_line *line =
        pieces_find(survey, program, survey->kinds[k]);
    if (line) print_rows(page, survey, line);
  }
  fputs("</tbody></table></div>\n</details>\n", page);
}
