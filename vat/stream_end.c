/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/stream_end.h"

int vat_stream_end_fail(struct stream_end *end) {
  end->ended = true;
  end->error = errno;
  return -1;
}

int vat_stream_end_finish(struct stream_end *end, int (*finish)(void *state),
                          void *state) {
  if (end->ended) return end->error ? stream_end_check(end) : 0;
  end->ended = true;
  return finish && finish(state) ? vat_stream_end_fail(end) : 0;
}
