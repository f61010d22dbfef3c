/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells Valgrind of the tool. */
#include "experiments/valgrind/allocators.h"
#include "experiments/valgrind/calls.h"
#include "experiments/valgrind/sites.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

static void begin(void) {
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

/* Another process has translation caches of its own, which are empty. */
static void in_child(ThreadId thread) {
  (void)thread;
  vt_trace_forget();
  vt_engine_clear();
  vt_processors_clear();
  vt_output_begins();
}

static Bool take_option(const HChar *arg) {
  const HChar *allocator;
  if (VG_STR_CLO(arg, "--allocator", allocator))
    return vt_allocators_name(allocator);
  return vt_options_take(arg);
}

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
  (take_option, vt_options_usage, vt_options_debug);
  VG_(track_start_client_code)(runs);
  VG_(track_pre_thread_ll_exit)(ends);
  vt_lines_init();
  vt_calls_init();
  vt_sites_init();
  vt_sites_track();
  VG_(atfork)(before_fork, NULL, in_child);
  /* The program's registers need not be exact but where it is looked at. */
  /* A call has to end a superblock. */
  VG_(clo_vex_control).guest_chase = False;
  /* Loops of up to 50 statements are unrolled 8 times: see ahead.c. */
  VG_(clo_vex_control).iropt_unroll_thresh = 400;
  VG_(clo_vex_control).iropt_register_updates_default = VexRegUpdSpAtMemAccess;
}

VG_DETERMINE_INTERFACE_VERSION(init)
