/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads run on processors of their own, whose translation caches know nothing
 * of each other.  A thread that is new runs where one has ended, as Valgrind
 * numbers them, so that there are as many processors as threads at once.
 *
 * Generated code knows vt_tcs by its address.  So the TCs of the thread that
 * runs are there, and those of others are copies, which are put back to where
 * they came from: what points into them is right again then.  Threads change
 * every 100000 blocks or when one has to wait. */
#include "experiments/valgrind/flow.h"
/* In this order. */
#include "pub_tool_mallocfree.h"

enum { THREADS = 512 };

static struct lazy_tcs *resting[THREADS]; /* NULL: none, or it is running */
static UInt running, processors = 1;

UInt vt_processors(void) { return processors; }
UInt vt_processor(void) { return running; }

static void rest(void) {
  vt_look_up();
  if (!resting[running])
    resting[running] = VG_(malloc)("vat.tcs", sizeof vt_tcs);
  *resting[running] = vt_tcs;
}

void vt_processor_of(ThreadId thread) {
  UInt next = thread % THREADS;
  if (!running) running = next; /* the first one */
  if (next == running) return;
  vt_flow_switch();
  rest();
  running = next;
  if (resting[next]) {
    vt_tcs = *resting[next];
  } else {
    vt_engine_init();
    processors++;
  }
}

static void discard(struct lazy_tcs *tcs) {
  for (UInt t = 0; t < tcs->trees; t++) VG_(free)(tcs->tc[t].nodes);
  VG_(free)(tcs);
}

/* All but that of the only thread there is. */
void vt_processors_clear(void) {
  for (UInt i = 0; i < THREADS; i++) {
    if (resting[i] && i != running) discard(resting[i]);
    if (i != running) resting[i] = NULL;
  }
  processors = 1;
}
