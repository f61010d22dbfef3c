/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_point_check.h"

#include "experiments/cli/command.h"
#include "experiments/sim/sim_one_cache.h"

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
  return fail(
      VAT_USAGE,
      "--nested: page numbers of the guest have %u bits, the maximum is %d; "
      "choose fewer --levels or --index-bits, or larger --page-bits",
      bits, VAT_NESTED_PAGE_BITS);
}

/* The guest's memory has a page, and the host's tree translates all of it. */
static int check_memory(const struct sim_request *request) {
  const struct vat_tree *host = &request->host;
  unsigned bits = host->index_bits * host->levels;
  uint64_t bytes = request->guest_memory;
  if (bytes && !(bytes >> request->tree.page_bits))
    return fail(VAT_USAGE,
                "--guest-memory %llu: less than one page of the guest; choose "
                "more memory or smaller --page-bits",
                (unsigned long long)bytes);
  if (bits > VAT_NESTED_PAGE_BITS) bits = VAT_NESTED_PAGE_BITS;
  bits += host->page_bits;
  if (!bytes || bits >= 64 || !((bytes - 1) >> bits)) return VAT_OK;
  return fail(VAT_USAGE,
              "--guest-memory %llu: the host's tree of %u levels translates "
              "only 2^%u bytes; choose less memory, more --host-levels or a "
              "larger --host-tree, or leave both out",
              (unsigned long long)bytes, host->levels, bits);
}

/* One TC holds nodes of both trees. */
static int check_shared(const struct sim_request *request) {
  uint64_t least =
      vat_nested_shared_least(request->policy, &request->tree, &request->host);
  if (request->nodes >= least) return VAT_OK;
  return fail(VAT_USAGE,
              "--tc-nodes %llu: %s needs one TC of at least %llu nodes, one "
              "more than the levels of guest and host together",
              (unsigned long long)request->nodes, request->policy->name,
              (unsigned long long)least);
}

int sim_point_check(const struct sim_request *request) {
  if (tau_check(&request->tau, "tau", &request->tree) ||
      (request->nested &&
       tau_check(&request->host_tau, "host-tau", &request->host)))
    return VAT_USAGE;
  if (request->one_cache) return sim_one_cache_check(&request->tree);
  if (request->all_w || request->table || request->tlb.all.level[0].entries)
    return VAT_OK;
  if (request->nested && (check_guest(&request->tree) || check_memory(request)))
    return VAT_USAGE;
  if (request->nested && request->mode == VAT_NESTED_SHARED)
    return check_shared(request);
  int code =
      check_nodes(request, "tc-nodes", request->nested ? "guest tree" : "tree",
                  &request->tree, request->nodes);
  if (code || !request->nested) return code;
  return check_nodes(
      request,
      request->host_nodes == request->nodes ? "tc-nodes" : "host-tc-nodes",
      "host tree", &request->host, request->host_nodes);
}
