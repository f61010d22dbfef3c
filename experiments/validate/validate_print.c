/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>

#include "experiments/validate/validate.h"

static void percent(FILE *out, double value) {
  if (isfinite(value))
    fprintf(out, "  %6.1f", 100 * value);
  else
    fprintf(out, "  %6s", "-");
}

static void print_programs(FILE *out, const struct validation *v) {
  fprintf(out, "%-22s", "held-out error, %");
  for (size_t m = 0; m < MODELS; m++) fprintf(out, "  %6s", models[m].title);
  fprintf(out, "  points   c ns  overlap  element\n");
  for (size_t p = 0; p < v->points.program_count; p++) {
    const struct program *program = &v->points.programs[p];
    const struct program_judged *judged = &v->judged.programs[p];
    const struct fitted *full = &judged->fitted[MODEL_FULL];
    if (program->left_out) continue;
    fprintf(out, "%-22s", program->algo->name);
    for (size_t m = 0; m < MODELS; m++)
      percent(out, judged->scores[m].time.median);
    fprintf(out, "  %6zu  %5.3g  %7.3f  ",
            judged->scores[MODEL_FULL].time.count, full->c, full->overlap);
    fprintf(out, full->element > 0 ? "%7.3g\n" : "      -\n", full->element);
  }
}

/* A simpler model that is as good leaves nothing for the others to explain. */
static void print_nearer(FILE *out, const struct validation *v) {
  const struct scores *all = v->judged.all;
  double full = all[MODEL_FULL].time.median;
  for (size_t m = 0; m < MODELS; m++) {
    if (!(all[m].time.median < full)) continue;
    fprintf(out,
            "%s is nearer with fewer terms: these programs and sizes do not "
            "show what the other terms add%s\n",
            models[m].title,
            v->exchange ? "" : "; fix: vat run with larger sizes");
    return;
  }
}

static void print_row(FILE *out, const char *label, const struct scores *all,
                      bool ratio, bool p90) {
  fprintf(out, "%-22s", label);
  for (size_t m = 0; m < MODELS; m++)
    percent(out, scores_part(&all[m], ratio, p90));
  fputc('\n', out);
}

static void print_totals(FILE *out, const struct validation *v) {
  const struct judged *j = &v->judged;
  print_row(out, "all, median", j->all, false, false);
  print_row(out, "all, 90 of 100", j->all, false, true);
  print_row(out, "n >= 10^7, median", j->large, false, false);
  print_row(out, "n >= 10^7, 90 of 100", j->large, false, true);
  print_row(out, "ratio to 4k, median", j->all, true, false);
  print_row(out, "ratio to 4k, 90 of 100", j->all, true, true);
  print_row(out, "n >= 10^7, median", j->large, true, false);
  print_row(out, "n >= 10^7, 90 of 100", j->large, true, true);
}

static void print_ablation(FILE *out, const struct validation *v) {
  fprintf(out, "\n%-22s  %15s  %15s  %15s\n", "FULL without", "all, median/p90",
          "n >= 10^7", "ratio to 4k");
  for (size_t t = 0; terms[t].name; t++) {
    const struct scores *all = &v->judged.ablated_all[t];
    const struct scores *large = &v->judged.ablated_large[t];
    fprintf(out, "%-22s", terms[t].name);
    const struct score shown[] = {all->time, large->time, large->ratio};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
      percent(out, shown[i].median);
      percent(out, shown[i].p90);
    }
    fputc('\n', out);
  }
}

static void print_growth(FILE *out, const struct validation *v) {
  fprintf(out, "\n%-22s  %-24s", "time per operation as",
          "(log n)^e, measured");
  for (size_t m = 1; m < MODELS; m++) fprintf(out, "  %6s", models[m].title);
  fputc('\n', out);
  for (size_t p = 0; p < v->points.program_count; p++) {
    const struct program_judged *judged = &v->judged.programs[p];
    const struct growth *g = &judged->measured;
    if (v->points.programs[p].left_out || isnan(g->exponent)) continue;
    fprintf(out, "%-22s  %6.2f [%6.2f, %6.2f]  ",
            v->points.programs[p].algo->name, g->exponent, g->lo, g->hi);
    for (size_t m = 1; m < MODELS; m++)
      fprintf(out, "  %6.2f", judged->predicted[m].exponent);
    fputc('\n', out);
  }
}

void validation_print(FILE *out, const struct validation *v) {
  print_programs(out, v);
  print_totals(out, v);
  print_ablation(out, v);
  print_growth(out, v);
  if (isfinite(v->noise_floor))
    fprintf(out,
            "\nnoise: repetitions of a point vary by %.1f %% in the median\n",
            100 * v->noise_floor);
  if (isfinite(v->last_bytes)) {
    double then = v->cal->levels[v->cal->level_count - 2].bytes_usable.value;
    fprintf(out,
            "last cache: %.1f MiB were usable during the run (%.1f during the "
            "calibration)\n",
            ldexp(v->last_bytes, -20), ldexp(then, -20));
  }
  if (isfinite(v->neighbours))
    fprintf(out,
            "neighbours: other programs loaded %.2f bytes per ns into the last "
            "cache during the run (%.2f during the calibration)\n",
            v->neighbours, v->cal->neighbours.value);
  if (isfinite(v->canary_range))
    fprintf(out,
            "canary: the time of a loop that only computes varied by %.1f %% "
            "during the run%s\n",
            100 * v->canary_range,
            v->canary_range <= CALIBRATION_CANARY_MOST
                ? ""
                : ", which no model of memory predicts; fix: repeat vat run "
                  "while nothing else runs");
  fprintf(out, "\n%s\n", v->verdict);
  print_nearer(out, v);
}
