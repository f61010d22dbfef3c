/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/classify.h -- which accesses of a stream are consecutive, which random.
 *
 * A sequence of consecutive address translations (CAT) translates for less than
 * it computes, one of random ones (RAT) pays most of a walk an access
 * (Jurkiewicz, PhD thesis, Definitions 2.33 and 2.35).  Both definitions are
 * asymptotic; here each O, Omega and "constant" is a number of
 * struct vat_classify_params.  doc/simulator.md says how and why.
 *
 * A stream goes through a TC of `nodes` under lru or islru; each translation
 * and its misses count for one class.  Memory grows with W and with tau * d *
 * gap, not with the stream.  Not thread-safe.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "vat/policy.h"
#include "vat/tc.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vat_class { VAT_CONSECUTIVE, VAT_RANDOM, VAT_OTHER, VAT_CLASSES };
extern const char *const vat_class_names[]; /* NULL-ended */

#define VAT_CLASSIFY_GAP_FITTING UINT64_MAX
enum {
  VAT_CLASSIFY_TAU_MAX = 1 << 20,
  VAT_CLASSIFY_GAP_MAX = 1 << 20,
  VAT_CLASSIFY_STEP_MAX = 64
};

struct vat_classify_params {
  /* A CAT has tau d accesses or more, and tau or more for each page between
   * its first and its last one. */
  uint64_t tau; /* 1.. */
  /* At most so many others stand between two of its accesses; 0...
   * VAT_CLASSIFY_GAP_FITTING: 64, or what lets a TC of W keep its path. */
  uint64_t gap;
  uint64_t step;   /* its next page is at most so many pages on; 1.. */
  double theta;    /* a RAT's parts are P m^theta, m = P K^d; 0..1 */
  uint64_t window; /* so many accesses without a CAT are judged as one; 1.. */
  double fraction; /* of them go to far parts in a RAT: at least; 0..1 */
};
extern const struct vat_classify_params vat_classify_defaults;

struct vat_class_counts {
  uint64_t translations, misses;
};

struct vat_classify_counts {
  struct vat_class_counts classes[VAT_CLASSES];
  uint64_t sequences; /* CATs */
  uint64_t far;       /* translations in parts not accessed since W misses */
};

struct vat_classify;

/*
 * A classifier that has seen nothing.  `params` may be NULL: the defaults.  The
 * caller owns it; release with vat_classify_destroy().  NULL with errno: EINVAL
 * (no policy, bad tree or parameter), ENOTSUP (neither lru nor islru), ENOMEM.
 */
struct vat_classify *vat_classify_create(
    const struct vat_policy *policy, const struct vat_tree *tree,
    uint64_t nodes, const struct vat_classify_params *params);
void vat_classify_destroy(struct vat_classify *c); /* NULL is fine */

/* As vat_tc_addresses() and vat_tc_finish(). */
int vat_classify_addresses(struct vat_classify *c, const uint64_t *addresses,
                           size_t count);
int vat_classify_finish(struct vat_classify *c);

/* Complete after vat_classify_finish(). */
struct vat_classify_counts vat_classify_counts(const struct vat_classify *c);
/* What its TC says: the sum over the classes. */
struct vat_tc_counts vat_classify_tc(const struct vat_classify *c);
/* Those it works with: `gap` is a number. */
struct vat_classify_params vat_classify_params(const struct vat_classify *c);
/* A part is 2^bits bytes: P m^theta, rounded up. */
unsigned vat_classify_part_bits(const struct vat_classify *c);

#ifdef __cplusplus
}
#endif
