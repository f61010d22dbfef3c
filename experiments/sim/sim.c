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

/* TLBs and page-walk caches, as in `vat profile --tlb`: what a walk reads are
 * misses. */
struct tlb_state {
  struct mixed_tlb tlb;
  struct layout_find find;
  struct vat_tc_counts counts;
  uint64_t keys[]; /* of the caches */
};

/* NULL where pages have the tree's size. */
struct layouts {
  struct vat_layout *tree, *host;
};

/* The simulation that was asked for; the others are NULL. */
struct engine {
  struct vat_nested *nested;
  struct vat_curve *curve;
  struct vat_classify *classify;
  struct tlb_state *tlb;
  struct vat_table *table;
  struct vat_one_cache *one_cache;
  struct vat_parallel *parallel;
  struct vat_tc *tc;
};

static struct vat_nested *create_nested(const struct sim_request *request,
                                        const struct vat_tc_options *options,
                                        const struct layouts *layouts) {
  const struct vat_nested_options nested = {
      .policy = request->policy,
      .guest = request->tree,
      .host = request->host,
      .guest_layout = layouts->tree,
      .host_layout = layouts->host,
      .guest_nodes = request->nodes,
      .host_nodes = request->host_nodes,
      .mode = request->mode,
      .table_base = request->table_base,
      .guest_memory_bytes = request->guest_memory,
      .guest_seed = request->guest_seed,
      .tc = *options,
  };
  return vat_nested_create(&nested);
}

static struct vat_table *create_table(const struct sim_request *request,
                                      const struct vat_tc_options *options) {
  const struct vat_table_options table = {
      .policy = request->policy,
      .kind = request->table_kind,
      .page_bits = request->tree.page_bits,
      .nodes = request->nodes,
      .load = request->table_load,
      .tc = *options,
  };
  return vat_table_create(&table);
}

static struct vat_one_cache *create_one_cache(
    const struct sim_request *request, const struct vat_tc_options *options) {
  const struct vat_one_cache_options one_cache = {.policy = request->policy,
                                                  .tree = request->tree,
                                                  .lines = request->nodes,
                                                  .tc = *options};
  return vat_one_cache_create(&one_cache);
}

static struct vat_parallel *create_parallel(
    const struct sim_request *request, const struct vat_tc_options *options) {
  const struct vat_parallel_options parallel = {
      .policy = request->policy,
      .tree = request->tree,
      .nodes = request->nodes,
      .processors = request->processors,
      .chunk = request->chunk,
      .shared = request->shared_tc,
      .tc = *options,
  };
  return vat_parallel_create(&parallel);
}

static struct tlb_state *create_tlb(const struct sim_request *request,
                                    const struct vat_layout *layout) {
  struct tlb_state *s =
      calloc(1, sizeof *s + vat_mixed_tlb_bytes(&request->tlb, &request->tree));
  if (!s) return NULL;
  vat_mixed_tlb_init(&s->tlb, &request->tlb, &request->tree, s->keys);
  vat_layout_find_init(&s->find, layout);
  return s;
}

/* All NULL, with errno: it failed.  Of these only TCs spill. */
static struct engine create(const struct sim_request *request,
                            const struct vat_tc_options *options,
                            const struct layouts *layouts) {
  const struct vat_tree *tree = &request->tree;
  struct engine e = {0};
  if (request->nested)
    e.nested = create_nested(request, options, layouts);
  else if (request->all_w)
    e.curve = vat_curve_create(request->policy, tree, options);
  else if (request->classify.asked)
    e.classify = vat_classify_create(request->policy, tree, request->nodes,
                                     &request->classify.params);
  else if (request->tlb.all.level[0].entries)
    e.tlb = create_tlb(request, layouts->tree);
  else if (request->table)
    e.table = create_table(request, options);
  else if (request->one_cache)
    e.one_cache = create_one_cache(request, options);
  else if (request->processors)
    e.parallel = create_parallel(request, options);
  else
    e.tc = vat_tc_create(request->policy, tree, request->nodes, options);
  return e;
}

static bool is_created(const struct engine *e) {
  return e->nested || e->curve || e->classify || e->tlb || e->table ||
         e->one_cache || e->parallel || e->tc;
}

static void look_up(struct tlb_state *s, const uint64_t *address,
                    size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t page = address[i] >> s->tlb.tree.page_bits;
    uint64_t keep = s->find.layout ? layout_keep(&s->find, page) : PATH_PAGE;
    unsigned digits = (unsigned)__builtin_ctzll(keep), leaf = path_leaf(keep);
    unsigned read = vat_mixed_tlb_access(&s->tlb, page, digits, leaf);
    s->counts.misses += read;
    while (read > 0) s->counts.misses_by_layer[leaf + --read]++;
  }
  s->counts.translations += count;
}

/* This and the next two return 0, or -1 with errno. */
static int translate(const struct engine *e, const uint64_t *addresses,
                     size_t count) {
  if (e->nested) return vat_nested_addresses(e->nested, addresses, count);
  if (e->curve) return vat_curve_addresses(e->curve, addresses, count);
  if (e->classify) return vat_classify_addresses(e->classify, addresses, count);
  if (e->table) return vat_table_addresses(e->table, addresses, count);
  if (e->one_cache)
    return vat_one_cache_addresses(e->one_cache, addresses, count);
  if (e->parallel) return vat_parallel_addresses(e->parallel, addresses, count);
  if (e->tc) return vat_tc_addresses(e->tc, addresses, count);
  look_up(e->tlb, addresses, count);
  return 0;
}

static int finish(const struct engine *e) {
  if (e->nested) return vat_nested_finish(e->nested);
  if (e->curve) return vat_curve_finish(e->curve);
  if (e->classify) return vat_classify_finish(e->classify);
  if (e->table) return vat_table_finish(e->table);
  if (e->one_cache) return vat_one_cache_finish(e->one_cache);
  if (e->parallel) return vat_parallel_finish(e->parallel);
  return e->tc ? vat_tc_finish(e->tc) : 0;
}

static void read_one_cache(const struct engine *e, struct sim_result *result) {
  struct vat_one_cache_counts counts = vat_one_cache_counts(e->one_cache);
  result->counts = counts.tables;
  result->data_misses = counts.data_misses;
  result->counts.misses += counts.data_misses;
}

static int read_parallel(const struct engine *e, unsigned processors,
                         struct sim_result *result) {
  result->counts = vat_parallel_counts(e->parallel);
  result->chunk = vat_parallel_chunk(e->parallel);
  result->attributed = vat_parallel_attributes(e->parallel);
  result->processor = calloc(processors, sizeof *result->processor);
  for (unsigned i = 0; result->processor && i < processors; i++)
    result->processor[i] = vat_parallel_processor(e->parallel, i);
  return result->processor ? 0 : -1;
}

static int read_result(const struct engine *e, unsigned processors,
                       struct sim_result *result) {
  if (e->tc) result->counts = vat_tc_counts(e->tc);
  if (e->tlb) result->counts = e->tlb->counts;
  if (e->table) result->table = vat_table_counts(e->table);
  if (e->one_cache) read_one_cache(e, result);
  if (e->parallel) return read_parallel(e, processors, result);
  if (e->nested) {
    result->counts = vat_nested_guest(e->nested);
    result->host = vat_nested_host(e->nested);
    result->frames = vat_nested_frames(e->nested);
  }
  if (e->classify) {
    result->counts = vat_classify_tc(e->classify);
    result->classes.counts = vat_classify_counts(e->classify);
    result->classes.params = vat_classify_params(e->classify);
    result->classes.part_bits = vat_classify_part_bits(e->classify);
  }
  if (!e->curve) return 0;
  result->counts.translations = vat_curve_translations(e->curve);
  return vat_curve_points(e->curve, &result->curve, &result->curve_points);
}

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

static int explain(const struct sim_request *request) {
  const struct vat_tree *host = &request->host;
  if (errno == ENOBUFS && request->guest_memory)
    return fail(
        VAT_USAGE,
        "--guest-memory %llu: the pages of the trace and of the "
        "guest's tables need more than its %llu frames; choose more "
        "memory",
        (unsigned long long)request->guest_memory,
        (unsigned long long)(request->guest_memory >> request->tree.page_bits));
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

static int translate_block(const struct engine *engine,
                           struct sim_input *input) {
  const uint64_t *addresses;
  size_t count;
  while ((count = sim_input_more(input, &addresses)) > 0)
    if (translate(engine, addresses, count)) return explain(input->request);
  return VAT_OK;
}

static int feed(const struct engine *engine, struct sim_input *input) {
  int code;
  while (!(code = sim_input_read(input)) && input->count)
    if ((code = translate_block(engine, input))) break;
  return code;
}

/* A stream on its way into an engine. */
struct flow {
  const struct engine *engine;
  struct sim_input *input;
  struct stream_progress progress;
};

static int take_accesses(void *arg, size_t count, uint64_t accesses) {
  struct flow *flow = arg;
  flow->input->at = 0;
  flow->input->count = count;
  flow->input->accesses += count;
  stream_progress_add(&flow->progress, accesses);
  return translate_block(flow->engine, flow->input);
}

/* Of a plain TC, which need not see every access. */
static int take_pages(void *arg, size_t count, uint64_t accesses) {
  struct flow *flow = arg;
  struct vat_tc *tc = flow->engine->tc;
  if (vat_tc_pages(tc, flow->input->addresses, count))
    return explain(flow->input->request);
  vat_tc_left_out(tc, accesses - count);
  flow->input->accesses += accesses;
  stream_progress_add(&flow->progress, accesses);
  return VAT_OK;
}

static int feed_stream(const struct engine *engine, struct sim_input *input) {
  const struct sim_request *request = input->request;
  struct flow flow = {.engine = engine, .input = input};
  stream_progress_init(&flow.progress, &input->progress, &request->stream);
  struct stream_sink sink = {.block = input->block,
                             .capacity = SIM_BLOCK,
                             .take = take_accesses,
                             .arg = &flow};
  if (engine->tc && !request->span &&
      request->tree.page_bits <= STREAM_PAGE_BITS_MAX)
    sink.free = vat_tc_free(engine->tc);
  if (sink.free) {
    sink.take = take_pages;
    sink.page_bits = request->tree.page_bits;
  }
  return stream_run(&request->stream, &sink);
}

static int run(const struct sim_request *request, const struct layouts *layouts,
               struct sim_input *input, struct sim_result *result) {
  const struct vat_tc_options options = {
      .memory_bytes = request->memory_bytes,
      .seed = request->policy_seed,
      .layout = request->nested ? NULL : layouts->tree,
      .on_spill = say_spilling,
      .on_progress = show_finishing,
      .arg = input};
  struct engine e = create(request, &options, layouts);
  if (!is_created(&e)) return explain_create(request);
  int code = (request->stream.algo ? feed_stream : feed)(&e, input);
  if (!code && finish(&e)) code = explain(request);
  progress_clear(&input->progress);
  result->accesses = input->accesses;
  if (!code && read_result(&e, request->processors, result)) memory_exhausted();
  vat_nested_destroy(e.nested);
  vat_curve_destroy(e.curve);
  vat_classify_destroy(e.classify);
  free(e.tlb);
  vat_table_destroy(e.table);
  vat_one_cache_destroy(e.one_cache);
  vat_parallel_destroy(e.parallel);
  vat_tc_destroy(e.tc);
  return code;
}

int sim_run(const struct sim_request *request, struct sim_input *input,
            struct sim_result *result) {
  struct layouts layouts = {NULL, NULL};
  *result = (struct sim_result){0};
  int code = sim_layout_make(&request->layout, "layout", &request->tree,
                             &layouts.tree);
  if (!code)
    code = sim_layout_make(&request->host_layout, "host-layout", &request->host,
                           &layouts.host);
  if (!code) code = run(request, &layouts, input, result);
  vat_layout_destroy(layouts.tree);
  vat_layout_destroy(layouts.host);
  return code;
}
