/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/stream/stream.h"
#include "huge_pages/available_memory.h"
#include "vat/temporary_file.h"

/* One of the simulations there are, by what they have in common. */
struct sim_engine {
  /* NULL with errno. */
  void *(*create)(const struct sim_request *request,
                  const struct vat_tc_options *options);
  /* The others return 0, or -1 with errno. */
  int (*addresses)(void *state, const uint64_t *addresses, size_t count);
  int (*finish)(void *state);
  int (*result)(void *state, struct sim_result *result);
  void (*destroy)(void *state);
};

static void *tc_create(const struct sim_request *request,
                       const struct vat_tc_options *options) {
  return vat_tc_create(request->policy, &request->tree, request->nodes,
                       options);
}

static int tc_addresses(void *state, const uint64_t *addresses, size_t count) {
  return vat_tc_addresses(state, addresses, count);
}

static int tc_finish(void *state) { return vat_tc_finish(state); }

static int tc_result(void *state, struct sim_result *result) {
  result->counts = vat_tc_counts(state);
  return 0;
}

static void tc_destroy(void *state) { vat_tc_destroy(state); }

static const struct sim_engine tc_engine = {tc_create, tc_addresses, tc_finish,
                                            tc_result, tc_destroy};

static void *curve_create(const struct sim_request *request,
                          const struct vat_tc_options *options) {
  return vat_curve_create(request->policy, &request->tree, options);
}

static int curve_addresses(void *state, const uint64_t *addresses,
                           size_t count) {
  return vat_curve_addresses(state, addresses, count);
}

static int curve_finish(void *state) { return vat_curve_finish(state); }

static int curve_result(void *state, struct sim_result *result) {
  result->counts.translations = vat_curve_translations(state);
  return vat_curve_points(state, &result->curve, &result->curve_points);
}

static void curve_destroy(void *state) { vat_curve_destroy(state); }

static const struct sim_engine curve_engine = {
    curve_create, curve_addresses, curve_finish, curve_result, curve_destroy};

static void *classify_create(const struct sim_request *request,
                             const struct vat_tc_options *options) {
  (void)options; /* lru and islru spill nothing */
  return vat_classify_create(request->policy, &request->tree, request->nodes,
                             &request->classify.params);
}

static int classify_addresses(void *state, const uint64_t *addresses,
                              size_t count) {
  return vat_classify_addresses(state, addresses, count);
}

static int classify_finish(void *state) { return vat_classify_finish(state); }

static int classify_result(void *state, struct sim_result *result) {
  result->counts = vat_classify_tc(state);
  result->classes.counts = vat_classify_counts(state);
  result->classes.params = vat_classify_params(state);
  result->classes.part_bits = vat_classify_part_bits(state);
  return 0;
}

static void classify_destroy(void *state) { vat_classify_destroy(state); }

static const struct sim_engine classify_engine = {
    classify_create, classify_addresses, classify_finish, classify_result,
    classify_destroy};

static void *nested_create(const struct sim_request *request,
                           const struct vat_tc_options *options) {
  const struct vat_nested_options nested = {
      .policy = request->policy,
      .guest = request->tree,
      .host = request->host,
      .guest_nodes = request->nodes,
      .host_nodes = request->host_nodes,
      .mode = request->mode,
      .table_base = request->table_base,
      .tc = *options,
  };
  return vat_nested_create(&nested);
}

static int nested_addresses(void *state, const uint64_t *addresses,
                            size_t count) {
  return vat_nested_addresses(state, addresses, count);
}

static int nested_finish(void *state) { return vat_nested_finish(state); }

static int nested_result(void *state, struct sim_result *result) {
  result->counts = vat_nested_guest(state);
  result->host = vat_nested_host(state);
  return 0;
}

static void nested_destroy(void *state) { vat_nested_destroy(state); }

static const struct sim_engine nested_engine = {nested_create, nested_addresses,
                                                nested_finish, nested_result,
                                                nested_destroy};

/* TLBs and page-walk caches, as in `vat profile --tlb`: what a walk reads are
 * misses. */
struct tlb_state {
  struct tlb tlb;
  struct vat_tc_counts counts;
  uint64_t keys[]; /* of the caches */
};

static void *tlb_create(const struct sim_request *request,
                        const struct vat_tc_options *options) {
  (void)options; /* nothing is spilled */
  struct tlb_state *s =
      calloc(1, sizeof *s + vat_tlb_bytes(&request->tlb, &request->tree));
  if (s) vat_tlb_init(&s->tlb, &request->tlb, &request->tree, s->keys);
  return s;
}

static int tlb_addresses(void *state, const uint64_t *address, size_t count) {
  struct tlb_state *s = state;
  for (size_t i = 0; i < count; i++) {
    unsigned read =
        vat_tlb_access(&s->tlb, address[i] >> s->tlb.tree.page_bits);
    s->counts.misses += read;
    while (read > 0) s->counts.misses_by_layer[--read]++;
  }
  s->counts.translations += count;
  return 0;
}

static int tlb_finish(void *state) {
  (void)state;
  return 0;
}

static int tlb_result(void *state, struct sim_result *result) {
  const struct tlb_state *s = state;
  result->counts = s->counts;
  return 0;
}

static const struct sim_engine tlb_engine = {tlb_create, tlb_addresses,
                                             tlb_finish, tlb_result, free};

/* What a policy that knows the future has to tell meanwhile. */
static void say_spilling(void *arg) {
  struct sim_input *input = arg;
  if (input->spilling) return; /* there may be several streams */
  input->spilling = true;
  progress_clear(&input->progress);
  fprintf(stderr,
          "vat: note: %s keeps the whole trace, which needs more than --memory "
          "%llu; the rest goes to a temporary file in %s\n",
          input->request->policy->name,
          (unsigned long long)input->request->memory_bytes,
          vat_temporary_directory());
}

static void show_finishing(void *arg, double done) {
  struct sim_input *input = arg;
  if (!input->finishing_since_s) input->finishing_since_s = progress_now_s();
  progress_draw_part(&input->progress, done, input->finishing_since_s,
                     "looking ahead");
}

/* Where address space is limited, that is why. */
static int out_of_memory(const char *fix) {
  struct hp_missing missing;
  if (!hp_address_space_explain(SIZE_MAX, &missing))
    return fail(VAT_ABSENT, "out of memory: %s", fix);
  return fail(VAT_ABSENT, "out of memory: %s; fix: %s, or %s", missing.why,
              missing.fix, fix);
}

static int explain_create(const struct sim_request *request) {
  if (errno == EINVAL)
    return fail(VAT_USAGE, "%s",
                request->nested
                    ? "the guest's tables do not fit below 2^64; choose a "
                      "lower --table-base or a smaller tree"
                    : "this tree cannot be simulated; choose another --tree");
  return out_of_memory("choose a smaller --tc-nodes");
}

static int explain(struct sim_input *input) {
  const struct sim_request *request = input->request;
  const struct vat_tree *host = &request->host;
  int error = errno;
  progress_clear(&input->progress);
  errno = error;
  if (errno == ERANGE && host->index_bits * host->levels > VAT_NESTED_PAGE_BITS)
    return fail(
        VAT_USAGE,
        "an address or a table of the guest lies outside the host's tree: page "
        "numbers have at most %d bits; choose larger --host-page-bits",
        VAT_NESTED_PAGE_BITS);
  if (errno == ERANGE)
    return fail(
        VAT_USAGE,
        "an address or a table of the guest lies outside the host's tree of %u "
        "levels: choose more --host-levels or a larger --host-tree such as "
        "amd64-4k-5, or leave both out for as many levels as needed",
        host->levels);
  if (errno == ENOMEM)
    return out_of_memory(
        request->policy->offline
            ? "choose a smaller --memory or a smaller --tc-nodes"
            : "choose a smaller --tc-nodes");
  return fail(VAT_ABSENT,
              "the temporary file in TMPDIR failed: %s; set TMPDIR to a folder "
              "with free space, or choose a larger --memory",
              strerror(errno));
}

static int feed(const struct sim_engine *engine, void *state,
                struct sim_input *input) {
  const uint64_t *addresses;
  ssize_t count;
  while ((count = sim_input_next(input, &addresses)) > 0)
    if (engine->addresses(state, addresses, (size_t)count))
      return explain(input);
  if (count < 0) return input->code;
  return engine->finish(state) ? explain(input) : VAT_OK;
}

/* A stream on its way into an engine. */
struct flow {
  const struct sim_engine *engine;
  void *state;
  struct sim_input *input;
  struct stream_progress progress;
};

static int take_accesses(void *arg, size_t count, uint64_t accesses) {
  struct flow *flow = arg;
  const uint64_t *addresses;
  sim_input_begin(flow->input, count);
  while ((count = sim_input_more(flow->input, &addresses)) > 0)
    if (flow->engine->addresses(flow->state, addresses, count))
      return explain(flow->input);
  stream_progress_add(&flow->progress, accesses);
  return VAT_OK;
}

/* Of a plain TC, which need not see every access. */
static int take_pages(void *arg, size_t count, uint64_t accesses) {
  struct flow *flow = arg;
  if (vat_tc_pages(flow->state, flow->input->addresses, count))
    return explain(flow->input);
  vat_tc_left_out(flow->state, accesses - count);
  flow->input->accesses += accesses;
  stream_progress_add(&flow->progress, accesses);
  return VAT_OK;
}

static int feed_stream(const struct sim_engine *engine, void *state,
                       const struct sim_request *request,
                       struct sim_input *input) {
  struct flow flow = {.engine = engine, .state = state, .input = input};
  stream_progress_init(&flow.progress, &input->progress, &request->stream);
  struct stream_sink sink = {
      .block = {input->addresses, input->sizes, input->kinds},
      .capacity = SIM_BLOCK,
      .take = take_accesses,
      .arg = &flow};
  if (engine == &tc_engine && !request->span &&
      request->tree.page_bits <= STREAM_PAGE_BITS_MAX)
    sink.free = vat_tc_free(state);
  if (sink.free) {
    sink.take = take_pages;
    sink.page_bits = request->tree.page_bits;
  }
  int code = stream_run(&request->stream, &sink);
  if (code) return code;
  return engine->finish(state) ? explain(input) : VAT_OK;
}

int sim_run(const struct sim_request *request, struct sim_input *input,
            struct sim_result *result) {
  const struct sim_engine *engine = request->nested           ? &nested_engine
                                    : request->all_w          ? &curve_engine
                                    : request->classify.asked ? &classify_engine
                                    : request->tlb.level[0].entries
                                        ? &tlb_engine
                                        : &tc_engine;
  const struct vat_tc_options options = {.memory_bytes = request->memory_bytes,
                                         .on_spill = say_spilling,
                                         .on_progress = show_finishing,
                                         .arg = input};
  *result = (struct sim_result){0};
  void *state = engine->create(request, &options);
  if (!state) return explain_create(request);
  int code = request->stream.algo ? feed_stream(engine, state, request, input)
                                  : feed(engine, state, input);
  progress_clear(&input->progress);
  result->accesses = input->accesses;
  if (!code && engine->result(state, result)) memory_exhausted();
  engine->destroy(state);
  return code;
}
