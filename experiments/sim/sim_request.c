/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_request.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/cli/command.h"
#include "experiments/cli/spelling.h"
#include "experiments/sim/mixed_tlb_option.h"
#include "experiments/sim/tlb_option.h"
#include "huge_pages/available_memory.h"

static int add_policy(void *at, const char *option, const char *name) {
  struct sim_sweep *sweep = at;
  const struct vat_policy *policy = vat_policy_find(name);
  struct spelling spelling = {.typed = name};
  for (size_t i = 0; vat_policies[i]; i++)
    spelling_offer(&spelling, vat_policies[i]->name);
  if (!policy)
    return fail(VAT_USAGE, "--%s %s: unknown policy; %ssee `vat list policies`",
                option, name, spelling_hint(&spelling));
  for (size_t i = 0; i < sweep->policy_count; i++)
    if (sweep->policies[i] == policy)
      return fail(VAT_USAGE, "--%s: %s is named twice", option, name);
  sweep->policies[sweep->policy_count++] = policy; /* there are fewer */
  return VAT_OK;
}

static int set_policies(void *at, const char *option, const char *list) {
  struct sim_sweep *sweep = at;
  sweep->policy_count = 0;
  return option_items(at, option, list, add_policy);
}

size_t sim_sweep_points(const struct sim_sweep *sweep) {
  size_t memories = sweep->memories.count ? sweep->memories.count : 1;
  return sweep->policy_count * sweep->nodes.count * sweep->trees.count *
         memories;
}

#define AT(member) OPTION_AT(struct sim_request, member)
#define GIVEN(member) OPTION_GIVEN(struct sim_request, member)
#define OF_HOST      \
  .needs = "nested", \
  .because =         \
      "choose how its nodes are cached with --nested split, misses or shared"

static const struct option_row rows[] = {
    {.help = "The trace"},
    {"format", "FORMAT", OPTION_TEXT, AT(format), .conflicts = "algo",
     .help = "format of TRACE (default: auto, detected from its first bytes)"},
    {"span", NULL, OPTION_FLAG, AT(span),
     .help = "translate every page that an access overlaps (default: its "
             "first)"},
    {"instr", NULL, OPTION_FLAG, AT(instr), .conflicts = "algo",
     .help = "translate instruction fetches, too"},
    {.rows = stream_rows, AT(stream)},
    {.help = "The translation cache"},
    {"policy", "POLICY,...", OPTION_OWN, AT(sweep), .set = set_policies,
     .usual = "islru",
     .help = "replacement policies to simulate; see `vat list policies`"},
    {"policy-seed", "S", OPTION_WHOLE, AT(policy_seed), GIVEN(policy_seeded),
     .needs = "policy",
     .because = "only policy random draws; name it with --policy random",
     .usual = "1",
     .help = "seed of the policy random: the same seed, the same misses"},
    {"tc-nodes", "W", OPTION_SIZES, AT(sweep.nodes), .least = 1,
     .most = INT64_MAX, .items = SIM_SWEEP_MOST, .usual = "1536",
     .help = "nodes that the cache holds; a list such as 64,1536"},
    {"tau", "T,...", OPTION_OWN, AT(tau), .set = tau_option_set,
     .conflicts = "all-w,one-cache,processors",
     .help = TAU_OPTION_HELP
     ". Costs are then printed, too. With --classify, one whole number "
     "(default: 64): a consecutive part has at least T accesses per page and "
     "T d accesses in all"},
    {"all-w", NULL, OPTION_FLAG, AT(all_w), .conflicts = "tc-nodes,nested",
     .help = "simulate every W from levels + 1 on, in one pass"},
    {"tlb", "SHAPE", OPTION_OWN, AT(tlb), .set = mixed_tlb_option_set,
     .conflicts = "policy,tc-nodes,all-w,nested,classify",
     .help = TLB_OPTION_HELP
     ". l1-2m=32x4, l2-1g=16x4: another one for pages from that size on (see "
     "--layout). coalesce=8k, 16k, 32k or 64k: an entry holds so much of "
     "smaller "
     "pages, as if their frames were contiguous; coalesce=MACHINE.json: as vat "
     "calibrate has found"},
    {.rows = trees_rows, AT(sweep.trees)},
    {"layout", "FILE", OPTION_FILE, AT(layout.path),
     .conflicts = "all-w,table,one-cache,processors,classify,span,guest-memory",
     .help = "pages of several sizes: a line START-END SIZE for each range of "
             "addresses, such as 7f0000000000-7f0040000000 2m, and a line "
             "default SIZE for the rest (default: the tree's pages)"},
    {.help = "A page table without a tree (doc/translation-structures.md)"},
    {"table", "hashed|clustered-8|clustered-16", OPTION_CHOICE, AT(table_kind),
     GIVEN(table), .conflicts = "all-w,tlb,nested,classify,index-bits,levels",
     .help = "translate by a hashed page table; the cache holds its lines. "
             "hashed: an entry a page, 8 entries a line; clustered-8, "
             "clustered-16: a line an entry, which is for 8 or 16 pages"},
    {"load", "F", OPTION_REAL, AT(table_load), .needs = "table", .low = 0.05,
     .high = 0.95, .usual = "0.5",
     .help = "at most this fraction of the places of the table is in use; it "
             "grows before"},
    {.help = "Several processors (doc/parallel-vat.md)"},
    {"processors", "P", OPTION_WHOLE, AT(processors), .least = 1,
     .most = VAT_PROCESSORS_MAX,
     .conflicts = "all-w,tlb,table,nested,classify,span",
     .help = "deal the accesses to P processors, each with a TC of W nodes"},
    {"chunk", "N", OPTION_SIZE, AT(chunk), .needs = "processors", .least = 1,
     .most = INT64_MAX,
     .help = "deal N accesses at a time, to one processor after the other "
             "(default: one block of the same length to each)"},
    {"shared-tc", NULL, OPTION_FLAG, AT(shared_tc), .needs = "processors",
     .help = "one TC of W nodes for all processors"},
    {.help = "Data in the cache (doc/one-cache.md)"},
    {"one-cache", NULL, OPTION_FLAG, AT(one_cache),
     .conflicts = "all-w,tlb,table,nested,classify,span,processors",
     .help = "the cache holds lines of 64 bytes, of data and of page tables; W "
             "is a number of lines"},
    {.help = "Virtual machines"},
    /* In the order of enum vat_nested_mode. */
    {"nested", "split|misses|shared", OPTION_CHOICE, AT(mode), GIVEN(nested),
     .help = "how the nodes of guest and host are cached. split: in two TCs; "
             "misses: in two TCs, and only guest nodes that missed are looked "
             "up in the host, as with page-walk caches; shared: in one TC"},
    {"host-tree", "TREE", OPTION_OWN, AT(host), GIVEN(host_tree), OF_HOST,
     .set = tree_option_set,
     .help = "tree of the host (default: page and index bits of the guest, "
             "with as few levels as possible)"},
    {"host-index-bits", "k",
     TREE_INDEX_BITS(struct sim_request, host.index_bits), GIVEN(host_index),
     OF_HOST, .help = "--index-bits of the host"},
    {"host-page-bits", "p", TREE_PAGE_BITS(struct sim_request, host.page_bits),
     GIVEN(host_page), OF_HOST, .help = "--page-bits of the host"},
    {"host-levels", "d", TREE_LEVELS(struct sim_request, host.levels), OF_HOST,
     .help = "--levels of the host"},
    {"host-tc-nodes", "W", OPTION_SIZE, AT(host_nodes), GIVEN(host_own_nodes),
     OF_HOST, .least = 1, .most = INT64_MAX,
     .help = "--tc-nodes of the host (default: as for the guest)"},
    {"host-tau", "T,...", OPTION_OWN, AT(host_tau), .set = tau_option_set,
     OF_HOST, .help = "--tau of the host (default: as for the guest)"},
    {"host-layout", "FILE", OPTION_FILE, AT(host_layout.path), OF_HOST,
     .help = "--layout of the host, whose addresses are the guest's physical "
             "ones"},
    {"table-base", "ADDR", OPTION_WHOLE, AT(table_base), OF_HOST,
     .most = UINT64_MAX - 1,
     .help = "address of the guest's page tables (default: above all addresses "
             "of the guest)"},
    {"guest-memory", "BYTES", OPTION_SIZES, AT(sweep.memories), OF_HOST,
     .conflicts = "table-base", .least = 1, .items = SIM_SWEEP_MOST,
     .help = "memory of the virtual machine, a list such as 2^24:2^40*4; the "
             "pages of the guest and of its tables are scattered over all of "
             "it (default: they are at their virtual addresses)"},
    {"guest-seed", "S", OPTION_WHOLE, AT(guest_seed), .needs = "guest-memory",
     .usual = "1",
     .help = "seed that decides where in the guest's memory a page is"},
    {.help = "Consecutive and random parts of the trace (doc/simulator.md)"},
    {"classify", NULL, OPTION_FLAG, AT(classify.asked),
     .conflicts = "all-w,nested",
     .help = "find the consecutive and the random parts of the trace, and what "
             "each of them costs (policies lru and islru)"},
    {"cat-gap", "G", OPTION_SIZE, AT(classify.params.gap), .needs = "classify",
     .most = VAT_CLASSIFY_GAP_MAX,
     .help = "in a consecutive part, at most G other accesses come between two "
             "accesses (default: 64, or as many as W keeps paths for)"},
    {"cat-step", "S", OPTION_SIZE, AT(classify.params.step),
     .needs = "classify", .least = 1, .most = VAT_CLASSIFY_STEP_MAX,
     .usual = "1",
     .help = "in a consecutive part, the next page is at most S pages further"},
    {"rat-theta", "THETA", OPTION_REAL, AT(classify.params.theta),
     .needs = "classify", .high = 1,
     .help = "an access is far if its part of P m^THETA bytes was not accessed "
             "since W misses (default: 0, a page)"},
    {"rat-window", "N", OPTION_SIZE, AT(classify.params.window),
     .needs = "classify", .least = 1, .most = INT64_MAX, .usual = "1024",
     .help = "judge accesses that are not consecutive in windows of N"},
    {"rat-fraction", "F", OPTION_REAL, AT(classify.params.fraction),
     .needs = "classify", .high = 1, .usual = "0.125",
     .help =
         "a window is random if at least this fraction of its accesses is far"},
    {.help = "How, and output"},
    {"memory", "BYTES", OPTION_SIZE, AT(memory_bytes), .least = 1,
     .help = "memory that the policies min, ismin and rrmin may use for the "
             "trace; the rest goes to a temporary file in TMPDIR (default: a "
             "quarter of the free memory)"},
    {"shard", "I/N", OPTION_OWN, AT(sweep.shard), .set = shard_option,
     .help = "simulate the I-th of N parts of all policies, W and trees; other "
             "machines simulate the others (doc/cluster.md)"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print JSON Lines"},
    {0}};

const struct option_table sim_table = {
    .rows = rows,
    .usage = "TRACE\n--algo ALGO --n N",
    .examples =
        "  vat sim ls.lackey --tree amd64-4k --tc-nodes 64\n"
        "  vat sim ls.lackey --tree amd64-4k --all-w     every size of the "
        "cache\n"
        "  vat sim --algo heapsort --n 2^20              no trace is needed\n",
    .words = offsetof(struct sim_request, words),
    .words_most = 1,
    .too_many = "one trace at a time",
    .doc =
        "Simulate a translation cache (TC) on a trace and count its misses "
        "exactly: they are the cost of a program in the VAT model. TRACE is a "
        "file in one of the formats of `vat list formats`, or - for standard "
        "input. With --algo, vat simulates the addresses that one of its own "
        "algorithms accesses; no file is needed.",
};

/* One trace or one algorithm. */
static int check_source(const struct sim_request *request) {
  bool algo = request->stream.algo;
  if (!algo && !request->trace)
    return fail(VAT_USAGE,
                "nothing to simulate; name a trace file (- is standard input), "
                "or an algorithm with --algo");
  if (algo && request->trace)
    return fail(VAT_USAGE, "%s and --algo exclude each other; leave one out",
                request->trace);
  if (request->host_own_nodes && request->mode == VAT_NESTED_SHARED)
    return fail(VAT_USAGE,
                "--host-tc-nodes with --nested shared: there is only one TC; "
                "set its size with --tc-nodes");
  return stream_check(&request->stream);
}

/* With --classify, tau is a number of accesses.  A hashed table has no layers.
 */
static int check_tau(struct sim_request *request) {
  const struct tau *tau = &request->tau;
  double one = tau->at[0];
  if (request->host_tau.count && !tau->count)
    return fail(VAT_USAGE, "--host-tau without --tau: give both");
  if (request->table && tau->count > 1)
    return fail(VAT_USAGE,
                "--tau with --table: a hashed table has no layers; give one "
                "number");
  for (size_t i = 0; i < request->sweep.trees.count; i++) {
    const struct vat_tree *tree = &request->sweep.trees.tree[i];
    if (tree->levels && tau_check(tau, "tau", tree)) return VAT_USAGE;
  }
  if (!request->classify.asked || !tau->count) return VAT_OK;
  if (tau->count > 1 || one != floor(one) || one < 1 ||
      one > VAT_CLASSIFY_TAU_MAX)
    return fail(VAT_USAGE,
                "--tau with --classify: give one whole number from 1 to %d",
                VAT_CLASSIFY_TAU_MAX);
  request->classify.params.tau = (uint64_t)one;
  return VAT_OK;
}

/* Told before the first point is simulated, not when it is that policy's turn.
 */
static int check_policy(const struct sim_request *request,
                        const struct vat_policy *policy) {
  bool backwards = policy->recency != VAT_RECENCY_NONE;
  bool ahead = policy->offline && !policy->observe;
  const struct {
    bool refused;
    const char *option, *choose;
  } checks[] = {
      {request->all_w && !policy->curve, "all-w", "islru, lru, min or ismin"},
      {request->classify.asked && !backwards, "classify", "lru or islru"},
      {request->nested && request->mode == VAT_NESTED_SHARED && !backwards &&
           policy->furthest == VAT_FURTHEST_NONE,
       "nested shared", "lru, islru, min or ismin"},
      {request->nested && request->mode == VAT_NESTED_MISSES && ahead,
       "nested misses", "min, ismin or a policy that knows the past"},
      {request->table && policy->cells, "table",
       "a policy other than rrmin and lis"},
      {request->one_cache && policy->cells, "one-cache",
       "a policy other than rrmin and lis"}};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (checks[i].refused)
      return fail(VAT_USAGE, "--%s: not possible with policy %s; choose %s",
                  checks[i].option, policy->name, checks[i].choose);
  return VAT_OK;
}

/* A seed is for a policy that draws. */
static int check_seed(const struct sim_request *request) {
  const struct sim_sweep *sweep = &request->sweep;
  bool drawn = !request->policy_seeded;
  for (size_t i = 0; i < sweep->policy_count; i++)
    drawn |= sweep->policies[i]->draws;
  if (drawn) return VAT_OK;
  return fail(VAT_USAGE,
              "--policy-seed: policy %s draws nothing; choose random, or leave "
              "--policy-seed out",
              sweep->policies[0]->name);
}

/* A trace is read for each point, and standard input there is once. */
static int check_sweep(const struct sim_request *request) {
  const struct shard *shard = &request->sweep.shard;
  size_t points = sim_sweep_points(&request->sweep);
  struct stat file;
  for (size_t i = 0; i < request->sweep.policy_count; i++)
    if (check_policy(request, request->sweep.policies[i])) return VAT_USAGE;
  if (check_seed(request)) return VAT_USAGE;
  if (points > 1 && request->trace &&
      (!strcmp(request->trace, "-") ||
       (!stat(request->trace, &file) && !S_ISREG(file.st_mode))))
    return fail(VAT_USAGE,
                "%s: standard input can be read only once, but several "
                "policies, W, trees or guest memories need it; name a file",
                request->trace);
  if (shard->count <= points) return VAT_OK;
  return fail(VAT_USAGE,
              "--shard %u/%u: more shards than the sweep has points (a policy, "
              "W, tree and guest memory): %zu point%s; choose fewer shards",
              shard->index, shard->count, points, points == 1 ? "" : "s");
}

/* What the host was not given it has in common with the guest; but levels given
 * for the guest say nothing of the host's, which reach further. */
void sim_request_point(struct sim_request *request, size_t index) {
  const struct sim_sweep *sweep = &request->sweep;
  if (sweep->memories.count) {
    request->guest_memory = sweep->memories.at[index % sweep->memories.count];
    index /= sweep->memories.count;
  }
  request->tree = sweep->trees.tree[index % sweep->trees.count];
  index /= sweep->trees.count;
  request->nodes = sweep->nodes.at[index % sweep->nodes.count];
  request->policy = sweep->policies[index / sweep->nodes.count];
  if (!request->host_index && !request->host_tree)
    request->host.index_bits = request->tree.index_bits;
  if (!request->host_page && !request->host_tree)
    request->host.page_bits = request->tree.page_bits;
  if (!request->host_own_nodes) request->host_nodes = request->nodes;
}

int sim_request_parse(struct sim_request *request, int argc, char **argv) {
  *request = (struct sim_request){
      .sweep.trees = {{{.index_bits = 9, .page_bits = 12}}, 1},
      .classify.params = vat_classify_defaults,
      .table_base = UINT64_MAX};
  int code = options_parse(&sim_table, argc, argv, request);
  if (code) return code;
  request->trace = *request->words.at;
  if (request->format && !strcmp(request->format, "auto"))
    request->format = NULL;
  code = sim_layout_read(&request->layout, "layout");
  if (!code) code = sim_layout_read(&request->host_layout, "host-layout");
  if (code) return code;
  size_t available = hp_memory_available();
  if (!request->memory_bytes && available != SIZE_MAX)
    request->memory_bytes = available / 4 + 1;
  code = check_source(request);
  if (!code) code = check_tau(request);
  return code ? code : check_sweep(request);
}
