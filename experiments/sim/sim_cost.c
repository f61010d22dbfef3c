/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_cost.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "experiments/cli/record.h"
#include "experiments/cli/text_table.h"

#define TEXT(cost) cost_text((cost), (char[COST_TEXT]){""})

/* Misses that have one tau a layer: of a tree, or of a hashed table, whose
 * lines are one layer. */
struct part {
  const char *of; /* "guest "; the key of its object but for the blank */
  const struct tau *tau;
  unsigned levels;
  const uint64_t *misses_by_layer;
};

enum { PARTS_MOST = 2 };

static unsigned parts_of(const struct sim_request *request,
                         const struct sim_result *result,
                         struct part parts[PARTS_MOST]) {
  bool nested = request->nested, own = request->host_tau.count;
  parts[0] = (struct part){
      nested ? "guest " : "", &request->tau,
      request->table ? 0 : request->tree.levels,
      request->table ? &result->table.misses : result->counts.misses_by_layer};
  parts[1] = (struct part){"host  ", own ? &request->host_tau : &request->tau,
                           request->host.levels, result->host.misses_by_layer};
  return nested ? 2 : 1;
}

static double cost_of(const struct part *part) {
  return tau_cost(part->tau, part->levels, part->misses_by_layer);
}

static void print_layers(struct text_table *table, const struct part *part,
                         double accesses) {
  for (unsigned i = 0; i <= part->levels; i++) {
    const char *name = !i ? " leaf" : i == part->levels ? " root" : "";
    double tau = tau_of(part->tau, i);
    double cost = tau * (double)part->misses_by_layer[i];
    text_row(table, "%s%u%s\t%.10g\t%s\t%.6f", part->of, i, name, tau,
             TEXT(cost), cost / accesses);
  }
}

void sim_cost_print(const struct sim_request *request,
                    const struct sim_result *result) {
  struct part parts[PARTS_MOST];
  double accesses = (double)result->accesses, cost = 0;
  if (!request->tau.count || !result->accesses) return;
  unsigned count = parts_of(request, result, parts);
  struct text_table table = {.out = stdout, .gap = 1};
  text_columns(&table, count > 1 ? "-14       layer" : "-8 layer");
  text_columns(&table, "12 tau\t20 cost\t22 cost per access");
  for (unsigned i = 0; i < count; i++) {
    if (!request->table) print_layers(&table, &parts[i], accesses);
    cost += cost_of(&parts[i]);
  }
  text_row(&table, "%s\t%s\t%s\t%.6f", count > 1 ? "      all" : "all",
           request->table ? TEXT(request->tau.at[0]) : "", TEXT(cost),
           cost / accesses);
  text_table_end(&table);
  printf("VAT model: %" PRIu64
         " accesses + %s for translation = %s; translation "
         "is %.2f %%\n",
         result->accesses, TEXT(cost), TEXT(accesses + cost),
         100 * cost / (accesses + cost));
}

void sim_cost_json(json_t *object, const struct sim_request *request,
                   const struct sim_result *result) {
  static const char *const keys[PARTS_MOST] = {"guest", "host"};
  struct part parts[PARTS_MOST];
  double accesses = (double)result->accesses, cost = 0;
  if (!request->tau.count) return;
  unsigned count = parts_of(request, result, parts);
  for (unsigned i = 0; i < count; i++) {
    const struct part *p = &parts[i];
    tau_json(count > 1 ? json_object_get(object, keys[i]) : object, p->tau,
             p->levels, p->misses_by_layer);
    cost += cost_of(p);
  }
  if (request->table) json_object_del(object, "cost_by_layer");
  json_object_set_new(object, "cost", cost_json(cost));
  json_object_set_new(object, "cost_per_access", json_of_real(cost / accesses));
  json_object_set_new(object, "vat_cost", cost_json(accesses + cost));
  json_object_set_new(object, "translation_share",
                      json_of_real(cost / (accesses + cost)));
}
