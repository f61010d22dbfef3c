/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what was counted, as experiments/profile/profile_read.c reads it. */
#include "experiments/valgrind/allocators.h"
#include "experiments/valgrind/flow_output.h"
#include "experiments/valgrind/output_sites.h"
#include "experiments/valgrind/samples.h"
#include "experiments/valgrind/write.h"
/* In this order. */
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

static void write_line(struct vt_line *line) {
  if (!line->counts.accesses) return;
  vt_write_location(line);
  vt_write("line %u %lx", line->number, line->offset);
  vt_write_counts(&line->counts);
}

static void write_command(void) {
  vt_write_text("program", VG_(args_the_exename));
  for (Word i = 0; i < VG_(sizeXA)(VG_(args_for_client)); i++)
    vt_write_text("argument",
                  *(HChar *const *)VG_(indexXA)(VG_(args_for_client), i));
}

static Bool named;

static void find_name(struct vt_line *line) {
  if (line->function) named = True;
}

static void write_allocator(const HChar *name, Bool called) {
  vt_write_text(called ? "called" : "uncalled", name);
}

/* What the figures are of, and why there may be no sites of a heap. */
static void write_conditions(void) {
  vt_lines_each(find_name);
  vt_write("threads %u\nsampled %llu\nheap %s\n", vt_processors(),
           vt_samples_looked_at(),
           vt_sites_heap_known ? "told"
           : named             ? "unknown"
                               : "nameless");
  vt_allocators_named(write_allocator);
}

void vt_output(void) {
  if (!vt_write_open()) return;
  vt_engine_settle();
  vt_write("vat-profile 1\nprocess %d\nparent %d\n", VG_(getpid)(),
           VG_(getppid)());
  write_command();
  for (UInt t = 0; t < vt_tcs.trees; t++)
    vt_write("tree %s %u %u\n", vt_tree_names[t], vt_tcs.tc[t].tree.levels + 1,
             vt_tcs.tc[t].limit);
  write_conditions();
  vt_write("totals");
  vt_write_counts(&vt_totals);
  vt_lines_each(write_line);
  vt_output_sites();
  vt_output_calls();
  vt_flow_output();
  vt_write("end\n");
  vt_write_close();
}
