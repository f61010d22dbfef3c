/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/tau_option.h"

#include <math.h>
#include <stdio.h>

#include "experiments/cli/command.h"
#include "experiments/cli/numbers.h"
#include "experiments/cli/option_row.h"

static int add_value(void *at, const char *option, const char *item) {
  struct tau *tau = at;
  double value;
  if (real_parse(item, &value) || value < 0 || value > TAU_MOST)
    return fail(VAT_USAGE,
                "--%s %s: not a number from 0 to %g; write 30, 0.5 or a list "
                "such as 30,10,0",
                option, *item ? item : "''", TAU_MOST);
  if (tau->count == VAT_LAYERS_MAX)
    return fail(VAT_USAGE,
                "--%s: too many values; a tree has at most %d layers", option,
                VAT_LAYERS_MAX);
  tau->at[tau->count++] = fabs(value); /* -0 */
  return VAT_OK;
}

int tau_option_set(void *at, const char *option, const char *list) {
  ((struct tau *)at)->count = 0;
  return option_items(at, option, list, add_value);
}

int tau_check(const struct tau *tau, const char *option,
              const struct vat_tree *tree) {
  if (tau->count <= tree->levels + 1) return VAT_OK;
  return fail(VAT_USAGE,
              "--%s: %u values, but the tree has only %u layers; leave the "
              "others out, or choose more levels",
              option, tau->count, tree->levels + 1);
}

double tau_of(const struct tau *tau, unsigned layer) {
  return tau->at[layer < tau->count ? layer : tau->count - 1];
}

/* Layers of the same tau are one product: it rounds once. */
double tau_cost(const struct tau *tau, unsigned levels,
                const uint64_t misses_by_layer[]) {
  double cost = 0;
  uint64_t misses = 0;
  for (unsigned i = 0; i <= levels; i++) {
    misses += misses_by_layer[i];
    if (i < levels && tau_of(tau, i + 1) == tau_of(tau, i)) continue;
    cost += tau_of(tau, i) * (double)misses;
    misses = 0;
  }
  return cost;
}

static bool is_whole(double cost) {
  return cost == floor(cost) && cost < 0x1p53;
}

const char *cost_text(double cost, char text[COST_TEXT]) {
  snprintf(text, COST_TEXT, "%.*f", is_whole(cost) || cost >= 1e15 ? 0 : 6,
           cost);
  return text;
}

json_t *cost_json(double cost) {
  if (!isfinite(cost)) return json_null();
  return is_whole(cost) ? json_integer((json_int_t)cost) : json_real(cost);
}

void tau_json(json_t *object, const struct tau *tau, unsigned levels,
              const uint64_t misses_by_layer[]) {
  json_t *taus = json_array(), *costs = json_array();
  for (unsigned i = 0; i <= levels; i++) {
    json_array_append_new(taus, cost_json(tau_of(tau, i)));
    json_array_append_new(
        costs, cost_json(tau_of(tau, i) * (double)misses_by_layer[i]));
  }
  json_object_set_new(object, "tau", taus);
  json_object_set_new(object, "cost_by_layer", costs);
  json_object_set_new(object, "cost",
                      cost_json(tau_cost(tau, levels, misses_by_layer)));
}
