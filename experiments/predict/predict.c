/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/predict/predict.h"

#include <config.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/progress.h"
#include "experiments/stream/stream_progress.h"
#include "huge_pages/available_memory.h"

enum { BLOCK = 4096 };

/* A stream on its way into a TC for each W. */
struct flow {
  const struct predict_request *request;
  struct vat_tc **tcs;
  struct progress progress;
  struct stream_progress came;
  bool pages; /* not addresses */
  uint64_t addresses[BLOCK];
  uint32_t sizes[BLOCK];
  uint8_t kinds[BLOCK];
};

const char *predict_lacks(const struct predict_request *request) {
  if (request->no_simulation) return "not asked for";
#ifdef HAVE_STREAMS
  return NULL;
#else
  return "this vat was built without address streams";
#endif
}

static int explain(void) {
  if (errno == ENOMEM)
    return fail(VAT_ABSENT, "out of memory: a smaller --tc-nodes needs less");
  return fail(VAT_ABSENT,
              "a temporary file in TMPDIR: %s; set TMPDIR to a place with room",
              strerror(errno));
}

static int predict_simulate_block(void *arg, size_t count, uint64_t accesses) {
  struct flow *flow = arg;
  for (size_t i = 0; i < flow->request->nodes.count; i++)
    if (flow->pages ? vat_tc_pages(flow->tcs[i], flow->addresses, count)
                    : vat_tc_addresses(flow->tcs[i], flow->addresses, count))
      return explain();
  stream_progress_add(&flow->came, accesses);
  return VAT_OK;
}

static void show_finishing(void *arg, double done) {
  struct flow *flow = arg;
  progress_draw_part(&flow->progress, done, flow->progress.start_s,
                     "looking ahead");
}

static int create(struct flow *flow) {
  const struct predict_request *request = flow->request;
  size_t available = hp_memory_available(), count = request->nodes.count;
  const struct vat_tc_options options = {
      .memory_bytes = available == SIZE_MAX ? 0 : available / 4 / count + 1,
      .on_progress = show_finishing,
      .arg = flow};
  for (size_t i = 0; i < count; i++) {
    flow->tcs[i] = vat_tc_create(request->policy, &request->tree,
                                 request->nodes.at[i], &options);
    if (!flow->tcs[i]) return explain();
  }
  return VAT_OK;
}

/* What is free for all of them (vat/tc.h). */
static enum vat_tc_free free_of(const struct flow *flow) {
  enum vat_tc_free free = VAT_TC_PAIRS_FREE;
  for (size_t i = 0; i < flow->request->nodes.count; i++)
    if (vat_tc_free(flow->tcs[i]) < free) free = vat_tc_free(flow->tcs[i]);
  return flow->request->tree.page_bits > STREAM_PAGE_BITS_MAX
             ? VAT_TC_NOTHING_FREE
             : free;
}

static int run_stream(struct flow *flow, struct prediction *predictions) {
  const struct predict_request *request = flow->request;
  struct stream_sink sink = {
      .block = {flow->addresses, flow->sizes, flow->kinds},
      .capacity = BLOCK,
      .take = predict_simulate_block,
      .arg = flow,
      .free = free_of(flow)};
  flow->pages = sink.free;
  if (sink.free) sink.page_bits = request->tree.page_bits;
  int code = stream_run(&request->stream, &sink);
  for (size_t i = 0; !code && i < request->nodes.count; i++) {
    flow->progress.start_s = progress_now_s();
    if (vat_tc_finish(flow->tcs[i])) code = explain();
    predictions[i].misses = vat_tc_counts(flow->tcs[i]).misses;
    predictions[i].simulated = true;
  }
  progress_clear(&flow->progress);
  return code;
}

static int simulate(const struct predict_request *request,
                    struct prediction *predictions) {
  struct flow *flow = memory_zeroed(1, sizeof *flow);
  flow->request = request;
  flow->tcs = memory_zeroed(request->nodes.count, sizeof(struct vat_tc *));
  progress_init(&flow->progress);
  stream_progress_init(&flow->came, &flow->progress, &request->stream);
  int code = create(flow);
  if (!code) code = run_stream(flow, predictions);
  for (size_t i = 0; i < request->nodes.count; i++)
    vat_tc_destroy(flow->tcs[i]);
  free(flow->tcs);
  free(flow);
  return code;
}

/* Misses are whole; but for rounding. */
static void bound(const struct predict_request *request,
                  struct prediction *prediction) {
  const struct vat_bounds_case c = {.n = request->stream.n,
                                    .base = request->stream.base,
                                    .tree = request->tree,
                                    .nodes = prediction->nodes,
                                    .policy = request->kind};
  const double slack = 1e-12;
  prediction->lower = ceil(request->form->lower(&c) * (1 - slack));
  prediction->upper = floor(request->form->upper(&c) * (1 + slack));
}

int predict_run(const struct predict_request *request,
                struct prediction *predictions) {
  for (size_t i = 0; i < request->nodes.count; i++) {
    predictions[i] = (struct prediction){.nodes = request->nodes.at[i]};
    bound(request, &predictions[i]);
  }
  return predict_lacks(request) ? VAT_OK : simulate(request, predictions);
}
