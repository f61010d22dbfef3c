/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/vat/reference_nested.h -- nested translation straight from its
 * definition: the accesses of all walks written out one by one, and linear
 * scans over them.  No idea shared with vat/. */
#pragma once
#include <stdbool.h>

#include "tests/vat/layout_fixture.h"
#include "vat/nested.h"

struct reference_nested {
  uint64_t walks;                                       /* of the host */
  uint64_t guest[VAT_LAYERS_MAX], host[VAT_LAYERS_MAX]; /* misses */
};

/* The layouts in the options of what follows, as they were given; NULL: none.
 */
extern const struct given_layout *reference_guest, *reference_host;

/* False where `policy` has no reference. */
bool reference_nested(const char *policy, const struct vat_nested_options *o,
                      const uint64_t *addresses, size_t count,
                      struct reference_nested *counts);

/* Without layouts: the addresses that the host translates for `count`
 * guest-virtual ones if it translates those of all nodes: d + 2 of each, in
 * order. */
void reference_nested_walks(const struct vat_nested_options *o,
                            const uint64_t *addresses, size_t count,
                            uint64_t *walks);
