/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/site_calls.h"
/* In this order. */
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_oset.h"

enum {
  INLINED_MOST = 32,
  LG_RECENT = 12,
  SEEN_MOST = 100000 /* chains of all sites that are told apart */
};

static Bool begins_with(const HChar *text, const HChar *const *with) {
  for (; text && *with; with++)
    if (!VG_(strncmp)(text, *with, VG_(strlen)(*with))) return True;
  return False;
}

/* Functions whose callers are the ones that want memory: allocators, and what
 * headers of the system define, as those of C++ do containers. */
static Bool hands_on(const struct vt_line *line) {
  static const HChar *const names[] = {
      "operator new", "std::",  "__gnu_cxx::", "realloc",
      "calloc",       "malloc", NULL};
  static const HChar *const headers[] = {"/usr/include/", "/usr/local/include/",
                                         "/usr/lib/", NULL};
  return begins_with(line->function, names) || begins_with(line->file, headers);
}

static Bool is_main(const struct vt_line *line) {
  return line->function && !VG_(strcmp)(line->function, "main");
}

/* The calls that led here from main() on and are the program's own, or all of
 * them. */
static UInt calls_here(struct vt_line **calls, Bool all) {
  struct vt_line *inlined[INLINED_MOST];
  UInt count = 0;
  for (struct vt_context *c = vt_here; c->called; c = c->parent) {
    UInt most = vt_lines_inlined(c->called->instruction, inlined, INLINED_MOST);
    for (UInt i = 0; i < most; i++) {
      if (!all && hands_on(inlined[i])) continue;
      calls[count++] = inlined[i];
      if (count == VT_SITE_CALLS || is_main(inlined[i])) return count;
    }
  }
  return count;
}

void vt_site_calls_here(struct vt_line **calls) {
  if (!calls_here(calls, False)) calls_here(calls, True);
}

/* How many of the calls that tell sites apart an instruction is. */
static UInt lines_of(struct vt_callsite *at) {
  struct vt_line *inlined[INLINED_MOST];
  if (at->known) return at->lines;
  UInt most = vt_lines_inlined(at->instruction, inlined, INLINED_MOST);
  for (UInt i = 0; i < most && !at->in_main; i++) {
    at->lines = (UChar)(at->lines + !hands_on(inlined[i]));
    at->in_main = is_main(inlined[i]);
  }
  at->known = True;
  return at->lines;
}

/* How many frames cover them. */
static UInt cover(struct vt_callsite **frame, UInt most) {
  UInt lines = 0;
  for (UInt i = 0; i < most; i++) {
    lines += lines_of(frame[i]);
    if (lines >= VT_SITE_CALLS || frame[i]->in_main) return i + 1;
  }
  return most;
}

static UWord hash_of(const struct vt_site *site, struct vt_callsite **frame,
                     UInt frames) {
  UWord hash = site->number;
  for (UInt i = 0; i < frames; i++)
    hash = (hash ^ frame[i]->back) * 0x9e3779b97f4a7c15ULL;
  return hash ^ hash >> 32;
}

/* By its hash; false: it has been seen, or too many have. */
static Bool is_new(UWord hash) {
  static OSet *seen;
  if (!seen) seen = VG_(OSetWord_Create)(VG_(malloc), "vat.chains", VG_(free));
  if (VG_(OSetWord_Contains)(seen, hash)) return False;
  if (VG_(OSetWord_Size)(seen) == SEEN_MOST) return False;
  VG_(OSetWord_Insert)(seen, hash);
  return True;
}

/* Objects may be gone when all is written. */
struct vt_frame vt_frame_of(const struct vt_callsite *at) {
  DebugInfo *info =
      VG_(find_DebugInfo)(VG_(current_DiEpoch)(), at->instruction);
  if (!info) return (struct vt_frame){"", at->back};
  return (struct vt_frame){vt_intern(VG_(DebugInfo_get_filename)(info)),
                           at->back - (Addr)VG_(DebugInfo_get_text_bias)(info)};
}

static void add(struct vt_site *site, struct vt_callsite **frame, UInt frames) {
  struct vt_chain **end = &site->chains;
  UInt count = 0;
  for (; *end; end = &(*end)->next) count++;
  if (count == VT_CHAINS) {
    site->more_chains++;
    return;
  }
  *end = VG_(calloc)("vat.chain", 1, sizeof **end);
  (*end)->frames = frames;
  for (UInt i = 0; i < frames; i++) (*end)->frame[i] = vt_frame_of(frame[i]);
}

void vt_chain_here(struct vt_site *site) {
  static UWord recent[1 << LG_RECENT];
  struct vt_callsite *frame[VT_FRAMES];
  UInt frames = vt_calls_frames(frame, VT_FRAMES);
  UWord hash = hash_of(site, frame, frames);
  UWord *known = &recent[hash >> (64 - LG_RECENT)];
  if (*known == hash || !frames || site->kind == VT_OTHER) return;
  *known = hash;
  frames = cover(frame, frames);
  if (is_new(hash_of(site, frame, frames))) add(site, frame, frames);
}

void vt_chain_again(struct vt_site *site) {
  enum { ALL = 1000, PERIOD = 61 };
  if (site->recurring++ < ALL || site->recurring % PERIOD == 0)
    vt_chain_here(site);
}
