/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/predict/predict.h"

#include <config.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/progress.h"
#include "experiments/sim/tree_options.h"
#include "huge_pages/available_memory.h"

enum { WORKSPACE_MULTIPLE = 64 /* where the forms let it begin */ };

#define AT(member) OPTION_AT(struct predict_request, member)

/* What theorem 2.14 and 2.16 speak of, in the order of --policy. */
static const struct {
  const char *name;
  enum vat_bounds_policy kind;
} kinds[] = {{"islru", VAT_BOUNDS_RECENT},
             {"lru", VAT_BOUNDS_RECENT},
             {"min", VAT_BOUNDS_MIN},
             {"ismin", VAT_BOUNDS_ISMIN}};

static const struct option_row rows[] = {
    {.rows = stream_rows, AT(stream)},
    {.help = "The translation cache"},
    {"policy", "islru|lru|min|ismin", OPTION_CHOICE, AT(chosen),
     .usual = "islru", .help = "replacement policy"},
    {"tc-nodes", "W", OPTION_SIZES, AT(nodes), .usual = "1536",
     .help = "nodes that the cache holds; a list such as 64,1536"},
    {"tau", "T,...", OPTION_OWN, AT(tau), .set = tau_option_set,
     .help = TAU_OPTION_HELP ". Costs are then printed, too"},
    {.rows = tree_rows, AT(tree)},
    {.help = "How, and output"},
    {"no-simulation", NULL, OPTION_FLAG, AT(no_simulation),
     .help = "print the bounds only"},
    {"assumptions", NULL, OPTION_FLAG, AT(assumptions), .conflicts = "json",
     .help = "show both sides of each assumption of the theory (default: of "
             "those that do not hold)"},
    {"json", NULL, OPTION_FLAG, AT(json),
     .help = "print JSON Lines, one for each W"},
    {0}};

const struct option_table predict_table = {
    .rows = rows,
    .usage = "--algo ALGO --n N",
    .examples =
        "  vat predict --algo binary_search --n 2^26 --tc-nodes 64,1536\n",
    .too_many = "unexpected argument; write --algo ALGO --n N",
    .doc =
        "Show the least and the most misses of an algorithm in a translation "
        "cache (TC) by the theory, and its misses in a simulation; exit code 1 "
        "if those are outside the bounds.",
};

static int find_form(struct predict_request *request) {
  const char *name = request->stream.algo->name;
  request->form = predict_form_find(name);
  if (request->form) return VAT_OK;
  return fail(VAT_USAGE,
              "--algo %s: the theory has no bounds for it; choose one of %s",
              name, NAMES_OF(predict_forms));
}

/* Forms are of random inputs and of whole words. */
static int check_input(const struct stream *stream) {
  const struct algo *algo = stream->algo;
  if (stream->generator && strcmp(stream->generator, algo->generators[0]))
    return fail(VAT_USAGE,
                "--generator %s: the bounds hold for random inputs only; leave "
                "the option out",
                stream->generator);
  if (stream->base % WORKSPACE_MULTIPLE)
    return fail(VAT_USAGE,
                "--base 0x%llx: not a multiple of %d, which the bounds need",
                (unsigned long long)stream->base, WORKSPACE_MULTIPLE);
  return VAT_OK;
}

static int find_levels(struct predict_request *request) {
  struct vat_tree *tree = &request->tree;
  uint64_t page = stream_last_address(&request->stream) >> tree->page_bits;
  unsigned least = vat_tree_levels_for(tree->index_bits, page);
  if (!tree->levels) tree->levels = least;
  if (vat_tree_check(tree))
    return fail(VAT_USAGE,
                "the workspace needs a tree of %u levels, the maximum is %d; "
                "choose larger --index-bits or --page-bits",
                tree->levels, VAT_LEVELS_MAX);
  if (vat_tree_holds(tree, page)) return VAT_OK;
  char levels[32] = "";
  if (least > tree->levels)
    snprintf(levels, sizeof levels, ", or %u --levels", least);
  return fail(VAT_USAGE,
              "--algo %s: its workspace ends outside a tree of %u levels; "
              "choose a lower --base%s",
              request->stream.algo->name, tree->levels, levels);
}

static int check_nodes(const struct predict_request *request) {
  unsigned levels = request->tree.levels;
  if (request->nodes.at[0] > levels) return VAT_OK;
  return fail(VAT_USAGE,
              "--tc-nodes %llu: the translation cache must hold at least %u "
              "nodes, one more than the tree has levels",
              (unsigned long long)request->nodes.at[0], levels + 1);
}

static int check(struct predict_request *request) {
  request->policy = vat_policy_find(kinds[request->chosen].name);
  if (!request->stream.algo)
    return fail(VAT_USAGE, "nothing to predict; name an algorithm with --algo");
  int code = stream_check(&request->stream);
  if (!code) code = find_form(request);
  if (!code) code = check_input(&request->stream);
  if (!code) code = find_levels(request);
  if (!code) code = tau_check(&request->tau, "tau", &request->tree);
  return code ? code : check_nodes(request);
}

int predict_request_parse(struct predict_request *request, int argc,
                          char **argv) {
  *request =
      (struct predict_request){.tree = {.index_bits = 9, .page_bits = 12}};
  int code = options_parse(&predict_table, argc, argv, request);
  return code ? code : check(request);
}

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

const char *predict_missing(const struct predict_request *request) {
  if (request->no_simulation) return "not asked for";
#ifdef HAVE_STREAMS
  return NULL;
#else
  return "this vat was built without address streams";
#endif
}

static int explain(void) {
  if (errno == ENOMEM)
    return fail(VAT_ABSENT, "out of memory: choose a smaller --tc-nodes");
  return fail(VAT_ABSENT,
              "the temporary file in TMPDIR failed: %s; set TMPDIR to a folder "
              "with free space",
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
    const struct vat_tc_counts counts = vat_tc_counts(flow->tcs[i]);
    predictions[i].misses = counts.misses;
    memcpy(predictions[i].misses_by_layer, counts.misses_by_layer,
           sizeof counts.misses_by_layer);
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
static struct prediction bounds(const struct predict_request *request,
                                uint64_t nodes) {
  const struct vat_bounds_case c = {.n = request->stream.n,
                                    .base = request->stream.base,
                                    .tree = request->tree,
                                    .nodes = nodes,
                                    .policy = kinds[request->chosen].kind};
  const double slack = 1e-12;
  return (struct prediction){
      .of = c,
      .lower = ceil(request->form->lower(&c) * (1 - slack)),
      .upper = floor(request->form->upper(&c) * (1 + slack))};
}

int predict_evaluate(const struct predict_request *request,
                     struct prediction *predictions) {
  for (size_t i = 0; i < request->nodes.count; i++)
    predictions[i] = bounds(request, request->nodes.at[i]);
  return predict_missing(request) ? VAT_OK : simulate(request, predictions);
}

bool predict_is_within(const struct prediction *p) {
  double misses = (double)p->misses;
  return !p->simulated || (p->lower <= misses && misses <= p->upper);
}
