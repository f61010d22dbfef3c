/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what was counted, as experiments/profile/profile_read.c reads it. */
#include "experiments/valgrind/calls.h"
#include "experiments/valgrind/code.h"
#include "experiments/valgrind/fetch.h"
#include "experiments/valgrind/flow.h"
#include "experiments/valgrind/heat.h"
#include "experiments/valgrind/live.h"
#include "experiments/valgrind/plan_pages.h"
#include "experiments/valgrind/sites.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

static VgFile *file;
static HChar left[4096]; /* the file that vt_output_leaves() wrote; or "" */
/* Of the line that was written last; they hold until another is. */
static const HChar *object, *source, *function;

static Bool open_output(void) {
  HChar name[4096];
  for (UInt i = 1; i < 1000; i++) {
    VG_(snprintf)
    (name, sizeof name, "%s.%d.%u", vt_options.out, VG_(getpid)(), i);
    file = VG_(fopen)(name, VKI_O_CREAT | VKI_O_EXCL | VKI_O_WRONLY, 0600);
    if (file) return True;
  }
  VG_(umsg)("%s: cannot be written\n", name);
  return False;
}

static void PRINTF_CHECK(1, 2) print(const HChar *format, ...) {
  va_list args;
  va_start(args, format);
  VG_(vfprintf)(file, format, args);
  va_end(args);
}

void vt_output_begins(void) {
  HChar name[4096];
  VG_(snprintf)
  (name, sizeof name, "%s-begun.%d", vt_options.out, VG_(getpid)());
  SysRes made = VG_(open)(name, VKI_O_CREAT | VKI_O_EXCL | VKI_O_WRONLY, 0600);
  if (!sr_isError(made)) VG_(close)((Int)sr_Res(made));
}

void vt_output_leaves(void) {
  vt_look_up();
  ULong faults = vt_sites_faults();
  left[0] = 0;
  for (UInt i = 1; faults && i < 1000; i++) {
    VG_(snprintf)
    (left, sizeof left, "%s.%d.left.%u", vt_options.out, VG_(getpid)(), i);
    file = VG_(fopen)(left, VKI_O_CREAT | VKI_O_EXCL | VKI_O_WRONLY, 0600);
    if (!file) continue;
    print("vat-profile 1\nleft %llu\nend\n", faults);
    VG_(fclose)(file);
    return;
  }
}

void vt_output_stays(void) {
  if (left[0]) VG_(unlink)(left);
}

/* Names may hold anything; lines must not. */
static void write_text(const HChar *key, const HChar *text) {
  print("%s ", key);
  for (; *text; text++)
    print("%c", *text == '\n' || *text == '\r' ? '?' : *text);
  print("\n");
}

/* Of each tree: how many accesses missed 1, 2, ... nodes. */
static void write_counts(const struct vt_counts *counts) {
  print(" %llu", counts->accesses);
  for (UInt t = 0; t < vt_tcs.trees; t++)
    for (UInt n = 1; n <= vt_tcs.tc[t].tree.levels + 1; n++)
      print(" %llu", counts->missed[t][n]);
  print("\n");
}

/* Of each tree; none of TCs, which have no second level. */
static void write_second_hits(void) {
  if (!vt_options.tlb.level[0].entries) return;
  print("second_hits");
  for (UInt t = 0; t < vt_tcs.trees; t++)
    print(" %llu", (ULong)vat_lazy_tcs_second_hits(&vt_tcs, t));
  print("\n");
}

static void write_location(const struct vt_line *line) {
  if (line->object != object) write_text("object", object = line->object);
  if (line->file != source) {
    source = line->file;
    write_text("file", source ? source : "");
  }
  if (line->function == function) return;
  function = line->function;
  write_text("function", function ? function : "");
}

static void write_walks(const struct vt_site *site) {
  if (!site->walks) return;
  print("number %u\n", site->number);
  for (UInt where = 0; where < (vt_planned ? 3 : 2); where++) {
    print("walks %u", where);
    for (UInt i = 0; i < VT_FLOW_OCTAVES; i++)
      print(" %llu", site->walks->count[where][i]);
    print("\n");
  }
}

static void write_bursts(void) {
  if (!vt_flow_events) return;
  Word next = 0, all = VG_(sizeXA)(vt_flow_events);
  for (Word i = 0; i < VG_(sizeXA)(vt_flow_bursts); i++) {
    const struct vt_flow_burst *burst = VG_(indexXA)(vt_flow_bursts, i);
    print("burst %u %u %llu %llu %llu\n", burst->period, burst->events,
          burst->instructions, burst->accesses, burst->fills);
    for (UInt n = 0; n < burst->events && next < all; n++, next++) {
      const struct vt_flow_event *event = VG_(indexXA)(vt_flow_events, next);
      print("wait %u %u %u %u %u\n", event->gap, event->back, event->octave,
            event->flags, event->site);
    }
  }
}

static const HChar *const kinds[] = {
    [VT_OTHER] = "other",         [VT_HEAP] = "heap", [VT_MAPPING] = "mapping",
    [VT_BREAK] = "break",         [VT_FILE] = "file", [VT_STACK] = "stack",
    [VT_SHARED_MEMORY] = "shared"};

static void write_chains(const struct vt_site *site) {
  for (const struct vt_chain *chain = site->chains; chain; chain = chain->next)
    for (UInt i = 0; i < chain->frames; i++) {
      const struct vt_frame *frame = &chain->frame[i];
      if (frame->object != object) write_text("object", object = frame->object);
      print("frame %u %lx\n", i, frame->offset);
    }
  if (site->more_chains) print("more_chains %u\n", site->more_chains);
}

static void write_heat(UInt block, UInt unit, UInt pages, const ULong *misses) {
  print("heat %u %u %u", block, unit, pages);
  for (UInt t = 0; t < vt_tcs.trees; t++) print(" %llu", misses[t]);
  print("\n");
}

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
  print("site %s %llu %llu %llu", kinds[site->kind], site->blocks, site->bytes,
        site->peak);
  for (UInt t = 0; t < vt_tcs.trees; t++) print(" %llu", site->pages[t]);
  write_counts(&counts);
  if (site->name) write_text("name", site->name);
  for (UInt i = 0; i < VT_SITE_CALLS && site->calls[i]; i++) {
    write_location(site->calls[i]);
    print("caller %u %lx\n", site->calls[i]->number, site->calls[i]->offset);
  }
  print("sizes %lu %lu %llu %llu\n", site->smallest, site->largest,
        site->large_blocks, site->large_peak);
  print("live %llu %llu %llu %llu\n", site->small_peak.blocks,
        site->small_peak.bytes, site->small_peak.rounded,
        vt_live_at_peak(site));
  print("small %llu %llu\n", site->small_peak.chunks, site->small_bytes);
  print("faulted %llu %llu %llu %llu %llu %llu\n", site->faults,
        site->large_faults, site->mapped_large, site->mapped_small,
        site->begin_faults, site->read_first);
  write_chains(site);
  vt_heat_each(site, write_heat);
  write_walks(site);
}

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
    write_location(line);
    offset = line->offset;
  }
  print("context %u %u %lx", context->number,
        context->parent ? context->parent->number + 1 : 0, offset);
  write_counts(&context->counts);
}

static void write_edge(struct vt_edge *edge) {
  if (!edge->calls) return;
  write_location(edge->at->line);
  print("edge %u %u %llu %u\n", edge->from->number, edge->to->number,
        edge->calls, edge->at->line->number);
}

static void write_line(struct vt_line *line) {
  if (!line->counts.accesses) return;
  write_location(line);
  print("line %u %lx", line->number, line->offset);
  write_counts(&line->counts);
}

static void write_fetches(struct vt_line *line) {
  const struct vt_fetches *f = line->fetches;
  if (!f || !(f->missed[CODE_TLB_BASE] | f->missed[CODE_TLB_LARGE])) return;
  write_location(line);
  print("fetched %u %lx", line->number, line->offset);
  for (UInt i = 0; i < CODE_TLB_PAGES; i++)
    print(" %llu %llu %llu %llu", f->missed[i], f->first_missed[i],
          f->walked[i], f->first_walked[i]);
  print(" %llu %llu\n", f->huge_missed, f->huge_walked);
}

/* Behind all lines. */
static void write_code(void) {
  if (!vt_code_is_simulated()) return;
  vt_lines_each(write_fetches);
  for (struct vt_fetch_object *o = vt_fetch_objects; o; o = o->next) {
    write_text("object", object = o->name);
    for (UInt huge = 0; huge < 2; huge++) {
      print("fetch_walks %u", huge);
      for (UInt i = 0; i < VT_FETCH_OCTAVES; i++)
        print(" %llu", o->walks[huge][i]);
      print("\n");
    }
  }
  print("code %llu %llu %llu\n", vt_fetch_instructions, vt_fetch_changes,
        vt_walks_beside_large());
}

static Bool named;

static void find_name(struct vt_line *line) {
  if (line->function) named = True;
}

static void write_allocator(const HChar *name, Bool called) {
  write_text(called ? "called" : "uncalled", name);
}

/* What the figures are of, and why there may be no sites of a heap. */
static void write_conditions(void) {
  vt_lines_each(find_name);
  print("unit %u\nthreads %u\nsampled %llu\nheap %s\n", 1U << VT_LG_UNIT,
        vt_processors(), vt_samples_looked_at(),
        vt_sites_heap_known ? "told"
        : named             ? "unknown"
                            : "nameless");
  vt_allocators_named(write_allocator);
}

static void write_range(Addr start, Addr end) {
  print("range %lx %lx\n", start, end);
}

static void write_plan(void) {
  if (!vt_planned) return;
  print("large");
  for (UInt n = 1; n <= VT_MISSED_MOST; n++) print(" %llu", vt_plan_large[n]);
  print("\n");
  ULong both = vt_plan_ranges(write_range);
  print("plan %u %llu\n", vt_plan_page_bits, both);
}

void vt_output(void) {
  if (!open_output()) return;
  vt_engine_settle();
  vt_heat_settle();
  print("vat-profile 1\nprocess %d\nparent %d\n", VG_(getpid)(),
        VG_(getppid)());
  write_text("program", VG_(args_the_exename));
  for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_client)); i++)
    write_text("argument",
               *(HChar *const *)VG_(indexXA)(VG_(args_for_client), i));
  for (UInt t = 0; t < vt_tcs.trees; t++)
    print("tree %s %u %u\n", vt_tree_names[t], vt_tcs.tc[t].tree.levels + 1,
          vt_tcs.tc[t].limit);
  write_conditions();
  print("totals");
  write_counts(&vt_totals);
  write_second_hits();
  vt_lines_each(write_line);
  write_code();
  vt_sites_each(write_site);
  vt_contexts_each(write_context);
  vt_edges_each(write_edge);
  write_bursts();
  write_plan();
  print("end\n");
  VG_(fclose)(file);
}
