/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_parallel.h"

#include <inttypes.h>
#include <stdio.h>

#include "experiments/cli/record.h"

void sim_parallel_print(const struct sim_request *request,
                        const struct sim_result *result) {
  printf("%" PRIu32 " processor%s, %s; %s of %" PRIu64 " access%s\n",
         request->processors, request->processors == 1 ? "" : "s",
         request->shared_tc ? "one TC for all" : "each with such a TC",
         request->chunk ? "chunks" : "blocks", result->chunk,
         result->chunk == 1 ? "" : "es");
}

void sim_parallel_print_most(const struct sim_request *request,
                             const struct sim_result *result) {
  const struct vat_tc_counts *processor = result->processor;
  uint32_t most = 0;
  if (!result->attributed) return;
  for (uint32_t i = 1; i < request->processors; i++)
    if (processor[i].misses > processor[most].misses) most = i;
  printf("processor %" PRIu32 " misses most: %" PRIu64 " in %" PRIu64
         " translations\n",
         most, processor[most].misses, processor[most].translations);
}

void sim_parallel_json(json_t *object, const struct sim_request *request,
                       const struct sim_result *result) {
  json_t *processors = json_array();
  for (uint32_t i = 0; i < request->processors; i++)
    json_array_append_new(
        processors,
        json_pack("{sI so}", "translations",
                  (json_int_t)result->processor[i].translations, "misses",
                  result->attributed ? json_of_u64(result->processor[i].misses)
                                     : json_null()));
  json_object_update_new(
      object,
      json_pack("{so sI sb}", "processors", processors, "chunk",
                (json_int_t)result->chunk, "shared_tc", request->shared_tc));
}
