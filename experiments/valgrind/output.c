/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what was counted, as experiments/profile/output_reader.c reads it. */
#include "experiments/valgrind/allocators.h"
#include "experiments/valgrind/flow.h"
#include "experiments/valgrind/samples.h"
/* In this order. */
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

static VgFile *file;
/* As last written; they hold until another is. */
static const HChar *object, *source, *function;

static VgFile *open_file(void) {
  HChar name[4096];
  for (UInt i = 1; i < 1000; i++) {
    VG_(snprintf)
    (name, sizeof name, "%s.%d.%u", vt_options.out, VG_(getpid)(), i);
    VgFile *opened =
        VG_(fopen)(name, VKI_O_CREAT | VKI_O_EXCL | VKI_O_WRONLY, 0600);
    if (opened) return opened;
  }
  VG_(umsg)("%s: cannot be written\n", name);
  return NULL;
}

void vt_write(const HChar *format, ...) {
  va_list args;
  va_start(args, format);
  VG_(vfprintf)(file, format, args);
  va_end(args);
}

/* Names may hold anything; lines must not. */
void vt_write_text(const HChar *key, const HChar *text) {
  vt_write("%s ", key);
  for (; *text; text++)
    vt_write("%c", *text == '\n' || *text == '\r' ? '?' : *text);
  vt_write("\n");
}

/* Of each tree: how many accesses missed 1, 2, ... nodes. */
void vt_write_counts(const struct vt_counts *counts) {
  vt_write(" %llu", counts->accesses);
  for (UInt t = 0; t < vt_fan.trees; t++)
    for (UInt n = 1; n <= vt_fan.tc[t].tree.levels + 1; n++)
      vt_write(" %llu", counts->missed[t][n]);
  vt_write("\n");
}

void vt_write_place(const struct vt_line *line) {
  if (line->object != object) vt_write_text("object", object = line->object);
  if (line->file != source) {
    source = line->file;
    vt_write_text("file", source ? source : "");
  }
  if (line->function == function) return;
  function = line->function;
  vt_write_text("function", function ? function : "");
}

static void write_line(struct vt_line *line) {
  if (!line->counts.accesses) return;
  vt_write_place(line);
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
           vt_allocators_found ? "told"
           : named             ? "unknown"
                               : "nameless");
  vt_allocators_named(write_allocator);
}

void vt_output(void) {
  file = open_file();
  if (!file) return;
  vt_engine_settle();
  VG_(fprintf)
  (file, "vat-profile 1\nprocess %d\nparent %d\n", VG_(getpid)(),
   VG_(getppid)());
  write_command();
  for (UInt t = 0; t < vt_fan.trees; t++) VG_(fprintf)
  (file, "tree %s %u %u\n", vt_tree_names[t], vt_fan.tc[t].tree.levels + 1,
   vt_fan.tc[t].limit);
  write_conditions();
  vt_write("totals");
  vt_write_counts(&vt_totals);
  vt_lines_each(write_line);
  vt_output_sites();
  vt_output_calls();
  vt_flow_output();
  vt_write("end\n");
  VG_(fclose)(file);
}
