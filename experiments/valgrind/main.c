/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells Valgrind of the tool, and reads its command line. */
#include "experiments/valgrind/calls.h"
#include "experiments/valgrind/code.h"
#include "experiments/valgrind/forks.h"
#include "experiments/valgrind/sites.h"
#include "experiments/valgrind/system_calls.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

static void begin(void) {
  if (vt_options.plan) vt_plan_read(vt_options.plan);
  vt_engine_init();
  vt_trace_init();
  vt_output_begins();
}

static void end(Int status) {
  (void)status;
  vt_trace_flush();
  vt_output();
}

static void before_fork(ThreadId thread) {
  (void)thread;
  vt_trace_flush();
}

static void in_parent(ThreadId thread) {
  (void)thread;
  vt_forks_parent();
}

/* Another process has translation caches of its own, which are empty. */
static void in_child(ThreadId thread) {
  (void)thread;
  vt_trace_forget();
  vt_engine_clear();
  vt_forks_child();
  vt_processors_clear();
  vt_output_begins();
}

/* "64x4,1536x12,32x4": caches, in the order of `shapes`. */
static Bool take_caches(const HChar *text, UInt count,
                        struct tlb_cache_shape *const *shapes) {
  HChar *end;
  for (UInt i = 0; i < count; i++) {
    shapes[i]->entries = (UInt)VG_(strtoll10)(text, &end);
    if (*end != 'x') return False;
    shapes[i]->ways = (UInt)VG_(strtoll10)(end + 1, &end);
    if (*end != (i + 1 < count ? ',' : 0)) return False;
    text = end + 1;
  }
  return True;
}

/* The levels and the page-walk caches. */
static Bool take_tlb(const HChar *text) {
  struct tlb_shape *tlb = &vt_options.tlb;
  struct tlb_cache_shape *const shapes[] = {&tlb->level[0], &tlb->level[1],
                                            &tlb->walk};
  return take_caches(text, 3, shapes);
}

/* The levels for any page, and for large ones. */
static Bool take_itlb(const HChar *text) {
  struct mixed_tlb_shape *itlb = &vt_options.itlb;
  struct tlb_cache_shape *const shapes[] = {
      &itlb->all.level[0], &itlb->all.level[1], &itlb->from[0].level[0],
      &itlb->from[0].level[1]};
  itlb->from[0].page_bits = CODE_TLB_LARGE_BITS;
  return take_caches(text, 4, shapes);
}

/* Options are given by `vat profile`, which has checked them. */
static Bool take_option(const HChar *arg) {
  const HChar *text;
  if (VG_STR_CLO(arg, "--allocator", text)) return vt_allocators_name(text);
  if (VG_STR_CLO(arg, "--tlb", text)) return take_tlb(text);
  if (VG_STR_CLO(arg, "--itlb", text)) return take_itlb(text);
  if (VG_STR_CLO(arg, "--vat-out", vt_options.out)) return True;
  if (VG_STR_CLO(arg, "--pages", vt_options.pages)) return True;
  if (VG_STR_CLO(arg, "--plan", vt_options.plan)) return True;
  if (VG_STR_CLO(arg, "--trace", vt_options.trace)) return True;
  if (VG_XACT_CLO(arg, "--policy=islru", vt_options.lru, False)) return True;
  if (VG_XACT_CLO(arg, "--policy=lru", vt_options.lru, True)) return True;
  if (VG_BOOL_CLO(arg, "--flow", vt_options.flow)) return True;
  return VG_BINT_CLO(arg, "--tc", vt_options.nodes, 6, LAZY_TC_NODES_MAX);
}

static void print_usage(void) {
  VG_(printf)
  ("    --vat-out=FILE     output goes to FILE.PID [vat.out]\n"
   "    --pages=4k,2m,1g   page sizes [4k,2m]\n"
   "    --tc=W             nodes of a translation cache [1536]\n"
   "    --policy=islru|lru keeps them [islru]\n"
   "    --flow=yes         what waits for what, for `vat profile --what-if`\n"
   "    --tlb=E1xW1,E2xW2,EPxWP  TLBs and page-walk caches instead [none]\n"
   "    --itlb=E1xW1,E2xW2,E1xW1,E2xW2  those of fetches, then of large "
   "pages [none]\n"
   "    --allocator=NAME=LIKE  a function like malloc, free, ... [none]\n"
   "    --plan=FILE        a tree with what is chosen there on larger pages\n"
   "    --trace=PIPE       accesses, for `vat profile --trace`\n");
}

static void print_debug(void) { VG_(printf)("    (none)\n"); }

static void runs(ThreadId thread, ULong blocks) {
  (void)blocks;
  if (thread != vt_processor()) vt_trace_flush();
  vt_processor_of(thread);
  vt_thread(thread);
  vt_allocators_thread(thread);
}

static void ends(ThreadId thread) {
  vt_thread_ends(thread);
  vt_allocators_thread_ends(thread);
}

static void init(void) {
  VG_(details_name)("vat");
  VG_(details_version)(NULL);
  VG_(details_description)("a profiler of address translation");
  VG_(details_copyright_author)("GPL-3.0-or-later");
  VG_(details_bug_reports_to)("the authors of vat");
  VG_(details_avg_translation_sizeB)(600);
  VG_(basic_tool_funcs)(begin, vt_instrument, end);
  VG_(needs_command_line_options)
  (take_option, print_usage, print_debug);
  VG_(track_start_client_code)(runs);
  VG_(track_pre_thread_ll_exit)(ends);
  vt_lines_init();
  vt_calls_init();
  vt_sites_init();
  vt_sites_track();
  vt_system_calls_track(&(struct vt_told){vt_sites_renew, vt_engine_written,
                                          vt_output_leaves, vt_output_stays});
  VG_(atfork)(before_fork, in_parent, in_child);
  /* The program's registers need not be exact but where it is looked at. */
  /* A call has to end a superblock. */
  VG_(clo_vex_control).guest_chase = False;
  /* Loops of up to 50 statements are unrolled 8 times: see ahead.c. */
  VG_(clo_vex_control).iropt_unroll_thresh = 400;
  VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdSpAtMemAccess;
}

VG_DETERMINE_INTERFACE_VERSION(init)
