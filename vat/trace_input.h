/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_input.h -- the unpacked bytes of a trace, through a fixed window.
 *
 * A file, or standard input, plain or packed by gzip or zstd (told by its first
 * bytes, several members or frames one after the other).  What decoders see
 * does not depend on how the bytes arrive: the window is always filled up.
 */
#ifndef VAT_TRACE_INPUT_H
#define VAT_TRACE_INPUT_H
#include "vat/trace.h"

enum {
  TRACE_WINDOW = 1 << 20, /* more than any line or block may take */
  TRACE_WINDOW_PAD = 16   /* readable bytes behind it, for wide loads */
};

struct trace_unpacker; /* vat/trace_unpack.h */

struct trace_input {
  const uint8_t *data; /* the unread part of the window */
  size_t have;         /* bytes of it */
  bool ended;          /* nothing comes after them */
  uint64_t offset;     /* of data[0] in the unpacked bytes */
  const char *name;    /* for errors */
  int fd;
  uint64_t size;     /* of a regular file, else 0 */
  uint64_t consumed; /* bytes read from fd */
  uint8_t *window;
  const struct trace_unpacker *unpacker; /* NULL: plain */
  void *unpacker_state;
  uint8_t *packed; /* read, not unpacked yet */
  size_t packed_begin, packed_end;
  bool packed_ended;
};

/* 0, or -1 with `error` and errno set; then, too, fini. */
int vat_trace_input_init(struct trace_input *input, const char *path,
                         char error[VAT_TRACE_ERROR_SIZE]);
void vat_trace_input_fini(struct trace_input *input);

/* Fill the window behind what is unread.  0, or -1 as above. */
int vat_trace_input_fill(struct trace_input *input,
                         char error[VAT_TRACE_ERROR_SIZE]);

static inline void trace_input_skip(struct trace_input *input, size_t count) {
  input->data += count;
  input->have -= count;
  input->offset += count;
}

/* Write a sentence to `error`, set errno, return -1. */
int vat_trace_fail(char error[VAT_TRACE_ERROR_SIZE], int code,
                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#endif
