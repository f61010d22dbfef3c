/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/flow_events.h -- what bursts leave, between the files of
 * flow.h. */
#pragma once
#include "experiments/valgrind/tool.h"
/* In this order. */
#include "pub_tool_xarray.h"

struct vt_flow_event {
  UInt gap;    /* instructions since the miss before */
  UShort back; /* waits for so many misses before; 0: for none */
  UChar octave, flags;
  UInt site; /* number */
};

struct vt_flow_burst {
  UInt period; /* misses, events of it included, that it stands for */
  UInt events;
  ULong instructions, accesses;
  ULong fills; /* lines of data that a cache had not */
};

extern XArray *vt_flow_events, *vt_flow_bursts; /* NULL: none yet */

void vt_flow_note(ULong time, struct vt_flow_event event);
void vt_flow_walks_clear(void);
