/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/flow_output.h"

#include "experiments/valgrind/flow.h"
#include "experiments/valgrind/flow_events.h"
#include "experiments/valgrind/write.h"

void vt_flow_output_site(const struct vt_site *site) {
  if (!site->walks) return;
  vt_write("number %u\n", vt_site_number(site));
  for (UInt huge = 0; huge < 2; huge++) {
    vt_write("walks %u", huge);
    for (UInt i = 0; i < VT_FLOW_OCTAVES; i++)
      vt_write(" %llu", site->walks->count[huge][i]);
    vt_write("\n");
  }
}

void vt_flow_output(void) {
  if (!vt_flow_events) return;
  const struct vt_flow_event *event = NULL;
  Word next = 0, all = VG_(sizeXA)(vt_flow_events);
  for (Word i = 0; i < VG_(sizeXA)(vt_flow_bursts); i++) {
    const struct vt_flow_burst *burst = VG_(indexXA)(vt_flow_bursts, i);
    vt_write("burst %u %u %llu %llu %llu\n", burst->period, burst->events,
             burst->instructions, burst->accesses, burst->fills);
    for (UInt n = 0; n < burst->events && next < all; n++, next++) {
      event = VG_(indexXA)(vt_flow_events, next);
      vt_write("wait %u %u %u %u %u\n", event->gap, event->back, event->octave,
               event->flags, event->site);
    }
  }
}
