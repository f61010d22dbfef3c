/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_request.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/cli/command.h"
#include "experiments/cli/whole_number.h"
#include "experiments/sim/tlb_option.h"
#include "experiments/sim/tree_options.h"
#include "huge_pages/available_memory.h"

enum {
  KEY_FORMAT = 256,
  KEY_POLICY,
  KEY_NODES,
  KEY_ALL_W,
  KEY_SPAN,
  KEY_TLB,
  KEY_INSTR,
  KEY_MEMORY,
  KEY_SHARD,
  KEY_NESTED,
  KEY_HOST_TREE,
  KEY_HOST_INDEX_BITS,
  KEY_HOST_PAGE_BITS,
  KEY_HOST_LEVELS,
  KEY_HOST_NODES,
  KEY_TABLE_BASE,
  KEY_JSON,
};

static const struct argp_option option_table[] = {
    {0, 0, NULL, 0, "The trace", 1},
    {"format", KEY_FORMAT, "FORMAT", 0,
     "its format (default: auto, found out from its first bytes)", 0},
    {"span", KEY_SPAN, NULL, 0,
     "translate every page that an access overlaps (default: its first)", 0},
    {"instr", KEY_INSTR, NULL, 0, "translate instruction fetches, too", 0},
    {0, 0, NULL, 0, "The translation cache", 3},
    {"policy", KEY_POLICY, "POLICY,...", 0,
     "what to evict: see `vat list policies` (default: islru)", 0},
    {"tc-nodes", KEY_NODES, "W", 0,
     "nodes it holds, a list such as 64,1536 (default: 1536)", 0},
    {"all-w", KEY_ALL_W, NULL, 0, "every W from levels + 1 on, in one pass", 0},
    {"tlb", KEY_TLB, "SHAPE", 0,
     "instead of a TC, like l1=64x4,l2=1536x12,pwc=32x4: entries and ways of "
     "two levels of TLB, and of each layer's page-walk cache; here: those of "
     "this processor",
     0},
    {0, 0, NULL, 0, "Virtual machines", 5},
    {"nested", KEY_NESTED, "split|misses|shared", 0,
     "split: a TC each for guest and host; misses: only guest nodes that "
     "missed "
     "are looked up in the host, as page-walk caches do; shared: one TC",
     0},
    {"host-tree", KEY_HOST_TREE, "TREE", 0,
     "the host's tree (default: page and index bits as the guest's, as few "
     "levels as it takes)",
     0},
    {"host-index-bits", KEY_HOST_INDEX_BITS, "k", 0, "as --index-bits", 0},
    {"host-page-bits", KEY_HOST_PAGE_BITS, "p", 0, "as --page-bits", 0},
    {"host-levels", KEY_HOST_LEVELS, "d", 0, "as --levels", 0},
    {"host-tc-nodes", KEY_HOST_NODES, "W", 0, "(default: as --tc-nodes)", 0},
    {"table-base", KEY_TABLE_BASE, "ADDR", 0,
     "where the guest's tables lie (default: above all it can address)", 0},
    {0, 0, NULL, 0, "Running", 7},
    {"memory", KEY_MEMORY, "BYTES", 0,
     "policies that know the future keep the trace: beyond this in a temporary "
     "file in TMPDIR (default: a quarter of the free memory)",
     0},
    {"shard", KEY_SHARD, "I/N", 0,
     "of several policies, W and trees, simulate the I-th of N parts, as other "
     "machines do the others (doc/cluster.md)",
     0},
    {"json", KEY_JSON, NULL, 0, "print a JSON object, a line each", 0},
    {0}};

/* What was typed, besides what the request holds. */
struct typed {
  struct sim_request *request;
  bool policy, nodes, host_other;
};

static uint64_t address(const char *option, const char *text) {
  uint64_t value;
  if (whole_number_parse(text, &value) || value == UINT64_MAX)
    exit(fail(VAT_USAGE, "--%s %s: not an address such as 0x100000000", option,
              text));
  return value;
}

static void choose_mode(struct sim_request *request, const char *name) {
  request->nested = true;
  for (unsigned i = 0; vat_nested_mode_names[i]; i++) {
    request->mode = (enum vat_nested_mode)i;
    if (!strcmp(vat_nested_mode_names[i], name)) return;
  }
  exit(fail(VAT_USAGE, "--nested %s: no such mode; split, misses or shared",
            name));
}

static error_t parse_host(int key, char *value, struct typed *typed) {
  struct sim_request *request = typed->request;
  struct vat_tree *tree = &request->host;
  switch (key) {
    case KEY_HOST_TREE:
      *tree = tree_option_preset("host-tree", value);
      request->host_index = request->host_page = true;
      return 0;
    case KEY_HOST_INDEX_BITS:
      tree->index_bits = (unsigned)tree_option_number("host-index-bits", value,
                                                      1, TREE_INDEX_BITS_MAX);
      request->host_index = true;
      return 0;
    case KEY_HOST_PAGE_BITS:
      tree->page_bits = (unsigned)tree_option_number("host-page-bits", value, 0,
                                                     TREE_PAGE_BITS_MAX);
      request->host_page = true;
      return 0;
    case KEY_HOST_LEVELS:
      tree->levels =
          (unsigned)tree_option_number("host-levels", value, 1, VAT_LEVELS_MAX);
      break;
    case KEY_HOST_NODES:
      request->host_nodes =
          tree_option_number("host-tc-nodes", value, 1, INT64_MAX);
      request->host_own_nodes = true;
      break;
    case KEY_TABLE_BASE:
      request->table_base = address("table-base", value);
      break;
    default:
      return ARGP_ERR_UNKNOWN;
  }
  typed->host_other = true;
  return 0;
}

static error_t parse_run(int key, char *value, struct typed *typed) {
  struct sim_request *request = typed->request;
  switch (key) {
    case KEY_FORMAT:
      request->format = strcmp(value, "auto") ? value : NULL;
      return 0;
    case KEY_SPAN:
      request->span = true;
      return 0;
    case KEY_INSTR:
      request->instr = true;
      return 0;
    case KEY_POLICY:
      sim_sweep_policies(&request->sweep, value);
      typed->policy = true;
      return 0;
    case KEY_NODES:
      sim_sweep_nodes(&request->sweep, value);
      typed->nodes = true;
      return 0;
    case KEY_TLB:
      tlb_option_take(&request->tlb, value);
      return 0;
    case KEY_ALL_W:
      request->all_w = true;
      return 0;
    case KEY_MEMORY:
      request->memory_bytes =
          tree_option_number("memory", value, 1, UINT64_MAX);
      return 0;
    case KEY_SHARD:
      request->sweep.shard = shard_option(value);
      return 0;
    case KEY_NESTED:
      choose_mode(request, value);
      return 0;
    case KEY_JSON:
      request->json = true;
      return 0;
    case ARGP_KEY_ARG:
      if (request->trace)
        exit(fail(VAT_USAGE, "%s: one trace at a time", value));
      request->trace = value;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct typed *typed = state->input;
  if (key == ARGP_KEY_INIT) {
    state->child_inputs[0] = &typed->request->stream;
    state->child_inputs[1] = &typed->request->classify;
    state->child_inputs[2] = &typed->request->sweep.trees;
    return 0;
  }
  if (parse_host(key, value, typed) != ARGP_ERR_UNKNOWN) return 0;
  return parse_run(key, value, typed);
}

/* One trace or one algorithm. */
static int check_source(const struct sim_request *request) {
  bool algo = request->stream.algo;
  if (!algo && !request->trace && stream_check(&request->stream))
    return VAT_USAGE;
  if (!algo && !request->trace)
    return fail(VAT_USAGE,
                "simulate what? name a trace, - being standard input, or an "
                "algorithm by --algo");
  if (algo && request->trace)
    return fail(VAT_USAGE, "%s and --algo: one or the other", request->trace);
  if (algo && (request->format || request->instr))
    return fail(VAT_USAGE, "--%s is for traces, not for --algo",
                request->format ? "format" : "instr");
  return stream_check(&request->stream);
}

/* TLBs are no TC. */
static int check_tlb(const struct typed *typed) {
  const struct sim_request *request = typed->request;
  const char *other = typed->policy             ? "policy"
                      : typed->nodes            ? "tc-nodes"
                      : request->all_w          ? "all-w"
                      : request->nested         ? "nested"
                      : request->classify.asked ? "classify"
                                                : NULL;
  if (!request->tlb.level[0].entries || !other) return VAT_OK;
  return fail(VAT_USAGE, "--tlb and --%s: one or the other", other);
}

/* Options that contradict each other, or that nothing would heed. */
static int check(const struct typed *typed) {
  const struct sim_request *request = typed->request;
  bool host = request->host_index || request->host_page || typed->host_other;
  int code = check_source(request);
  if (!code) code = check_tlb(typed);
  if (code) return code;
  if (request->all_w && typed->nodes)
    return fail(VAT_USAGE, "--all-w and --tc-nodes: one or the other");
  if (request->all_w && request->nested)
    return fail(VAT_USAGE, "--all-w and --nested: one or the other");
  if (host && !request->nested)
    return fail(VAT_USAGE,
                "a host without --nested: say how its nodes are cached, by "
                "--nested split, misses or shared");
  if (sim_classify_check(&request->classify)) return VAT_USAGE;
  if (request->classify.asked && (request->all_w || request->nested))
    return fail(VAT_USAGE, "--classify and --%s: one or the other",
                request->all_w ? "all-w" : "nested");
  if (request->host_own_nodes && request->mode == VAT_NESTED_SHARED)
    return fail(VAT_USAGE,
                "--host-tc-nodes with --nested shared: there is one TC, of "
                "--tc-nodes");
  return VAT_OK;
}

/* Told before the first point is simulated, not when it is that policy's turn.
 */
static int check_policy(const struct sim_request *request,
                        const struct vat_policy *policy) {
  bool backwards = policy->recency != VAT_RECENCY_NONE;
  if (request->all_w && !policy->curve)
    return fail(VAT_USAGE,
                "--all-w: %s has no curve; islru, lru, min and ismin have",
                policy->name);
  if (request->classify.asked && !backwards)
    return fail(VAT_USAGE,
                "--classify: not with %s; with lru or islru, which know each "
                "access's misses at once",
                policy->name);
  if (!request->nested) return VAT_OK;
  if (request->mode == VAT_NESTED_SHARED && !backwards)
    return fail(VAT_USAGE, "--nested shared: not with %s; with lru or islru",
                policy->name);
  if (request->mode == VAT_NESTED_MISSES && policy->offline && !policy->observe)
    return fail(VAT_USAGE,
                "--nested misses: not with %s; with lru, islru, min or ismin",
                policy->name);
  return VAT_OK;
}

/* A trace is read for each point, and standard input there is once. */
static int check_sweep(const struct sim_request *request) {
  const struct shard *shard = &request->sweep.shard;
  size_t points = sim_sweep_points(&request->sweep);
  struct stat file;
  for (size_t i = 0; i < request->sweep.policy_count; i++)
    if (check_policy(request, request->sweep.policies[i])) return VAT_USAGE;
  if (points > 1 && request->trace &&
      (!strcmp(request->trace, "-") ||
       (!stat(request->trace, &file) && !S_ISREG(file.st_mode))))
    return fail(VAT_USAGE,
                "%s: is read for each policy, W and tree; name a file",
                request->trace);
  if (shard->count <= points) return VAT_OK;
  return fail(VAT_USAGE,
              "--shard %u/%u: the sweep has %zu point%s (a policy, W and "
              "tree); as many shards are the most",
              shard->index, shard->count, points, points == 1 ? "" : "s");
}

/* What the host was not given it has in common with the guest; but levels given
 * for the guest say nothing of the host's, which reach further. */
void sim_request_point(struct sim_request *request, size_t index) {
  const struct sim_sweep *sweep = &request->sweep;
  request->tree = sweep->trees.tree[index % sweep->trees.count];
  index /= sweep->trees.count;
  request->nodes = sweep->nodes[index % sweep->node_count];
  request->policy = sweep->policies[index / sweep->node_count];
  if (!request->host_index) request->host.index_bits = request->tree.index_bits;
  if (!request->host_page) request->host.page_bits = request->tree.page_bits;
  if (!request->host_own_nodes) request->host_nodes = request->nodes;
}

static void complete(struct sim_request *request) {
  if (request->memory_bytes) return;
  size_t available = hp_memory_available();
  request->memory_bytes = available == SIZE_MAX ? 0 : available / 4 + 1;
}

int sim_request_parse(struct sim_request *request, int argc, char **argv) {
  static const struct argp_child children[] = {{&stream_argp, 0, NULL, 0},
                                               {&sim_classify_argp, 0, NULL, 0},
                                               {&trees_argp, 0, NULL, 0},
                                               {0}};
  static const struct argp argp = {
      .options = option_table,
      .parser = parse,
      .children = children,
      .args_doc = "TRACE\n--algo ALGO --n N",
      .doc =
          "Simulate a translation cache (TC) on a trace, exactly: the cost of "
          "a program in the VAT model is its misses. TRACE is a file of one of "
          "`vat list formats`, or - for standard input. With --algo it is the "
          "stream of addresses that one of vat's algorithms accesses, which "
          "takes no file.",
  };
  *request = (struct sim_request){
      .sweep = {.policies = {vat_policies[0]},
                .nodes = {1536},
                .trees = {{{.index_bits = 9, .page_bits = 12}}, 1},
                .policy_count = 1,
                .node_count = 1},
      .table_base = UINT64_MAX};
  struct typed typed = {.request = request};
  int code = command_parse(&argp, argc, argv, &typed);
  if (!code) code = check(&typed);
  if (!code) code = check_sweep(request);
  if (!code) complete(request);
  return code;
}

static int check_nodes(const struct sim_request *request, const char *option,
                       const char *whose, const struct vat_tree *tree,
                       uint64_t nodes) {
  uint64_t least = vat_policy_least_nodes(request->policy, tree);
  if (nodes >= least) return VAT_OK;
  return fail(VAT_USAGE,
              "--%s %llu: %s needs a TC of at least %llu nodes, one more than "
              "the %s's %u levels",
              option, (unsigned long long)nodes, request->policy->name,
              (unsigned long long)least, whose, tree->levels);
}

/* Nested, a node and which tree it is of fit one word. */
static int check_guest(const struct vat_tree *tree) {
  unsigned bits = tree->index_bits * tree->levels;
  if (bits <= VAT_NESTED_PAGE_BITS) return VAT_OK;
  return fail(VAT_USAGE,
              "--nested: page numbers of the guest have %u bits, and %d are "
              "the most: fewer --levels or --index-bits, or more --page-bits",
              bits, VAT_NESTED_PAGE_BITS);
}

int sim_request_check(const struct sim_request *request) {
  if (request->all_w || request->tlb.level[0].entries) return VAT_OK;
  if (request->nested && check_guest(&request->tree)) return VAT_USAGE;
  int code =
      check_nodes(request, "tc-nodes", request->nested ? "guest tree" : "tree",
                  &request->tree, request->nodes);
  if (code || !request->nested || request->mode == VAT_NESTED_SHARED)
    return code;
  return check_nodes(
      request,
      request->host_nodes == request->nodes ? "tc-nodes" : "host-tc-nodes",
      "host tree", &request->host, request->host_nodes);
}
