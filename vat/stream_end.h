/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/stream_end.h -- how a stream ends, of pages into a simulation or of
 * accesses into a trace: once, by a finish, or by an error, since that may have
 * come amid a block of which some were taken.  Internal to vat/.
 */
#pragma once
#include <errno.h>
#include <stdbool.h>

struct stream_end {
  bool ended;
  int error; /* errno of what failed; 0: nothing did */
};

/* May the stream go on?  0, or -1 with errno: of what failed, or EINVAL. */
static inline int stream_end_check(const struct stream_end *end) {
  if (__builtin_expect(!end->ended, 1)) return 0;
  errno = end->error ? end->error : EINVAL;
  return -1;
}

/* End it by the errno of what has just failed; -1. */
int vat_stream_end_fail(struct stream_end *end);

/* End it by `finish`, which is not called again and where NULL has nothing to
 * do.  0, or -1 with errno; further calls return the same. */
int vat_stream_end_finish(struct stream_end *end, int (*finish)(void *state),
                          void *state);
