/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/plan.h"

#include "experiments/valgrind/plan_pages.h"
/* In this order. */
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

enum {
  MAPPED_LEAST = 256 << 10, /* vat exec leaves smaller mappings as they are */
  STACK_MOST = 8 << 20
};

struct vt_plan_rule *vt_plan_all;
static struct vt_plan_rule **end = &vt_plan_all, *last;

static const HChar *const whats[VT_PLAN_WHATS] = {
    [VT_PLAN_CHAIN] = "chain",       [VT_PLAN_HEAP] = "heap",
    [VT_PLAN_DATA] = "data",         [VT_PLAN_STACK] = "stack",
    [VT_PLAN_MAPPINGS] = "mappings", [VT_PLAN_SHARED] = "shared",
    [VT_PLAN_FILE] = "file"};

static ULong hexadecimal(HChar **text) { return VG_(strtoull16)(*text, text); }

static HChar *word(HChar *text) {
  while (*text == ' ') text++;
  return text;
}

/* Rules of one choice, which follow each other, share what small blocks have
 * taken. */
static ULong *taken_by(UInt choice) {
  if (last && last->taken && last->choice == choice) return last->taken;
  return VG_(calloc)("vat.taken", 1, sizeof(ULong));
}

static void take_rule(enum vt_plan_what what, HChar *text) {
  struct vt_plan_rule *rule = VG_(calloc)("vat.rule", 1, sizeof *rule);
  rule->what = what;
  rule->most = ~0ULL;
  if (what == VT_PLAN_CHAIN) {
    rule->choice = (UInt)hexadecimal(&text);
    rule->taken = taken_by(rule->choice);
  }
  if (what == VT_PLAN_FILE)
    rule->name = VG_(strdup)("vat.rule", word(text));
  else
    rule->least = hexadecimal(&text);
  if (what == VT_PLAN_CHAIN) {
    rule->most = hexadecimal(&text);
    rule->from = hexadecimal(&text);
    rule->to = hexadecimal(&text);
  }
  *end = last = rule;
  end = &rule->next;
}

static void take_frame(HChar *text) {
  struct vt_plan_rule *rule = last;
  tl_assert(rule->frames < VT_FRAMES);
  struct vt_frame *frame = &rule->frame[rule->frames++];
  frame->offset = hexadecimal(&text);
  frame->object = VG_(strdup)("vat.rule", word(text));
}

static void take_line(HChar *line) {
  HChar *text = line;
  while (*text && *text != ' ') text++;
  if (*text) *text++ = '\0';
  if (!VG_(strcmp)(line, "page_bits"))
    vt_plan_page_bits = (UInt)hexadecimal(&text);
  if (!VG_(strcmp)(line, "frame")) take_frame(text);
  for (UInt what = 0; what < VT_PLAN_WHATS; what++)
    if (!VG_(strcmp)(line, whats[what]))
      take_rule((enum vt_plan_what)what, text);
}

/* All of the file, to be freed. */
static HChar *text_of(const HChar *path) {
  enum { ROOM = 1 << 16 };
  SizeT length = 0;
  Int got = 0;
  HChar *text = NULL;
  SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
  if (sr_isError(file)) {
    VG_(umsg)("%s: cannot be read\n", path);
    VG_(exit)(1);
  }
  do {
    text = VG_(realloc)("vat.plan", text, length + ROOM);
    got = VG_(read)((Int)sr_Res(file), text + length, ROOM - 1);
    length += got > 0 ? (SizeT)got : 0;
  } while (got > 0);
  VG_(close)((Int)sr_Res(file));
  text[length] = '\0';
  return text;
}

void vt_plan_read(const HChar *path) {
  HChar *text = text_of(path);
  for (HChar *line = text, *next; *line; line = next) {
    next = line;
    while (*next && *next != '\n') next++;
    if (*next) *next++ = '\0';
    take_line(line);
  }
  VG_(free)(text);
  vt_planned = True;
}

struct part {
  Addr from, to;
};

/* Of the small blocks of a choice the first ones. */
static struct part of_small(struct vt_plan_rule *rule, Addr a, SizeT bytes) {
  if (rule->to && *rule->taken >= rule->to) return (struct part){0, 0};
  *rule->taken += bytes;
  return (struct part){a, a + bytes};
}

static struct part of_block(struct vt_plan_rule *rule, Addr a, SizeT bytes) {
  if (rule->most != ~0ULL) return of_small(rule, a, bytes);
  ULong to = rule->to && rule->to < bytes ? rule->to : bytes;
  return (struct part){a + rule->from, a + to};
}

/* What stays where it is can be only on larger pages that lie in it. */
static struct part in_place(enum vt_plan_what what, Addr a, SizeT bytes) {
  const Addr page = 1UL << vt_plan_page_bits;
  Addr to = a + bytes;
  if (what == VT_PLAN_STACK && bytes > STACK_MOST) a = to - STACK_MOST;
  return (struct part){(a + page - 1) & ~(page - 1), to & ~(page - 1)};
}

static const HChar *without_folders(const HChar *path) {
  const HChar *slash = VG_(strrchr)(path, '/');
  return slash ? slash + 1 : path;
}

static struct part by_kind(enum vt_plan_what what, const HChar *name, Addr a,
                           SizeT bytes) {
  for (struct vt_plan_rule *rule = vt_plan_all; rule; rule = rule->next) {
    if (rule->what != what || bytes < rule->least) continue;
    if (what == VT_PLAN_FILE && VG_(strcmp)(rule->name, without_folders(name)))
      continue;
    if (what == VT_PLAN_DATA || what == VT_PLAN_STACK || what == VT_PLAN_FILE)
      return in_place(what, a, bytes);
    return (struct part){a, a + bytes};
  }
  return (struct part){0, 0};
}

/* Rules that choose other parts of the same blocks: all those found have frames
 * of one stack. */
static Bool is_other_part(const struct vt_plan_rule *rule,
                          const struct vt_plan_rule *first) {
  return rule != first && rule->most == ~0ULL && first->most == ~0ULL &&
         rule->least == first->least && rule->frames == first->frames &&
         (rule->from || rule->to);
}

static void mark_other_parts(const struct vt_plan_rules *rules,
                             const struct vt_plan_rule *first, Addr a,
                             SizeT bytes) {
  for (UInt i = 0; i < rules->count; i++) {
    if (!is_other_part(rules->rule[i], first)) continue;
    struct part part = of_block(rules->rule[i], a, bytes);
    if (part.from < part.to)
      vt_plan_mark(part.from, part.to - part.from, part.from, part.to);
  }
}

void vt_plan_allocated(Addr a, SizeT bytes, enum vt_plan_what what,
                       const HChar *name, const struct vt_plan_rules *rules) {
  struct part part = {0, 0};
  struct vt_plan_rule *first = NULL;
  Bool mapped = what != VT_PLAN_MAPPINGS || bytes >= MAPPED_LEAST;
  if (!vt_planned) return;
  for (UInt i = 0; !first && mapped && rules && i < rules->count; i++)
    if (bytes >= rules->rule[i]->least && bytes <= rules->rule[i]->most)
      first = rules->rule[i];
  if (first)
    part = of_block(first, a, bytes);
  else if (mapped)
    part = by_kind(what, name, a, bytes);
  vt_plan_mark(a, bytes, part.from, part.to);
  if (first) mark_other_parts(rules, first, a, bytes);
}
