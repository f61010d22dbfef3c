/* SPDX-License-Identifier: BSD-2-Clause */
/* drmemtrace-bin: a thread's file of DynamoRIO's drmemtrace after raw2trace,
 * unpacked from its .zip or .gz: packed records {u16 type, u16 size, u64 addr}
 * (struct _trace_entry_t and trace_type_t in
 * clients/drcachesim/common/trace_entry.h). */
#include "vat/trace_records.h"

enum {
  READ = 0,
  WRITE = 1,
  INSTR = 10, /* to RETURN: an instruction and kinds of branches */
  INSTR_RETURN = 16,
  INSTR_BUNDLE = 17, /* the lengths of the next `size` instructions */
  HEADER = 25,       /* addr: version */
  INSTR_MAYBE_FETCH = 30,
  INSTR_SYSENTER = 31,
  INSTR_TAKEN_JUMP = 48,
  INSTR_UNTAKEN_JUMP = 49,
  TYPES = 50,

  RECORD = 12,
  BUNDLE_MAX = 8
};

struct bin_state {
  uint64_t fetched, next; /* the last instruction and its end */
};

static bool is_fetch(unsigned type) {
  return (type >= INSTR && type <= INSTR_RETURN) || type == INSTR_SYSENTER ||
         type == INSTR_TAKEN_JUMP || type == INSTR_UNTAKEN_JUMP;
}

static void fetch(struct bin_state *bin, struct trace_out *out,
                  uint64_t address, unsigned size) {
  bin->fetched = address;
  bin->next = address + size;
  trace_out_add(out, address, size, VAT_FETCH);
}

static const char *record(void *state, const uint8_t *bytes,
                          struct trace_out *out) {
  struct bin_state *bin = state;
  unsigned type = trace_get16(bytes);
  unsigned size = trace_get16(bytes + 2);
  uint64_t address = trace_get64(bytes + 4);
  if (type >= TYPES) return "unknown type";
  if (type == READ || type == WRITE)
    trace_out_add(out, address, size, type == READ ? VAT_LOAD : VAT_STORE);
  else if (is_fetch(type))
    fetch(bin, out, address, size);
  else if (type == INSTR_MAYBE_FETCH && address != bin->fetched)
    fetch(bin, out, address, size); /* else one more turn of a string loop */
  else if (type == INSTR_BUNDLE && size > BUNDLE_MAX)
    return "a bundle of more than 8 instructions";
  else if (type == INSTR_BUNDLE)
    for (unsigned i = 0; i < size; i++)
      fetch(bin, out, bin->next, bytes[4 + i]);
  return NULL; /* the rest are markers, threads, prefetches, flushes */
}

/* Accesses have a size and a canonical address: zeros and other formats with
 * small numbers in the right places do not look like a trace. */
static const char *strict(void *state, const uint8_t *bytes,
                          struct trace_out *out) {
  enum { SIZE_MAX_PROBED = 16384 }; /* AMX's XSAVE area takes 11 KiB */
  const char *why = record(state, bytes, out);
  for (size_t i = 0; !why && i < out->count; i++)
    if (!out->sizes[i] || out->sizes[i] > SIZE_MAX_PROBED ||
        !trace_canonical(out->addresses[i]))
      why = "improbable";
  return why;
}

/* Files begin with a header; what was cut out of one does not. */
static unsigned probe(const uint8_t *head, size_t count, bool whole) {
  struct bin_state state = {0};
  if (!trace_records_probe(head, count, whole, RECORD, &state, strict))
    return 0;
  return trace_get16(head) == HEADER ? TRACE_SURE : TRACE_LIKELY + 1;
}

static int decode(struct trace_decoding *decoding, struct trace_out *out) {
  return trace_records_decode(decoding, out, RECORD, record);
}

static const struct trace_reader reader = {
    .probe = probe, .decode = decode, .state_bytes = sizeof(struct bin_state)};

const struct vat_trace_format vat_trace_drmemtrace_bin = {
    .name = "drmemtrace-bin",
    .summary = "DynamoRIO's drmemtrace, binary: records of 12 bytes",
    .tells_kinds = true,
    .binary = true,
    .reader = &reader,
};
