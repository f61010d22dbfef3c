/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/stream/stream_fixture.h"

#include "experiments/cli/command.h"
#include "experiments/stream/stream.h"
#include "tests/check.h"
#include "vat/policy.h"

enum { BLOCK = 1024 };

/* Where a stream goes, one of the two, and what kind of input it is of. */
struct flow {
  const char *generator;
  struct vat_tc *tc;
  struct vat_curve *curve;
  uint64_t addresses[BLOCK];
  uint32_t sizes[BLOCK];
  uint8_t kinds[BLOCK];
};

static int take(void *arg, size_t count, uint64_t accesses) {
  struct flow *flow = arg;
  (void)accesses;
  int failed = flow->tc
                   ? vat_tc_addresses(flow->tc, flow->addresses, count)
                   : vat_curve_addresses(flow->curve, flow->addresses, count);
  return failed ? VAT_FAILED : VAT_OK;
}

static struct stream stream_of(const struct stream_case *c) {
  return (struct stream){.algo = cpu_algo_find(c->algo),
                         .n = c->n,
                         .seed = c->seed,
                         .base = c->base};
}

static void run(const struct stream_case *c, struct flow *flow) {
  struct stream stream = stream_of(c);
  stream.generator = flow->generator;
  const struct stream_sink sink = {
      .block = {flow->addresses, flow->sizes, flow->kinds},
      .capacity = BLOCK,
      .take = take,
      .arg = flow};
  CU_ASSERT_EQUAL_FATAL(stream_run(&stream, &sink), VAT_OK);
}

struct vat_tree stream_case_tree(const struct stream_case *c) {
  const struct stream stream = stream_of(c);
  unsigned levels = vat_tree_levels_for(
      c->index_bits, stream_last_address(&stream) >> c->page_bits);
  return (struct vat_tree){c->index_bits, c->page_bits, levels};
}

struct vat_tc_counts stream_case_counts(const struct stream_case *c) {
  return stream_case_counts_on(c, NULL);
}

struct vat_tc_counts stream_case_counts_on(const struct stream_case *c,
                                           const char *generator) {
  struct vat_tree tree = stream_case_tree(c);
  struct flow flow = {
      .generator = generator,
      .tc = vat_tc_create(vat_policy_find(c->policy), &tree, c->nodes, NULL)};
  CU_ASSERT_PTR_NOT_NULL_FATAL(flow.tc);
  run(c, &flow);
  CU_ASSERT_EQUAL(vat_tc_finish(flow.tc), 0);
  struct vat_tc_counts counts = vat_tc_counts(flow.tc);
  vat_tc_destroy(flow.tc);
  return counts;
}

struct vat_curve_point *stream_case_curve(const struct stream_case *c,
                                          size_t *count) {
  struct vat_tree tree = stream_case_tree(c);
  struct vat_curve_point *points = NULL;
  struct flow flow = {
      .curve = vat_curve_create(vat_policy_find(c->policy), &tree, NULL)};
  CU_ASSERT_PTR_NOT_NULL_FATAL(flow.curve);
  run(c, &flow);
  CU_ASSERT_EQUAL(vat_curve_finish(flow.curve), 0);
  CU_ASSERT_EQUAL_FATAL(vat_curve_points(flow.curve, &points, count), 0);
  vat_curve_destroy(flow.curve);
  return points;
}

uint64_t stream_curve_at(const struct vat_curve_point *curve, size_t count,
                         uint64_t nodes) {
  uint64_t misses = UINT64_MAX;
  for (size_t i = 0; i < count && curve[i].nodes <= nodes; i++)
    misses = curve[i].misses;
  return misses;
}
