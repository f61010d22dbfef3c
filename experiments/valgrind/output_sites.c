/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/output_sites.h"

#include "experiments/valgrind/calls.h"
#include "experiments/valgrind/flow_output.h"
#include "experiments/valgrind/samples.h"
#include "experiments/valgrind/write.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"

static const HChar *const kinds[] = {
    [VT_OTHER] = "other", [VT_HEAP] = "heap", [VT_MAPPING] = "mapping",
    [VT_BREAK] = "break", [VT_FILE] = "file", [VT_STACK] = "stack"};

static Bool is_used(const struct vt_counts *counts) {
  ULong sum = counts->accesses;
  for (UInt t = 0; t < LAZY_TC_TREES; t++)
    for (UInt n = 1; n <= VT_MISSED_MOST; n++) sum += counts->missed[t][n];
  return sum > 0;
}

static void write_site(struct vt_site *site) {
  struct vt_counts counts = site->counts;
  if (!is_used(&counts)) return;
  counts.accesses = vt_samples_accesses(&counts);
  vt_write("site %s %llu %llu %llu", kinds[site->kind], site->blocks,
           site->bytes, site->peak);
  for (UInt t = 0; t < vt_tcs.trees; t++) vt_write(" %llu", site->pages[t]);
  vt_write_counts(&counts);
  if (site->name) vt_write_text("name", site->name);
  for (UInt i = 0; i < VT_SITE_CALLS && site->calls[i]; i++) {
    vt_write_location(site->calls[i]);
    vt_write("caller %u %lx\n", site->calls[i]->number, site->calls[i]->offset);
  }
  vt_flow_output_site(site);
}

void vt_output_sites(void) { vt_sites_each(write_site); }

/* An entry of a procedure linkage table jumps to what a word tells, which the
 * dynamic linker fills in when it is called first: [endbr64] [bnd] jmp. */
static Addr behind_stub(Addr target) {
  const UChar *code = (const UChar *)target;
  Int distance;
  const HChar *name;
  if (VG_(get_fnname)(VG_(current_DiEpoch)(), target, &name)) return target;
  if (!VG_(am_is_valid_for_client)(target, 16, VKI_PROT_READ)) return target;
  if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e) code += 4;
  if (code[0] == 0xf2) code++;
  if (code[0] != 0xff || code[1] != 0x25) return target;
  VG_(memcpy)(&distance, code + 2, sizeof distance);
  const Addr *word = (const Addr *)(code + 6 + distance);
  if (!VG_(am_is_valid_for_client)((Addr)word, sizeof *word, VKI_PROT_READ))
    return target;
  return *word;
}

static void write_context(struct vt_context *context) {
  Addr offset = 0;
  if (context->target) {
    struct vt_line *line = vt_line_of(behind_stub(context->target));
    vt_write_location(line);
    offset = line->offset;
  }
  vt_write("context %u %u %lx", context->number,
           context->parent ? context->parent->number + 1 : 0, offset);
  vt_write_counts(&context->counts);
}

static void write_edge(struct vt_edge *edge) {
  if (!edge->calls) return;
  vt_write_location(edge->at->line);
  vt_write("edge %u %u %llu %u\n", edge->from->number, edge->to->number,
           edge->calls, edge->at->line->number);
}

void vt_output_calls(void) {
  vt_contexts_each(write_context);
  vt_edges_each(write_edge);
}
