/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/stream/stream.h -- the addresses that an algorithm accesses.
 *
 * The algorithms are compiled a second time, each access a call (see
 * tsan_runtime.h).  One runs like the other, on the same input; the addresses
 * are those of its workspace, were it at `base`.
 */
#ifndef EXPERIMENTS_STREAM_STREAM_H
#define EXPERIMENTS_STREAM_STREAM_H
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "experiments/cli/options.h"
#include "vat/tc.h"
#include "vat/trace.h"

struct stream {
  const struct algo *algo; /* NULL: none was asked for */
  uint64_t n, seed, base;
  const char *generator;         /* NULL: its first */
  const char *parameters;        /* as in struct algo_run */
  const struct algo_data *given; /* in place of a generated input, or NULL */
  /* Told when the run, apart from setup and check, begins and has ended, for
   * benchmarks; NULL: nobody. */
  void (*watch)(bool running);
};

/* --algo, --n, --seed, --generator and --base, of a struct stream. */
extern const struct option_row stream_rows[];

/* Does it fit, if it has an algorithm?  An exit code, having printed why. */
int stream_check(const struct stream *stream);

/* The workspace's last address. */
uint64_t stream_last_address(const struct stream *stream);

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

/*
 * Set up, run and check.  An exit code: take's, or having printed why.  While
 * signals are armed (interrupt.h) one ends it at once, between two calls of
 * take: VAT_FAILED, and nothing is printed.
 */
int stream_run(const struct stream *stream, const struct stream_sink *sink);
#endif
