/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time per operation of figure 2.1 as straight pieces, a panel per program:
 * points, the pieces that were fitted to them, and what ends there. */
#include <math.h>

#include "experiments/report/figure.h"
#include "experiments/report/pieces.h"

enum { COLUMNS = 3 };

/* Marks nearer to each other than that are one; x is log2 n. */
#define SAME_MARK 0.32

static size_t kind_colour(size_t kind) { return kind ? kind - 1 : CHART_BLACK; }

static bool is_marked(const struct chart_panel *panel, double x) {
  for (size_t i = 0; i < panel->mark_count; i++)
    if (fabs(panel->marks[i].at - x) < SAME_MARK) return true;
  return false;
}

static void add_marks(struct chart_panel *panel, const struct survey *survey,
                      const struct pieces_line *line) {
  struct reach reaches[REACHES_MOST];
  size_t count = reaches_of(survey, line->kind, reaches);
  for (size_t i = 0; i < count; i++) {
    double x = pieces_place(survey, line->program, reaches[i].bytes);
    if (x > line->x[0] && x < line->x[line->count - 1] && !is_marked(panel, x))
      chart_mark(panel, x, "%s", reaches[i].name);
  }
}

static void add_line(struct chart_panel *panel, const struct survey *survey,
                     const struct pieces_line *line, size_t colour) {
  struct chart_series *points = chart_series(panel, colour, "%s", "");
  points->apart = true;
  points->size = 0.45;
  figure_add_rows(points, survey, line->program, line->kind, survey_has_time,
                  survey_ns);
  for (size_t i = 0; i < line->fit.count; i++) {
    struct chart_series *piece = chart_series(panel, colour, "%s", "");
    double from = pieces_from(line, i), to = pieces_to(line, i);
    piece->unmarked = true;
    chart_point(piece, from, segmented_at(&line->fit, i, from));
    chart_point(piece, to, segmented_at(&line->fit, i, to));
  }
}

static void add_program(struct chart *chart, const struct survey *survey,
                        size_t program) {
  struct chart_panel *panel = NULL;
  for (size_t k = 0; k < survey->kind_count; k++) {
    const struct pieces_line *line =
        pieces_find(survey, program, survey->kinds[k]);
    if (!line) continue;
    if (!panel)
      panel = chart_panel(chart, FIGURE_LOG2_N,
                          chart->count % COLUMNS ? "" : "ns per operation",
                          "%s", FIGURE_LABELED(survey->programs[program]));
    panel->y.room = 1.32; /* for the names of the marks */
    add_marks(panel, survey, line);
    add_line(panel, survey, line, kind_colour(k));
  }
}

static void pieces_tell(const struct survey *survey, struct chart *chart) {
  size_t verdicts[SEGMENTED_CURVE + 1] = {0};
  struct pieces_breaks breaks = pieces_breaks_of(survey);
  for (size_t i = 0; i < survey->pieces->count; i++)
    verdicts[segmented_judge(&survey->pieces->lines[i].fit)]++;
  chart_tell(chart,
             "Of %zu lines here, one straight line fits %zu about as well as "
             "anything else, straight pieces fit %zu best, a smooth curve fits "
             "%zu best, and pieces and a curve fit %zu equally well.",
             survey->pieces->count, verdicts[SEGMENTED_LINE],
             verdicts[SEGMENTED_PIECES], verdicts[SEGMENTED_CURVE],
             verdicts[SEGMENTED_UNDECIDED]);
  if (breaks.count)
    chart_tell(chart,
               " Of %zu breaks, %zu are within half a doubling of the size of "
               "a cache or the memory that a TLB maps; if breaks were "
               "anywhere, about %.0f would be.",
               breaks.count, breaks.near, breaks.by_chance);
}

static void pieces_fill(const struct survey *survey, struct chart *chart) {
  if (!survey->pieces || !survey->pieces->count) return;
  chart->columns = COLUMNS;
  chart->box = (struct chart_box){336, 276, 70, 14, 36, 48};
  chart->head = 46;
  for (size_t i = 0; i < figure_programs(survey); i++)
    add_program(chart, survey, i);
  if (chart->count < COLUMNS) chart->columns = chart->count;
  for (size_t k = 0; k < survey->kind_count; k++)
    if (figure_has_kind(survey, survey->kinds[k], survey_has_time))
      chart_key(chart, kind_colour(k), "%s", HUMAN_PAGES(survey->kinds[k]));
  pieces_tell(survey, chart);
}

static const char *verdict_name(const struct segmented *fit) {
  static const char *const names[] = {[SEGMENTED_NONE] = "none",
                                      [SEGMENTED_LINE] = "line",
                                      [SEGMENTED_PIECES] = "pieces",
                                      [SEGMENTED_UNDECIDED] = "undecided",
                                      [SEGMENTED_CURVE] = "curve"};
  return names[segmented_judge(fit)];
}

static void write_piece(FILE *out, const struct survey *survey,
                        const struct pieces_line *line, size_t i) {
  const struct summary *program = survey->programs[line->program];
  const struct segmented *fit = &line->fit;
  const struct segmented_piece *piece = &fit->piece[i];
  struct reach nearest = {.bytes = NAN};
  double away = NAN;
  if (!i || !pieces_nearest(survey, line, i, &nearest, &away)) away = NAN;
  figure_csv(out, "|ssswuu", program->algo, program->device, line->kind,
             verdict_name(fit), (uint64_t)fit->count, (uint64_t)i + 1);
  figure_csv(out, "gggwgsgg", piece->from.value, piece->from.lo, piece->from.hi,
             !i            ? ""
             : piece->step ? "step"
                           : "bend",
             i ? pieces_bytes(survey, line->program, piece->from.value) : NAN,
             nearest.name, nearest.bytes, away);
  figure_csv(out, "ggggg", line->x[piece->first],
             line->x[piece->first + piece->count - 1], piece->slope.value,
             piece->slope.lo, piece->slope.hi);
  figure_csv(out, "gggguggg", piece->intercept, fit->line.error,
             fit->pieces.error, fit->curve.error, (uint64_t)fit->degree,
             fit->line.criterion, fit->pieces.criterion, fit->curve.criterion);
  figure_csv(out, "sss\n", program->variant->generator, program->variant->file,
             program->variant->alloc);
}

static void pieces_write_lines(FILE *out, const struct survey *survey) {
  for (size_t i = 0; i < survey->pieces->count; i++)
    for (size_t k = 0; k < survey->pieces->lines[i].fit.count; k++)
      write_piece(out, survey, &survey->pieces->lines[i], k);
}

const struct figure figure_pieces = {
    .name = "fig-pieces",
    .title = "Is the operation time piecewise linear?",
    .caption =
        "The points are those of figure 2.1, one panel for each program. x "
        "axis: log\342\202\202 n. y axis: shortest time per operation in ns. "
        "Section 2.1 of T. Jurkiewicz's PhD thesis observes that these times "
        "are piecewise linear in log n, and that the pieces correspond to the "
        "memory hierarchy. The lines are straight pieces that fit the points "
        "best. More pieces are used only if the error falls by enough to "
        "justify them. Dashed lines mark where the data of the program are as "
        "large as a cache, or as the memory that the entries of a TLB map; the "
        "data of random_scan are the array and the permutation. Look for "
        "breaks at these marks, and for slopes that differ between "
        "page kinds. The tables under In numbers have the breaks and slopes "
        "with 95 % intervals.",
    .needs =
        "It needs a program at 8 sizes or more on one page kind: vat run "
        "--sizes 2^14:2^26*1.4 -o FILE.",
    .fill = pieces_fill,
    .head =
        "algo,device,pages,verdict,pieces,piece,begins_log2_n,begins_lo,"
        "begins_hi,break,memory_bytes,nearest,nearest_bytes,"
        "doublings_beyond,first_log2_n,last_log2_n,ns_per_doubling,"
        "ns_per_doubling_lo,ns_per_doubling_hi,ns_at_log2_n_0,error_line,"
        "error_pieces,error_curve,curve_degree,criterion_line,"
        "criterion_pieces,criterion_curve,generator,input,alloc",
    .write_lines = pieces_write_lines,
};
