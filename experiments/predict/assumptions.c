/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/predict/assumptions.h"

#include <math.h>

#include "experiments/cli/record.h"

enum { SIDE_TEXT = 48, KEY_BYTES = 8 };

/* In the order of the sides; NULL: the number says it all. */
static const struct {
  const char *form;
  size_t sides;
  const char *names[ASSUMPTION_SIDES];
  bool strict; /* the last but one is less than the last, not equal */
} chains[ASSUMPTIONS] = {
    {"1 <= tau d <= P", 3, {NULL, "tau d", "P"}, false},
    {"2 <= K", 2, {NULL, "K"}, false},
    {"m / P <= K^d <= 2 m / P", 3, {"m / P", "K^d", "2 m / P"}, false},
    {"d <= W < m^theta", 3, {"d", "W", "m"}, true},
};

/* What a walk that finds the root alone loads: d nodes.  With one tau it is a
 * product, as the sum of ten times 0.1 is less than 1. */
static double path_cost(const struct predict_request *request) {
  uint64_t once[VAT_LAYERS_MAX];
  if (!request->tau.count) return NAN;
  for (unsigned i = 0; i < VAT_LAYERS_MAX; i++) once[i] = 1;
  return tau_cost(&request->tau, request->tree.levels - 1, once);
}

static void set(struct assumption *a, int number, double first, double second,
                double third) {
  *a = (struct assumption){.form = chains[number].form,
                           .sides = chains[number].sides,
                           .side = {first, second, third},
                           .theta = NAN};
  bool holds = first <= second;
  if (a->sides > 2)
    holds &= chains[number].strict ? second < third : second <= third;
  a->state = holds ? ASSUMPTION_HOLDS : ASSUMPTION_FAILS;
}

/* W < m^theta for some theta in (0, 1) says W < m: any theta between that of
 * W = m^theta and 1 will do. */
void assumptions_find(const struct predict_request *request, uint64_t nodes,
                      struct assumption found[ASSUMPTIONS]) {
  const struct vat_tree *tree = &request->tree;
  double page = ldexp(1, (int)tree->page_bits) / KEY_BYTES;
  double m = (double)request->stream.algo->bytes(request->stream.n) / KEY_BYTES;
  double leaves = ldexp(1, (int)(tree->index_bits * tree->levels));
  set(&found[0], 0, 1, path_cost(request), page);
  if (!request->tau.count) {
    found[0].state = ASSUMPTION_NOT_CHECKED;
    found[0].why = "no --tau";
  }
  set(&found[1], 1, 2, ldexp(1, (int)tree->index_bits), NAN);
  set(&found[2], 2, m / page, leaves, 2 * m / page);
  set(&found[3], 3, tree->levels, (double)nodes, m);
  if (m > 1) found[3].theta = log((double)nodes) / log(m);
}

/* "512", "0.0625"; powers of two that are too long as 2^N. */
static const char *side_text(double side, char text[SIDE_TEXT]) {
  int exponent;
  if (side < 0x1p53 && side == floor(side))
    snprintf(text, SIDE_TEXT, "%.0f", side);
  else if (side >= 0x1p53 && frexp(side, &exponent) == 0.5)
    snprintf(text, SIDE_TEXT, "2^%d", exponent - 1);
  else
    snprintf(text, SIDE_TEXT, "%.6g", side);
  return text;
}

/* "m / P = 2048 <= K^d = 134217728 <= 2 m / P = 4096". */
static void print_sides(const struct assumption *a, int number, FILE *out) {
  char text[SIDE_TEXT];
  for (size_t i = 0; i < a->sides; i++) {
    const char *name = chains[number].names[i];
    bool last = i + 1 == a->sides;
    if (i) fputs(last && chains[number].strict ? " < " : " <= ", out);
    if (name) fputs(name, out);
    if (name && !isnan(a->side[i])) fputs(" = ", out);
    if (!isnan(a->side[i])) fputs(side_text(a->side[i], text), out);
  }
  if (isfinite(a->theta)) fprintf(out, ", W = m^%.2f", a->theta);
}

static void print_each(const struct assumption found[ASSUMPTIONS], FILE *out) {
  for (int i = 0; i < ASSUMPTIONS; i++) {
    static const char *const says[] = {"not checked", "holds", "does not hold"};
    fprintf(out, "assumption %d [2.4] %s", i + 1, says[found[i].state]);
    if (found[i].why) fprintf(out, " (%s)", found[i].why);
    fputs(": ", out);
    print_sides(&found[i], i, out);
    putc('\n', out);
  }
}

/* "2 and 4 hold". */
static void print_holding(const struct assumption found[ASSUMPTIONS],
                          const char *before, FILE *out) {
  int count = 0, left;
  for (int i = 0; i < ASSUMPTIONS; i++)
    count += found[i].state == ASSUMPTION_HOLDS;
  left = count;
  for (int i = 0; i < ASSUMPTIONS; i++) {
    if (found[i].state != ASSUMPTION_HOLDS) continue;
    left--;
    fprintf(out, "%s%d",
            left + 1 == count ? before
            : left            ? ", "
                              : " and ",
            i + 1);
  }
  if (count) fputs(count > 1 ? " hold" : " holds", out);
}

static void print_line(const struct assumption found[ASSUMPTIONS], FILE *out) {
  const char *before = "assumptions [2.4]: ";
  for (int i = 0; i < ASSUMPTIONS; i++) {
    if (found[i].state != ASSUMPTION_FAILS) continue;
    fprintf(out, "%s%d does not hold: ", before, i + 1);
    print_sides(&found[i], i, out);
    before = "; ";
  }
  print_holding(found, before, out);
  for (int i = 0; i < ASSUMPTIONS; i++)
    if (found[i].state == ASSUMPTION_NOT_CHECKED)
      fprintf(out, "; %d not checked (%s)", i + 1, found[i].why);
  putc('\n', out);
}

void assumptions_print(const struct predict_request *request, FILE *out) {
  struct assumption found[ASSUMPTIONS];
  assumptions_find(request, request->nodes.at[request->nodes.count - 1], found);
  (request->assumptions ? print_each : print_line)(found, out);
}

json_t *assumptions_json(const struct predict_request *request,
                         uint64_t nodes) {
  struct assumption found[ASSUMPTIONS];
  json_t *all = json_array();
  assumptions_find(request, nodes, found);
  for (int i = 0; i < ASSUMPTIONS; i++) {
    const struct assumption *a = &found[i];
    json_t *sides = json_array();
    for (size_t k = 0; k < a->sides; k++)
      json_array_append_new(sides, cost_json(a->side[k]));
    json_t *object = json_pack(
        "{ss so so ss*}", "form", a->form, "holds",
        a->why ? json_null() : json_boolean(a->state == ASSUMPTION_HOLDS),
        "sides", sides, "why", a->why);
    if (i == ASSUMPTIONS - 1)
      json_object_set_new(object, "theta", json_of_real(a->theta));
    json_array_append_new(all, object);
  }
  return all;
}
