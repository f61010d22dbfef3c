/* SPDX-License-Identifier: BSD-2-Clause */
/* champsim: ChampSim's instruction traces, 64 bytes each (struct input_instr in
 * inc/trace_instruction.h of ChampSim/ChampSim):
 *
 *   u64 ip; u8 is_branch, branch_taken, destination_registers[2],
 *   source_registers[4]; u64 destination_memory[2], source_memory[4]
 *
 * An instruction is fetched, loads its sources and stores its destinations; an
 * address of 0 is none.  Sizes are not recorded. */
#include "vat/trace_records.h"

enum { RECORD = 64, DESTINATIONS = 2, SOURCES = 4 };

static const char *record(void *state, const uint8_t *bytes,
                          struct trace_out *out) {
  const uint8_t *destinations = bytes + 16, *sources = bytes + 32;
  (void)state;
  if (bytes[8] > 1 || bytes[9] > 1) return "its branch flags are not 0 or 1";
  trace_out_add(out, trace_get64(bytes), 1, VAT_FETCH);
  for (size_t i = 0; i < SOURCES; i++) {
    uint64_t address = trace_get64(sources + 8 * i);
    if (address) trace_out_add(out, address, 1, VAT_LOAD);
  }
  for (size_t i = 0; i < DESTINATIONS; i++) {
    uint64_t address = trace_get64(destinations + 8 * i);
    if (address) trace_out_add(out, address, 1, VAT_STORE);
  }
  return NULL;
}

/* Addresses are canonical and something is accessed; so not everything with two
 * small bytes in the right place, or zeros, looks like a trace. */
static const char *strict(void *state, const uint8_t *bytes,
                          struct trace_out *out) {
  const char *why = record(state, bytes, out);
  for (size_t i = 0; !why && i < out->count; i++)
    if (!trace_canonical(out->addresses[i])) why = "not canonical";
  return !why && out->count == 1 && !out->addresses[0] ? "zeros" : why;
}

static unsigned probe(const uint8_t *head, size_t count, bool whole) {
  return trace_records_probe(head, count, whole, RECORD, NULL, strict)
             ? TRACE_LIKELY
             : 0;
}

static int decode(struct trace_decoding *decoding, struct trace_out *out) {
  return trace_records_decode(decoding, out, RECORD, record);
}

static const struct trace_reader reader = {.probe = probe, .decode = decode};

const struct vat_trace_format vat_trace_champsim = {
    .name = "champsim",
    .summary = "ChampSim's instructions: records of 64 bytes",
    .tells_kinds = true,
    .binary = true,
    .reader = &reader,
};
