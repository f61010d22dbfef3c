/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of source and the strings they have in common. */
#include "experiments/valgrind/tool.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
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

static struct vt_line *find(const struct vt_line *key) {
  struct vt_line *line = VG_(OSetGen_Lookup)(lines, key);
  if (line) return line;
  line = VG_(OSetGen_AllocNode)(lines, sizeof *line);
  *line = *key;
  VG_(OSetGen_Insert)(lines, line);
  return line;
}

static struct vt_line *look_up(Addr instruction) {
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
  return find(&key);
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
  return line = look_up(instruction);
}

/* "0x401136: allocate (/usr/include/c++/12/bits/new_allocator.h:137)", as
 * Valgrind describes an instruction, in an object.  NULL: no source is known.
 */
static struct vt_line *line_described(const HChar *text, const HChar *object) {
  HChar copy[4096];
  struct vt_line key = {.object = object};
  const HChar *name = VG_(strstr)(text, ": ");
  if (!name || VG_(strlen)(name) >= sizeof copy) return NULL;
  VG_(strcpy)(copy, name + 2);
  HChar *number = VG_(strrchr)(copy, ':'), *file = NULL;
  for (HChar *at = copy; (at = VG_(strstr)(at, " ("));) file = at++;
  if (!number || !file || file > number) return NULL;
  *file = *number = '\0';
  key.function = vt_intern(copy);
  key.file = vt_intern(file + 2);
  key.number = (UInt)VG_(strtoull10)(number + 1, NULL);
  return find(&key);
}

UInt vt_lines_inlined(Addr instruction, struct vt_line **to, UInt most) {
  DiEpoch now = VG_(current_DiEpoch)();
  struct vt_line *itself = vt_line_of(instruction), *described;
  InlIPCursor *cursor = VG_(new_IIPC)(now, instruction);
  UInt count = 0;
  do {
    described = line_described(VG_(describe_IP)(now, instruction, cursor),
                               itself->object);
    if (described) to[count++] = described;
  } while (VG_(next_IIPC)(cursor) && described && count < most);
  VG_(delete_IIPC)(cursor);
  if (count < 2) to[0] = itself;
  return count < 2 ? 1 : count;
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
