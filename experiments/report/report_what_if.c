/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/report_what_if.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/record.h"
#include "experiments/cli/utf8.h"
#include "experiments/report/html.h"
#include "experiments/report/page_file.h"
#include "experiments/results/compared.h"
#include "experiments/results/other_file.h"
#include "experiments/results/ratio.h"
#include "experiments/results/summary.h"
#include "huge_pages/page_kind.h"

/* The first kind of 2 MiB pages that a comparison was of. */
static const json_t *large_kind(const json_t *comparison) {
  const json_t *found = NULL;
  for (size_t i = 0; !found && i < hp_kind_count(); i++) {
    const char *name = hp_kind_at(i)->name;
    if (hp_kind_usual_bytes(name) == (size_t)2 << 20)
      found = compared_kind(comparison, name);
  }
  return found;
}

static int take_predicted(struct what_if_pair *pair, const json_t *profile) {
  const json_t *row =
      json_object_get(json_object_get(profile, "what_if"), "2m");
  pair->predicted = json_real_at(row, "user_ratio");
  pair->lo = json_real_at(row, "lo");
  pair->hi = json_real_at(row, "hi");
  return isfinite(pair->predicted) ? 0 : -1;
}

static int take_measured(struct what_if_pair *pair, const json_t *comparison) {
  const json_t *row = large_kind(comparison);
  compared_program(pair->program, sizeof pair->program,
                   json_object_get(comparison, "command"));
  pair->user_s = json_real_at(
      compared_kind(comparison, *hp_kind_base()->known_as), "user_s");
  const struct compared_ratio ratio = compared_user(row);
  pair->measured = ratio.value;
  pair->measured_lo = ratio.lo;
  pair->measured_hi = ratio.hi;
  return isfinite(pair->measured) ? 0 : -1;
}

int what_if_pair_read(struct what_if_pair *pair, const char *profile,
                      const char *comparison, char error[RESULTS_ERROR_SIZE]) {
  json_t *predicted = json_file_read(profile, error, RESULTS_ERROR_SIZE);
  json_t *measured =
      predicted ? json_file_read(comparison, error, RESULTS_ERROR_SIZE) : NULL;
  int failed = measured ? 0 : -1;
  *pair = (struct what_if_pair){.program = ""};
  if (!failed && (failed = take_predicted(pair, predicted)))
    snprintf(error, RESULTS_ERROR_SIZE,
             "%.200s: nothing is predicted there; fix: vat profile --what-if "
             "--machine MACHINE.json --json -o FILE -- PROG",
             profile);
  if (!failed && (failed = take_measured(pair, measured)))
    snprintf(error, RESULTS_ERROR_SIZE,
             "%.200s: no user time on pages of 2 MiB; fix: vat compare "
             "--pages 4k,thp --json -- PROG >FILE",
             comparison);
  if (failed) other_file(profile, FILE_WHAT_IF, error, RESULTS_ERROR_SIZE);
  if (failed) other_file(comparison, FILE_COMPARED, error, RESULTS_ERROR_SIZE);
  json_decref(predicted);
  json_decref(measured);
  return failed;
}

static double difference(const struct what_if_pair *pair) {
  return pair->predicted - pair->measured;
}

/* Of calibrations with too few repetitions there is none. */
static bool has_interval(const struct what_if_pair *pair) {
  return isfinite(pair->lo + pair->hi);
}

static bool is_inside(const struct what_if_pair *pair) {
  return pair->measured >= pair->lo && pair->measured <= pair->hi;
}

static const char *inside_text(const struct what_if_pair *pair) {
  return !has_interval(pair) ? "-" : is_inside(pair) ? "yes" : "no";
}

/* By how much they differ, and how many measured ratios lie in the intervals
 * that were predicted. */
static void agreement_text(const struct what_if_pair *pairs, size_t count,
                           char text[200]) {
  double *off = memory_zeroed(count + 1, sizeof *off), worst = 0;
  size_t intervals = 0, inside = 0;
  for (size_t i = 0; i < count; i++) {
    off[i] = fabs(difference(&pairs[i]));
    worst = fmax(worst, off[i]);
    intervals += has_interval(&pairs[i]);
    inside += is_inside(&pairs[i]);
  }
  snprintf(text, 200,
           "Predicted and measured differ by %.3f in the median and by %.3f at "
           "most; %zu of %zu measured ratios lie in the predicted interval.",
           ratio_median(off, count), worst, inside, intervals);
  free(off);
}

/* "0.692-0.994", or "-". */
static const char *interval_text(double lo, double hi, char text[24]) {
  if (isfinite(lo + hi))
    snprintf(text, 24, "%7.3f-%-7.3f", lo, hi);
  else
    snprintf(text, 24, "%9s", "-");
  return text;
}

/* As much of its name as the column has room for. */
enum { NAME_MOST = 32 };

void report_what_if_text(FILE *to, const struct what_if_pair *pairs,
                         size_t count) {
  char text[200], name[NAME_MOST + 1], interval[2][24];
  fprintf(to, "%-*s %8s %9s %15s %9s %15s %7s %s\n", NAME_MOST, "program",
          "user s", "predicted", "interval", "measured", "95 %", "off",
          "inside");
  for (size_t i = 0; i < count; i++) {
    const struct what_if_pair *p = &pairs[i];
    snprintf(name, sizeof name, "%s", p->program);
    utf8_trim(name);
    fail_tame(name);
    fprintf(to, "%-*s %8.2f %9.3f %-15s %9.3f %-15s %+7.3f %s\n", NAME_MOST,
            name, p->user_s, p->predicted,
            interval_text(p->lo, p->hi, interval[0]), p->measured,
            interval_text(p->measured_lo, p->measured_hi, interval[1]),
            difference(p), inside_text(p));
  }
  agreement_text(pairs, count, text);
  fprintf(to, "\n%s\n", text);
}

int report_what_if_json(FILE *to, const struct what_if_pair *pairs,
                        size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct what_if_pair *p = &pairs[i];
    json_t *object = json_pack(
        "{ss so so so so so so so so}", "program", p->program, "user_s",
        json_of_real(p->user_s), "predicted", json_of_real(p->predicted), "lo",
        json_of_real(p->lo), "hi", json_of_real(p->hi), "measured",
        json_of_real(p->measured), "measured_lo", json_of_real(p->measured_lo),
        "measured_hi", json_of_real(p->measured_hi), "inside",
        has_interval(p) ? json_boolean(is_inside(p)) : json_null());
    if (!object) return -1;
    json_line(to, object, SUMMARY_JSON_FLAGS);
  }
  return 0;
}

static void print_interval(FILE *page, double lo, double hi) {
  if (isfinite(lo + hi))
    fprintf(page, "<td>%.3f&ndash;%.3f</td>", lo, hi);
  else
    fputs("<td>-</td>", page);
}

static void print_row(FILE *page, const struct what_if_pair *p) {
  html_print(page, "<tr><td class=\"left\">%s</td>", p->program);
  fprintf(page, "<td>%.2f</td><td>%.3f</td>", p->user_s, p->predicted);
  print_interval(page, p->lo, p->hi);
  fprintf(page, "<td>%.3f</td>", p->measured);
  print_interval(page, p->measured_lo, p->measured_hi);
  fprintf(page, "<td>%+.3f</td><td>%s</td></tr>\n", difference(p),
          inside_text(p));
}

struct pairs {
  const struct what_if_pair *pair;
  size_t count;
};

static void print_page(FILE *page, const void *of) {
  const struct pairs *all = of;
  const struct what_if_pair *pairs = all->pair;
  const size_t count = all->count;
  char text[200];
  static const char title[] = "What if: predicted and measured";
  html_begin(page, title, "");
  agreement_text(pairs, count, text);
  html_print(page, "<h1>%s</h1>\n<p class=\"lead\">%s", title, text);
  fputs(
      "</p>\n</header>\n<main>\n" HTML_WIDE
      "<table><thead><tr>"
      "<th class=\"left\">program</th><th>user time<small>s, on 4 KiB "
      "pages</small></th><th>predicted<small>on 2 MiB / 4 KiB</small></th>"
      "<th>interval<small></small></th><th>measured<small>on 2 MiB / 4 KiB"
      "</small></th><th>95 %<small></small></th><th>predicted<small>- measured"
      "</small></th><th>measured<small>in the interval</small></th></tr>"
      "</thead>\n<tbody>\n",
      page);
  for (size_t i = 0; i < count; i++) print_row(page, &pairs[i]);
  fputs(
      "</tbody></table></div>\n<p>User time on pages of 2 MiB as a share of "
      "that on 4 KiB pages: as <code>vat profile --what-if</code> predicts it "
      "from one run in Valgrind and a calibration of the machine, and as "
      "<code>vat compare</code> measures it.</p>\n</main>\n"
      "<p class=\"foot\">Made by vat.</p>\n</body>\n</html>\n",
      page);
}

int report_what_if_write(const struct what_if_pair *pairs, size_t count,
                         const char *dir, char error[RESULTS_ERROR_SIZE]) {
  const struct pairs all = {pairs, count};
  return page_file_write(dir, "what-if.html", print_page, &all, error);
}
