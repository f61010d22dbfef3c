/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/code.h"
#include "experiments/valgrind/sites.h"
/* In this order. */
#include "libvex_guest_amd64.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

enum { THREADS = 512, NAMED_MOST = 64 };

/* What they are called with, and what they do with it. */
enum like {
  LIKE_MALLOC,
  LIKE_CALLOC,
  LIKE_REALLOC,
  LIKE_MEMALIGN,
  LIKE_POSIX_MEMALIGN,
  LIKE_FREE
};

struct name {
  const HChar *text;
  enum like like;
};

/* The first six are what --allocator compares with. */
enum { LIKES = 6 };
static const struct name known[] = {{"malloc", LIKE_MALLOC},
                                    {"calloc", LIKE_CALLOC},
                                    {"realloc", LIKE_REALLOC},
                                    {"memalign", LIKE_MEMALIGN},
                                    {"posix_memalign", LIKE_POSIX_MEMALIGN},
                                    {"free", LIKE_FREE},
                                    {"aligned_alloc", LIKE_MEMALIGN},
                                    {"cfree", LIKE_FREE},
                                    {"operator new", LIKE_MALLOC},
                                    {"operator new[]", LIKE_MALLOC},
                                    {"operator delete", LIKE_FREE},
                                    {"operator delete[]", LIKE_FREE}};

/* Of the same by other names: C libraries, jemalloc, mimalloc, tcmalloc. */
static const HChar *const prefixes[] = {"",    "__libc_", "__", "je_",
                                        "mi_", "tc_",     "dl"};

static struct name named[NAMED_MOST];
static Bool called[NAMED_MOST]; /* of these, or about to be */
static UInt named_count;

/* The outermost allocator that a thread executes. */
struct pending {
  Addr stack;
  enum like like;
  UWord first, second; /* arguments */
  UWord bytes;
  struct vt_site *site;
  const struct vt_plan_rules *rules;
};

static struct pending pendings[THREADS], *running = &pendings[0];

Bool vt_allocators_name(const HChar *text) {
  const HChar *equals = VG_(strrchr)(text, '=');
  if (!equals || named_count == NAMED_MOST) return False;
  for (UInt i = 0; i < LIKES; i++) {
    if (VG_(strcmp)(equals + 1, known[i].text)) continue;
    HChar *name = VG_(strdup)("vat.allocator", text);
    name[equals - text] = '\0';
    named[named_count++] = (struct name){name, known[i].like};
    return True;
  }
  return False;
}

/* Placement new and delete: the memory is the caller's. */
static Bool is_placement(const HChar *parameters) {
  return !VG_(strcmp)(parameters, "(unsigned long, void*)") ||
         !VG_(strcmp)(parameters, "(void*, void*)");
}

/* Names of C++ may come with their parameters. */
static Bool is_called(const HChar *function, const HChar *name) {
  SizeT length = VG_(strlen)(name);
  if (VG_(strncmp)(function, name, length)) return False;
  const HChar *rest = function + length;
  return !*rest || (*rest == '(' && !is_placement(rest));
}

static const struct name *find(const HChar *function) {
  for (UInt i = 0; i < named_count; i++) {
    if (!is_called(function, named[i].text)) continue;
    called[i] = True;
    return &named[i];
  }
  for (UInt i = 0; i < sizeof known / sizeof *known; i++)
    if (is_called(function, known[i].text)) return &known[i];
  return NULL;
}

static const struct name *find_any(const HChar *function) {
  const struct name *found = NULL;
  for (UInt i = 0; !found && i < sizeof prefixes / sizeof *prefixes; i++) {
    SizeT length = VG_(strlen)(prefixes[i]);
    if (!VG_(strncmp)(function, prefixes[i], length))
      found = find(function + length);
  }
  return found;
}

/* Inner allocators, and what frees for them, are their own affair. */
static void enters(UWord like, UWord first, UWord second, UWord third,
                   Addr stack) {
  if (stack <= vt_allocator_stack && vt_allocator_stack != VT_NO_STACK) return;
  if (like == LIKE_FREE) {
    if (first) vt_site_freed(first);
    return;
  }
  vt_allocator_stack = stack;
  *running = (struct pending){stack,
                              (enum like)like,
                              first,
                              second,
                              first,
                              vt_site_here(VT_HEAP),
                              vt_plan_rules_here()};
  if (like == LIKE_CALLOC) running->bytes = first * second;
  if (like == LIKE_REALLOC || like == LIKE_MEMALIGN) running->bytes = second;
  if (like == LIKE_POSIX_MEMALIGN) running->bytes = third;
}

void vt_allocators_named(void (*tell)(const HChar *name, Bool called)) {
  for (UInt i = 0; i < named_count; i++) tell(named[i].text, called[i]);
}

static IRExpr *get(IRSB *out, Int offset) {
  return vt_assign(out, Ity_I64, IRExpr_Get(offset, Ity_I64));
}

void vt_allocators_instrument(IRSB *out, Addr entry,
                              const VexGuestLayout *layout) {
  const HChar *function;
  if (!VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), entry, &function))
    return;
  const struct name *name = find_any(function);
  if (!name) return;
  vt_sites_heap_known = True;
  IRExpr **args = mkIRExprVec_5(
      vt_word(name->like), get(out, offsetof(VexGuestAMD64State, guest_RDI)),
      get(out, offsetof(VexGuestAMD64State, guest_RSI)),
      get(out, offsetof(VexGuestAMD64State, guest_RDX)),
      get(out, layout->offset_SP));
  vt_put_call(out, "enters", enters, args, NULL);
}

/* A stack that is further up: it was left by longjmp(). */
static __attribute__((noinline)) void allocator_returns(Addr stack) {
  struct pending p = *running;
  vt_allocator_stack = VT_NO_STACK;
  if (stack != p.stack + sizeof(Addr)) return;
  UWord result;
  VG_(get_shadow_regs_area)
  (VG_(get_running_tid)(), (UChar *)&result, 0,
   offsetof(VexGuestAMD64State, guest_RAX), sizeof result);
  if (p.like == LIKE_POSIX_MEMALIGN)
    result = result ? 0 : *(const UWord *)p.first;
  SizeT was = 0;
  if (p.like == LIKE_REALLOC && p.first && (result || !p.bytes))
    was = vt_site_freed(p.first);
  if (result) vt_site_allocated(result, p.bytes, was, p.site, p.rules);
}

void vt_return(Addr stack) {
  if (stack > vt_allocator_stack) allocator_returns(stack);
  vt_calls_return(stack);
}

void vt_allocators_thread(ThreadId thread) {
  running->stack = vt_allocator_stack;
  running = &pendings[thread % THREADS];
  vt_allocator_stack = running->stack ? running->stack : VT_NO_STACK;
}

void vt_allocators_thread_ends(ThreadId thread) {
  struct pending *ended = &pendings[thread % THREADS];
  ended->stack = 0;
  if (ended == running) vt_allocator_stack = VT_NO_STACK;
}
