/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/write.h"

/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"

static VgFile *file;
/* As last written; they hold until another is. */
static const HChar *object, *source, *function;

Bool vt_write_open(void) {
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

void vt_write_close(void) { VG_(fclose)(file); }

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
  for (UInt t = 0; t < vt_tcs.trees; t++)
    for (UInt n = 1; n <= vt_tcs.tc[t].tree.levels + 1; n++)
      vt_write(" %llu", counts->missed[t][n]);
  vt_write("\n");
}

void vt_write_location(const struct vt_line *line) {
  if (line->object != object) vt_write_text("object", object = line->object);
  if (line->file != source) {
    source = line->file;
    vt_write_text("file", source ? source : "");
  }
  if (line->function == function) return;
  function = line->function;
  vt_write_text("function", function ? function : "");
}
