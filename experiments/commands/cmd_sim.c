/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat sim: what a trace costs in the VAT model. */
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/commands/commands.h"
#include "experiments/sim/sim.h"
#include "experiments/sim/sim_point_check.h"

static uint64_t last_address(const struct vat_tree *tree) {
  unsigned bits = vat_tree_page_number_bits(tree) + tree->page_bits;
  return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

/* As many levels as the trace takes, where none were given. */
static int find_levels(struct sim_request *request, struct sim_input *input) {
  struct vat_tree *guest = &request->tree, *host = &request->host;
  uint64_t last, memory = request->guest_memory;
  if (request->table) /* any page, so that no survey is needed */
    *guest = (struct vat_tree){VAT_TABLE_PAGE_BITS / 2, guest->page_bits, 2};
  if (memory && !host->levels)
    host->levels = sim_layout_levels(
        &request->host_layout, host,
        vat_tree_levels_for(host->index_bits, (memory - 1) >> host->page_bits));
  if (guest->levels) input->last_address = last_address(guest);
  if (guest->levels && (!request->nested || host->levels)) return VAT_OK;
  int code = sim_input_survey(input, &last);
  if (code) return code;
  if (!guest->levels)
    guest->levels = sim_layout_levels(
        &request->layout, guest,
        vat_tree_levels_for(guest->index_bits, last >> guest->page_bits));
  if (!request->nested || host->levels) return VAT_OK;
  last = vat_nested_last_address(guest, request->table_base, last);
  host->levels = sim_layout_levels(
      &request->host_layout, host,
      vat_tree_levels_for(host->index_bits, last >> host->page_bits));
  return VAT_OK;
}

/* Trees have at most VAT_LEVELS_MAX levels, page numbers at most 60 bits. */
static int check_tree(const struct vat_tree *tree, const char *prefix) {
  if (!vat_tree_check(tree)) return VAT_OK;
  return fail(VAT_USAGE,
              "the addresses need a tree of %u levels, the maximum is %d; "
              "choose larger --%sindex-bits or --%spage-bits",
              tree->levels, VAT_LEVELS_MAX, prefix, prefix);
}

/* A stream's addresses are known before it runs. */
static int check_stream(const struct sim_request *request,
                        const struct sim_input *input) {
  uint64_t last = stream_last_address(&request->stream);
  if (last <= input->last_address) return VAT_OK;
  return fail(VAT_USAGE,
              "--algo %s: its workspace ends at 0x%llx, outside the tree, "
              "which ends at 0x%llx; choose a lower --base or more --levels, "
              "or leave --levels out",
              request->stream.algo->name, (unsigned long long)last,
              (unsigned long long)input->last_address);
}

static int simulate(struct sim_request *request, struct sim_input *input) {
  struct sim_result result;
  int code = find_levels(request, input);
  if (!code) code = check_tree(&request->tree, "");
  if (!code && request->nested) code = check_tree(&request->host, "host-");
  if (!code) code = sim_point_check(request);
  if (code) return code;
  input->last_address = last_address(&request->tree);
  if (request->stream.algo) code = check_stream(request, input);
  if (code) return code;
  code = sim_run(request, input, &result);
  if (!code) sim_print(request, &result);
  free(result.curve);
  free(result.processor);
  return code;
}

static int run_point(const struct sim_request *sweep, size_t index,
                     struct sim_input *input) {
  struct sim_request request = *sweep;
  sim_request_point(&request, index);
  int code = sim_input_open(input, &request);
  if (!code) code = simulate(&request, input);
  sim_input_close(input);
  return code;
}

int cmd_sim(int argc, char **argv) {
  struct sim_request request;
  int code = sim_request_parse(&request, argc, argv);
  struct sim_input *input = code ? NULL : memory_get(sizeof *input);
  const char *apart = "";
  for (size_t i = 0; !code && i < sim_sweep_points(&request.sweep); i++) {
    if (!shard_has(&request.sweep.shard, i)) continue;
    if (!request.json) fputs(apart, stdout);
    code = run_point(&request, i, input);
    fflush(stdout); /* a point takes long, and may be the last before a kill */
    apart = "\n";
  }
  free(input);
  layout_file_fini(&request.layout.file);
  layout_file_fini(&request.host_layout.file);
  options_fini(&sim_table, &request);
  return code;
}
