/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/tool.h"
#include "experiments/valgrind/trace_pipe.h"
/* In this order. */
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"

/* Of Valgrind's core, which its own tools use through VG_(fopen): out of the
 * program's way, and closed in programs that it executes. */
extern Int VG_(safe_fd)(Int fd);

static struct vt_parcel parcel;
static Int pipe_fd = -1;

void vt_trace_init(void) {
  if (!vt_options.trace) return;
  pipe_fd = VG_(fd_open)(vt_options.trace, VKI_O_WRONLY, 0);
  if (pipe_fd >= 0) pipe_fd = VG_(safe_fd)(pipe_fd);
  if (pipe_fd < 0) VG_(umsg)("%s: cannot be opened\n", vt_options.trace);
}

/* A pipe that nobody reads any more ends the trace, not the program. */
void vt_trace_flush(void) {
  if (!parcel.count || pipe_fd < 0) return;
  parcel.process = (uint32_t)VG_(getpid)();
  parcel.processor = vt_processor();
  if (VG_(write)(pipe_fd, &parcel, sizeof parcel) != sizeof parcel)
    pipe_fd = -1;
  parcel.count = 0;
}

void vt_trace_forget(void) { parcel.count = 0; }

void vt_trace(Addr a, UWord bytes_and_kind) {
  parcel.traced[parcel.count++] = (struct vt_traced){
      a, (uint32_t)(bytes_and_kind >> 8), (uint32_t)(bytes_and_kind & 255)};
  if (parcel.count == VT_PARCEL) vt_trace_flush();
  parcel.count %= VT_PARCEL;
}
