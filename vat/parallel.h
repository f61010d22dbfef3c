/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/parallel.h -- the VAT model with p processors: one stream of accesses is
 * dealt to them, and each has a TC of its own, or all share one
 * (doc/parallel-vat.md).
 *
 * The stream is cut into chunks of `chunk` accesses.  Chunk c goes to processor
 * c mod p.  The processors are synchronous: in round r, each of them makes its
 * r-th access, processor 0 first.  Only a shared TC depends on these rounds.
 * Not thread-safe.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/tc.h"

enum { VAT_PROCESSORS_MAX = 1024 };

struct vat_parallel_options {
  const struct vat_policy *policy;
  struct vat_tree tree;
  uint64_t nodes;      /* W of each TC */
  unsigned processors; /* p, 1..VAT_PROCESSORS_MAX */
  uint64_t chunk;      /* 0: blocks, which are p chunks of the same length */
  bool shared;         /* one TC of W nodes for all processors */
  struct vat_tc_options tc;
};

struct vat_parallel;

/*
 * Create it with empty TCs.  The caller owns it; release with
 * vat_parallel_destroy().  NULL with errno as vat_tc_create(), and EINVAL if
 * `tc` has a layout.
 */
struct vat_parallel *vat_parallel_create(
    const struct vat_parallel_options *options);
void vat_parallel_destroy(struct vat_parallel *parallel); /* NULL is fine */

/* Add addresses to the stream, which is recorded: 8 bytes each.  As
 * vat_tc_addresses(), but one outside the tree ends the stream. */
int vat_parallel_addresses(struct vat_parallel *parallel,
                           const uint64_t *addresses, size_t count);

/* The stream ends here: deal it and simulate.  As vat_tc_finish(). */
int vat_parallel_finish(struct vat_parallel *parallel);

/* After the end: of all processors, and of processor i < p. */
struct vat_tc_counts vat_parallel_counts(const struct vat_parallel *parallel);
struct vat_tc_counts vat_parallel_processor(const struct vat_parallel *parallel,
                                            unsigned i);

/* After the end: accesses a chunk, also of blocks. */
uint64_t vat_parallel_chunk(const struct vat_parallel *parallel);

/* Are the misses of each processor known?  Not with one TC and a policy that
 * knows the future and cannot be observed (rrmin, lis): they are 0 then. */
bool vat_parallel_attributes(const struct vat_parallel *parallel);
