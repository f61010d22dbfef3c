/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/stream/stream_sink.h -- where the addresses of an algorithm go,
 * and how they are recorded (tsan_runtime.c).
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "vat/tc.h"
#include "vat/trace.h"

enum { STREAM_PAGE_BITS_MAX = 30 };

/*
 * Where accesses go: into `block`, which has room for `capacity`; then `take`
 * is called, and what it returns, if not 0, ends the stream.
 *
 * Or pages: where `free` is not VAT_TC_NOTHING_FREE, only block.addresses need
 * be there; it gets the numbers of pages of 2^page_bits bytes without what is
 * free (vat/tc.h), and `accesses` says how many there were since the last call.
 * A page may come some accesses late, so that `count` may be more than that.
 *
 * With `by_kind`, and VAT_TC_PAIRS_FREE, block.kinds[i] is what the last two
 * pages that came were accessed for since the one at i - 1 came, as an or of
 * STREAM_USED().  The last page of all comes once more for that.  It takes a
 * call for each page, and nothing where it is not asked for.
 */
#define STREAM_USED(kind, page) (1u << (kind) << 2 * (page))
enum { STREAM_NEWEST, STREAM_OTHER }; /* of the two, the one that came last */
static inline uint8_t stream_used(uint8_t kinds, unsigned page) {
  return (uint8_t)(kinds >> 2 * page & 3); /* 1 << kind */
}
struct stream_sink {
  struct vat_accesses block;
  size_t capacity; /* at least 2 */
  int (*take)(void *arg, size_t count, uint64_t accesses);
  void *arg;
  enum vat_tc_free free;
  unsigned page_bits; /* at most STREAM_PAGE_BITS_MAX */
  bool by_kind;
};

extern const struct algo *const cpu_algos_traced[]; /* like cpu_algos */

/* Record accesses to memory[0..bytes), as if it began at address `base`; `sink`
 * gets each block that is full. */
void recording_begin(const unsigned char *memory, size_t bytes, uint64_t base,
                     const struct stream_sink *sink);
/* Hand over the rest: what the sink returned.  Or, after a jump out of what was
 * recorded, keep it: VAT_FAILED. */
int recording_end(bool whole);
