/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_records.h -- binary formats whose records have one length. */
#pragma once
#include <errno.h>

#include "vat/trace_format.h"

/* Decode one record of `bytes`: NULL, or why it is bad.  At most 8 accesses. */
typedef const char *trace_record_parser(void *state, const uint8_t *bytes,
                                        struct trace_out *out);

/* Inline so that each format gets a loop around its own parser. */
static inline int trace_records_decode(struct trace_decoding *decoding,
                                       struct trace_out *out, size_t length,
                                       trace_record_parser *record) {
  struct trace_input *input = &decoding->input;
  while (out->count + 8 <= out->room) {
    if (input->have < length) {
      if (!input->ended && vat_trace_input_fill(input, decoding->error))
        return -1;
      if (!input->have && input->ended) return 0;
      if (input->have < length && !input->ended) continue;
      if (input->have < length)
        return vat_trace_fail(
            decoding->error, EINVAL,
            "%s: offset %llu: cut off: %zu bytes of a record of "
            "%zu in format %s",
            input->name, (unsigned long long)input->offset, input->have, length,
            decoding->format->name);
    }
    const char *why = record(decoding->state, input->data, out);
    if (why)
      return vat_trace_fail(decoding->error, EINVAL,
                            "%s: offset %llu: no record of format %s: %s",
                            input->name, (unsigned long long)input->offset,
                            decoding->format->name, why);
    trace_input_skip(input, length);
  }
  return 0;
}

/* Of user space or the kernel, with up to 57 bits and a sign. */
static inline bool trace_canonical(uint64_t address) {
  return address >> 56 == 0 || address >> 56 == 0xff;
}

/* Are the records at the head, up to 64, all good?  A few must be whole;
 * with more, one cut off at the end is for the decoder to tell. */
static inline bool trace_records_probe(const uint8_t *head, size_t count,
                                       bool whole, size_t length, void *state,
                                       trace_record_parser *record) {
  uint64_t addresses[8] = {0};
  uint32_t sizes[8] = {0};
  uint8_t kinds[8] = {0};
  size_t records = count / length;
  if (!records || (whole && records < 4 && count % length)) return false;
  if (records > 64) records = 64;
  for (size_t i = 0; i < records; i++) {
    struct trace_out out = {addresses, sizes, kinds, 0, 8};
    if (record(state, head + i * length, &out)) return false;
  }
  return true;
}
