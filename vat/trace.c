/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vat/trace_format.h"

enum { HELD = 64 };

struct vat_trace {
  struct trace_decoding decoding;
  int failed; /* errno of the failure that comes after what is held */
  /* Decoded for a caller with less room than a decoder needs. */
  size_t held_begin, held_end;
  uint64_t held_addresses[HELD];
  uint32_t held_sizes[HELD];
  uint8_t held_kinds[HELD];
};

static int refuse_unknown(const struct trace_input *input, char *error) {
  char names[128];
  bool text = input->data[0] >= ' ' && input->data[0] <= '~';
  vat_trace_format_names(names, sizeof names);
  return vat_trace_fail(error, EINVAL, "%s:%s of no known trace format (%s)",
                        input->name,
                        text ? "1: the line is" : " offset 0: bytes", names);
}

static int find_format(struct vat_trace *trace, const char *name, char *error) {
  struct trace_decoding *decoding = &trace->decoding;
  struct trace_input *input = &decoding->input;
  char names[128];
  if (name) {
    decoding->format = vat_trace_format_find(name);
    if (decoding->format) return 0;
    vat_trace_format_names(names, sizeof names);
    return vat_trace_fail(
        error, EINVAL, "%s: no such trace format; there are %s", name, names);
  }
  bool whole = input->ended && input->have <= TRACE_HEAD;
  size_t count = input->have < TRACE_HEAD ? input->have : TRACE_HEAD;
  if (whole) input->window[count] = '\n'; /* which the last line may lack */
  decoding->format = vat_trace_format_probe(input->data, count, whole);
  return decoding->format ? 0 : refuse_unknown(input, error);
}

/* Does the format, or this trace, say itself that it is complete? */
static bool may_be_empty(const struct trace_decoding *decoding) {
  const struct trace_reader *reader = decoding->format->reader;
  const struct trace_input *input = &decoding->input;
  if (!reader->empty) return reader->ends;
  size_t length = strlen(reader->empty);
  return input->ended && input->have == length &&
         !memcmp(input->data, reader->empty, length);
}

struct vat_trace *vat_trace_open(const char *path, const char *format,
                                 char error[VAT_TRACE_ERROR_SIZE]) {
  struct vat_trace *trace = calloc(1, sizeof *trace);
  if (!trace) {
    vat_trace_fail(error, ENOMEM, "out of memory");
    return NULL;
  }
  struct trace_decoding *decoding = &trace->decoding;
  if (vat_trace_input_init(&decoding->input, path, error) ||
      find_format(trace, format, error))
    goto fail;
  decoding->may_be_empty = may_be_empty(decoding);
  decoding->state = calloc(1, decoding->format->reader->state_bytes + 1);
  if (decoding->state) return trace;
  vat_trace_fail(error, ENOMEM, "out of memory");
fail:;
  int code = errno;
  vat_trace_close(trace);
  errno = code;
  return NULL;
}

void vat_trace_close(struct vat_trace *trace) {
  if (!trace) return;
  struct trace_decoding *decoding = &trace->decoding;
  if (decoding->state && decoding->format->reader->fini)
    decoding->format->reader->fini(decoding->state);
  free(decoding->state);
  vat_trace_input_fini(&decoding->input);
  free(trace);
}

/* Decode into `out`; how many.  A failure waits until they were taken. */
static size_t decode(struct vat_trace *trace, struct trace_out *out) {
  struct trace_decoding *decoding = &trace->decoding;
  if (trace->failed) return 0;
  if (decoding->format->reader->decode(decoding, out)) trace->failed = errno;
  decoding->accesses += out->count;
  bool empty = !decoding->accesses && !decoding->may_be_empty;
  if (!empty || trace->failed) return out->count;
  trace->failed = EINVAL;
  vat_trace_fail(decoding->error, EINVAL,
                 "%s: an empty trace: no accesses in it", decoding->input.name);
  return 0;
}

static size_t take_held(struct vat_trace *trace, const struct vat_accesses *out,
                        size_t capacity) {
  size_t begin = trace->held_begin, count = trace->held_end - begin;
  if (count > capacity) count = capacity;
  memcpy(out->addresses, trace->held_addresses + begin,
         count * sizeof *out->addresses);
  memcpy(out->sizes, trace->held_sizes + begin, count * sizeof *out->sizes);
  memcpy(out->kinds, trace->held_kinds + begin, count * sizeof *out->kinds);
  trace->held_begin += count;
  return count;
}

ssize_t vat_trace_read(struct vat_trace *trace, const struct vat_accesses *out,
                       size_t capacity, char error[VAT_TRACE_ERROR_SIZE]) {
  size_t count;
  if (trace->held_begin == trace->held_end && capacity < TRACE_ROOM) {
    struct trace_out held = {trace->held_addresses, trace->held_sizes,
                             trace->held_kinds, 0, HELD};
    trace->held_begin = 0;
    trace->held_end = decode(trace, &held);
  }
  if (trace->held_begin < trace->held_end) {
    count = take_held(trace, out, capacity);
  } else {
    struct trace_out direct = {out->addresses, out->sizes, out->kinds, 0,
                               capacity};
    count = capacity < TRACE_ROOM ? 0 : decode(trace, &direct);
  }
  if (count || !trace->failed) return (ssize_t)count;
  strcpy(error, trace->decoding.error);
  errno = trace->failed;
  return -1;
}

const struct vat_trace_format *vat_trace_format(const struct vat_trace *trace) {
  return trace->decoding.format;
}

uint64_t vat_trace_count(const struct vat_trace *trace) {
  return trace->decoding.claimed;
}

double vat_trace_progress(const struct vat_trace *trace) {
  const struct trace_input *input = &trace->decoding.input;
  if (!input->size) return -1;
  uint64_t waiting =
      input->unpacker ? input->packed_end - input->packed_begin : input->have;
  /* An end supplied to the last line waits, too, but was not consumed. */
  if (waiting > input->consumed) waiting = input->consumed;
  return (double)(input->consumed - waiting) / (double)input->size;
}

/* Decode up to the line of the access: with room for two, line by line. */
static uint64_t line_of(struct vat_trace *trace, uint64_t access) {
  struct trace_decoding *decoding = &trace->decoding;
  const struct trace_reader *reader = decoding->format->reader;
  while (reader->line && decoding->accesses <= access) {
    size_t room = access - decoding->accesses > HELD ? HELD : 2;
    struct trace_out out = {trace->held_addresses, trace->held_sizes,
                            trace->held_kinds, 0, room};
    if (reader->decode(decoding, &out) || !out.count) return 0;
    decoding->accesses += out.count;
  }
  return decoding->lines;
}

uint64_t vat_trace_line_of(const char *path, const char *format,
                           uint64_t access) {
  char error[VAT_TRACE_ERROR_SIZE];
  struct vat_trace *trace = vat_trace_open(path, format, error);
  uint64_t line = trace ? line_of(trace, access) : 0;
  vat_trace_close(trace);
  return line;
}
