/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_format.h -- what a trace format implements (not installed). */
#pragma once
#include <endian.h>
#include <string.h>

#include "vat/trace.h"

enum {
  TRACE_WINDOW = 1 << 20, /* more than any line or block may take */
  TRACE_WINDOW_PAD = 16   /* readable bytes behind it, for wide loads */
};

struct trace_unpacker; /* vat/trace_unpack.h */

/* The unpacked bytes of a trace, through a fixed window: a file or standard
 * input, plain or packed by gzip or zstd (found by its first bytes; several
 * members or frames may follow one another).  The window is always filled up,
 * so decoders do not see how the bytes arrive. */
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

enum {
  TRACE_HEAD = 16 << 10, /* bytes a probe sees; fewer only of shorter traces */
  TRACE_ROOM = 16        /* a decoder always has room for these accesses */
};

/* Where decoded accesses go: into arrays from the front. */
struct trace_out {
  uint64_t *addresses;
  uint32_t *sizes;
  uint8_t *kinds;
  size_t count, room;
};

static inline void trace_out_add(struct trace_out *out, uint64_t address,
                                 uint32_t size, enum vat_access_kind kind) {
  out->addresses[out->count] = address;
  out->sizes[out->count] = size;
  out->kinds[out->count++] = (uint8_t)kind;
}

enum trace_line { TRACE_LINE_BAD, TRACE_LINE_SKIPPED, TRACE_LINE_READ };

/* Parse the line at *text, which ends in '\n', and move *text behind it; adds
 * at most two accesses.  Where the line is bad, *text may stay anywhere. */
typedef enum trace_line trace_line_parser(const char **text,
                                          struct trace_out *out);

struct trace_decoding {
  struct trace_input input;
  const struct vat_trace_format *format;
  void *state;       /* of the format */
  uint64_t lines;    /* read so far, in text formats */
  uint64_t accesses; /* decoded so far */
  uint64_t claimed;  /* accesses that the file says it has; 0: unknown */
  bool may_be_empty;
  char error[VAT_TRACE_ERROR_SIZE];
};

struct trace_reader {
  /* How much the first bytes look like the format, 0: not at all; of binary
   * ones TRACE_SURE or TRACE_LIKELY.  If they are the whole trace, a '\n'
   * stands behind them.  NULL: a point for each line that `line` reads. */
  unsigned (*probe)(const uint8_t *head, size_t count, bool whole);
  /* Decode into `out`, which has room for TRACE_ROOM or more.  0, also when
   * nothing is left (out->count 0), or -1 with decoding->error and errno. */
  int (*decode)(struct trace_decoding *decoding, struct trace_out *out);
  size_t state_bytes;        /* zeroed for `state` */
  void (*fini)(void *state); /* NULL: nothing to release but `state` */
  trace_line_parser *line;   /* text formats: one line */
  bool ends; /* says itself that it is complete, so that it may be empty */
  /* Text formats: the line that all of a trace without accesses consists of;
   * anything else without any is a mistake.  NULL: there is none. */
  const char *empty;
};

enum { TRACE_LIKELY = 1 << 20, TRACE_SURE = 1 << 21 };

struct trace_encoding {
  int fd;
  const char *name;
  uint8_t *buffer; /* TRACE_WINDOW bytes, of which `used` wait */
  size_t used;
  uint64_t written; /* bytes, without those that wait */
  void *state;
  char *error;
};

struct trace_encoder {
  size_t state_bytes;
  int (*begin)(struct trace_encoding *encoding); /* NULL: nothing to do */
  int (*write)(struct trace_encoding *encoding, const struct vat_accesses *from,
               size_t count);
  int (*finish)(struct trace_encoding *encoding); /* NULL: nothing to do */
  void (*fini)(void *state);                      /* NULL: nothing to do */
};

/* Room for `count` (<= TRACE_WINDOW) bytes behind buffer + used; NULL with
 * the error set where that takes writing and writing fails. */
uint8_t *vat_trace_encoding_room(struct trace_encoding *encoding, size_t count);
int vat_trace_encoding_flush(struct trace_encoding *encoding);

extern const struct vat_trace_format vat_trace_champsim,
    vat_trace_drmemtrace_bin, vat_trace_drmemtrace_view, vat_trace_lackey,
    vat_trace_perf, vat_trace_text, vat_trace_vat;

/* The format of which the first bytes are, or NULL. */
const struct vat_trace_format *vat_trace_format_probe(const uint8_t *head,
                                                      size_t count, bool whole);
/* "text, lackey, ..." for errors. */
void vat_trace_format_names(char *text, size_t size);

/* Numbers in files are little-endian. */
static inline uint64_t trace_get64(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return le64toh(value);
}
static inline uint32_t trace_get32(const uint8_t *bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return le32toh(value);
}
static inline unsigned trace_get16(const uint8_t *bytes) {
  return bytes[0] | (unsigned)bytes[1] << 8;
}
static inline void trace_put64(uint8_t *bytes, uint64_t value) {
  value = htole64(value);
  memcpy(bytes, &value, sizeof value);
}
static inline void trace_put32(uint8_t *bytes, uint32_t value) {
  value = htole32(value);
  memcpy(bytes, &value, sizeof value);
}
