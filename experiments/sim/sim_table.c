/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_table.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "experiments/cli/json_file.h"
#include "experiments/cli/record.h"
#include "experiments/cli/text_table.h"
#include "experiments/sim/sim_cost.h"

static void print_json(const struct sim_request *request,
                       const struct sim_result *result) {
  const struct vat_table_counts *counts = &result->table;
  json_t *object = json_pack("{ss}", "policy", request->policy->name);
  if (request->policy->draws)
    json_object_set_new(object, "policy_seed",
                        json_of_u64(request->policy_seed));
  json_object_update_new(
      object,
      json_pack(
          "{sI si ss sI sI sI sI sI s{sf sI sI sI}}", "tc_nodes",
          (json_int_t)request->nodes, "page_bits", (int)request->tree.page_bits,
          "table", vat_table_kind_names[request->table_kind], "accesses",
          (json_int_t)result->accesses, "translations",
          (json_int_t)counts->translations, "misses",
          (json_int_t)counts->misses, "lines", (json_int_t)counts->lines,
          "probes", (json_int_t)counts->probes, "places", "load",
          request->table_load, "count", (json_int_t)counts->places, "entries",
          (json_int_t)counts->entries, "growths", (json_int_t)counts->growths));
  sim_cost_json(object, request, result);
  json_line(stdout, object, JSON_PRESERVE_ORDER);
}

static void print_row(struct text_table *table, const char *what,
                      uint64_t count, uint64_t translations) {
  text_row(table, "%s\t%" PRIu64 "\t%.6f", what, count,
           (double)count / (double)translations);
}

static void print_text(const struct sim_request *request,
                       const struct sim_result *result) {
  const struct vat_table_counts *counts = &result->table;
  struct text_table table = {.out = stdout, .gap = 1};
  unsigned pages = 1u << vat_table_block_bits(request->table_kind);
  unsigned entries = 1u << vat_table_line_bits(request->table_kind);
  printf("%" PRIu64 " accesses, %" PRIu64 " translations\n", result->accesses,
         counts->translations);
  if (!result->accesses) return;
  printf("%s, W = %" PRIu64 " lines", request->policy->name, request->nodes);
  if (request->policy->draws) printf(", seed %" PRIu64, request->policy_seed);
  printf("\n%s table: %u page%s an entry, %u entr%s a line\n",
         vat_table_kind_names[request->table_kind], pages,
         pages == 1 ? "" : "s", entries, entries == 1 ? "y" : "ies");
  printf("%" PRIu64 " entr%s in %" PRIu64
         " places, load %.3f of at most %g; "
         "grown %" PRIu64 " time%s\n",
         counts->entries, counts->entries == 1 ? "y" : "ies", counts->places,
         (double)counts->entries / (double)counts->places, request->table_load,
         counts->growths, counts->growths == 1 ? "" : "s");
  text_columns(&table, "-14 what\t20 count\t18 per translation");
  print_row(&table, "places probed", counts->probes, counts->translations);
  print_row(&table, "lines accessed", counts->lines, counts->translations);
  print_row(&table, "misses", counts->misses, counts->translations);
  text_table_end(&table);
  sim_cost_print(request, result);
}

void sim_table_print(const struct sim_request *request,
                     const struct sim_result *result) {
  (request->json ? print_json : print_text)(request, result);
}
