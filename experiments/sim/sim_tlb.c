/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs and page-walk caches, by vat/tlb.h as in `vat profile --tlb`: what a
 * walk reads are misses. */
#include "experiments/sim/sim_tlb.h"

#include <stdio.h>
#include <stdlib.h>

#include "experiments/sim/sim_engine.h"

struct state {
  struct tlb tlb;
  struct vat_tc_counts counts;
  uint64_t keys[]; /* of the caches */
};

static void *create(const struct sim_request *request,
                    const struct vat_tc_options *options) {
  (void)options; /* nothing is spilled */
  struct state *s =
      calloc(1, sizeof *s + vat_tlb_bytes(&request->tlb, &request->tree));
  if (s) vat_tlb_init(&s->tlb, &request->tlb, &request->tree, s->keys);
  return s;
}

static int addresses(void *state, const uint64_t *address, size_t count) {
  struct state *s = state;
  for (size_t i = 0; i < count; i++) {
    unsigned read =
        vat_tlb_access(&s->tlb, address[i] >> s->tlb.tree.page_bits);
    s->counts.misses += read;
    while (read > 0) s->counts.misses_by_layer[--read]++;
  }
  s->counts.translations += count;
  return 0;
}

static int finish(void *state) {
  (void)state;
  return 0;
}

static int result(void *state, struct sim_result *result) {
  const struct state *s = state;
  result->counts = s->counts;
  return 0;
}

const struct sim_engine sim_tlb_engine = {create, addresses, finish, result,
                                          free};

static json_t *cache(const struct tlb_cache_shape *shape) {
  if (!shape->entries) return json_null();
  return json_pack("[ii]", (int)shape->entries, (int)shape->ways);
}

json_t *sim_tlb_json(const struct tlb_shape *tlb) {
  return json_pack("{ss s{so so so}}", "policy", "tlb", "tlb", "l1",
                   cache(&tlb->level[0]), "l2", cache(&tlb->level[1]), "pwc",
                   cache(&tlb->walk));
}

static void print_cache(const char *name, const struct tlb_cache_shape *shape) {
  if (shape->entries)
    printf("%s%u entries in %u ways", name, shape->entries, shape->ways);
}

void sim_tlb_print(const struct tlb_shape *tlb) {
  print_cache("TLB: ", &tlb->level[0]);
  print_cache("; second level: ", &tlb->level[1]);
  print_cache("; page-walk cache of a layer: ", &tlb->walk);
  putchar('\n');
}
