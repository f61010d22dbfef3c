/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of source and the strings they have in common. */
#include "experiments/valgrind/tool.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_oset.h"

static OSet *lines, *texts;

static Word compare_words(UWord a, UWord b) { return a < b ? -1 : a > b; }

static Word compare_lines(const void *key, const void *element) {
  const struct vt_line *a = key, *b = element;
  Word order = compare_words((UWord)a->function, (UWord)b->function);
  if (!order) order = compare_words((UWord)a->file, (UWord)b->file);
  if (!order) order = compare_words(a->number, b->number);
  if (!order) order = compare_words((UWord)a->object, (UWord)b->object);
  return order ? order : compare_words(a->offset, b->offset);
}

static Word compare_texts(const void *key, const void *element) {
  return VG_(strcmp)(*(const HChar *const *)key,
                     *(const HChar *const *)element);
}

void vt_lines_init(void) {
  lines = VG_(OSetGen_Create)(0, compare_lines, VG_(malloc), "vat.lines",
                              VG_(free));
  texts = VG_(OSetGen_Create)(0, compare_texts, VG_(malloc), "vat.texts",
                              VG_(free));
}

const HChar *vt_intern(const HChar *text) {
  const HChar **found = VG_(OSetGen_Lookup)(texts, &text);
  if (found) return *found;
  found = VG_(OSetGen_AllocNode)(texts, sizeof *found);
  *found = VG_(strdup)("vat.text", text);
  VG_(OSetGen_Insert)(texts, found);
  return *found;
}

static const HChar *path_of(const HChar *directory, const HChar *file) {
  if (!*directory || *file == '/') return vt_intern(file);
  SizeT size = VG_(strlen)(directory) + VG_(strlen)(file) + 2;
  HChar *path = VG_(malloc)("vat.path", size);
  VG_(snprintf)(path, (Int)size, "%s/%s", directory, file);
  const HChar *interned = vt_intern(path);
  VG_(free)(path);
  return interned;
}

/* In the file, which is where a disassembler shows it but in programs that are
 * linked for a fixed address. */
static Addr offset_of(Addr instruction) {
  const NSegment *segment = VG_(am_find_nsegment)(instruction);
  if (!segment || segment->kind != SkFileC) return instruction;
  return instruction - segment->start + (Addr)segment->offset;
}

static struct vt_line *find(Addr instruction) {
  DiEpoch now = VG_(current_DiEpoch)();
  struct vt_line key = {.object = "???"};
  const HChar *text, *directory;
  VG_(get_objname)(now, instruction, &key.object);
  key.object = vt_intern(key.object);
  if (VG_(get_fnname)(now, instruction, &text)) key.function = vt_intern(text);
  if (VG_(get_filename_linenum)(now, instruction, &text, &directory,
                                &key.number))
    key.file = path_of(directory, text);
  if (!key.function) key.offset = offset_of(instruction);
  struct vt_line *line = VG_(OSetGen_Lookup)(lines, &key);
  if (line) return line;
  line = VG_(OSetGen_AllocNode)(lines, sizeof *line);
  *line = key;
  VG_(OSetGen_Insert)(lines, line);
  return line;
}

/* An instruction is asked for as often as it accesses memory. */
struct vt_line *vt_line_of(Addr instruction) {
  static struct vt_line *line;
  static Addr last;
  static DiEpoch epoch;
  DiEpoch now = VG_(current_DiEpoch)();
  if (line && last == instruction && epoch.n == now.n) return line;
  last = instruction;
  epoch = now;
  return line = find(instruction);
}

void vt_lines_each(void (*act)(struct vt_line *line)) {
  struct vt_line *line;
  VG_(OSetGen_ResetIter)(lines);
  while ((line = VG_(OSetGen_Next)(lines))) act(line);
}

static void clear(struct vt_line *line) {
  line->counts = (struct vt_counts){0};
}

void vt_lines_clear(void) { vt_lines_each(clear); }
