/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/nested_fixture.h"

#include <CUnit/CUnit.h>
#include <errno.h>
#include <string.h>

#include "tests/vat/reference_nested.h"

uint64_t nested_seed;

uint64_t nested_below(uint64_t m) {
  nested_seed =
      nested_seed * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (nested_seed >> 33) % m;
}

static uint64_t nested_last_of(const struct vat_tree *tree) {
  return (UINT64_C(1) << (tree->page_bits + tree->index_bits * tree->levels)) -
         1;
}

/* Small trees and a stream with some locality: uniform, a walk, or returns;
 * the host's levels are what its user would choose. */
void nested_random(struct nested_trace *t) {
  struct vat_tree *guest = &t->o.guest, *host = &t->o.host;
  guest->index_bits = 1 + (unsigned)nested_below(3);
  guest->page_bits = (unsigned)nested_below(5);
  guest->levels = 1 + (unsigned)nested_below(3);
  uint64_t bases[] = {UINT64_MAX, 0, 3 + 2 * nested_below(600), UINT64_MAX};
  t->o.table_base = bases[nested_below(4)];
  uint64_t size = nested_last_of(guest) + 1;
  host->index_bits = 1 + (unsigned)nested_below(3);
  host->page_bits = (unsigned)nested_below(8);
  uint64_t furthest = vat_nested_last_address(guest, t->o.table_base, size - 1);
  t->o.guest_memory_bytes = 0;
  if (nested_below(2)) {
    /* Enough for all pages that the addresses need; not all of it in frames. */
    uint64_t frames = NESTED_ADDRESSES * (VAT_LEVELS_MAX + 2);
    furthest = (frames + nested_below(frames)) << guest->page_bits |
               nested_below(1u << guest->page_bits);
    t->o.guest_memory_bytes = furthest + 1;
    t->o.guest_seed = nested_below(1 << 30);
    t->o.table_base = UINT64_MAX;
  }
  host->levels =
      vat_tree_levels_for(host->index_bits, furthest >> host->page_bits);
  unsigned kind = (unsigned)nested_below(3);
  t->count = 1 + nested_below(NESTED_ADDRESSES);
  for (size_t i = 0; i < t->count; i++) {
    uint64_t fresh = nested_below(size), last = i ? t->addresses[i - 1] : fresh;
    uint64_t walk =
        (last + nested_below(1u << guest->page_bits) + nested_below(2)) % size;
    uint64_t again =
        i && nested_below(2) ? t->addresses[nested_below(i)] : fresh;
    t->addresses[i] = kind == 0 ? fresh : kind == 1 ? walk : again;
  }
}

/* Translate, in blocks of odd sizes, which must not matter. */
void nested_run(const struct vat_nested_options *o, const uint64_t *addresses,
                size_t count, struct vat_tc_counts *guest,
                struct vat_tc_counts *host) {
  struct vat_nested *nested = vat_nested_create(o);
  CU_ASSERT_PTR_NOT_NULL_FATAL(nested);
  for (size_t i = 0, n; i < count; i += n) {
    n = 1 + nested_below(count > NESTED_ADDRESSES ? 3000 : 9);
    if (n > count - i) n = count - i;
    CU_ASSERT_EQUAL_FATAL(vat_nested_addresses(nested, &addresses[i], n), 0);
  }
  CU_ASSERT_EQUAL(vat_nested_finish(nested), 0);
  *guest = vat_nested_guest(nested);
  *host = vat_nested_host(nested);
  CU_ASSERT_EQUAL(guest->translations, count);
  vat_nested_destroy(nested);
}

bool nested_supported(const struct vat_policy *policy,
                      enum vat_nested_mode mode) {
  if (mode == VAT_NESTED_SHARED)
    return policy->recency != VAT_RECENCY_NONE ||
           policy->furthest != VAT_FURTHEST_NONE;
  return mode == VAT_NESTED_SPLIT || !policy->offline || policy->observe;
}

/* Anything from what the policy needs to more than a translation accesses. */
uint64_t nested_random_nodes(const struct vat_nested_options *o,
                             const struct vat_tree *tree) {
  static const uint64_t most[] = {4, 12, 40, 100, NESTED_HUGE_TC};
  uint64_t least = o->mode == VAT_NESTED_SHARED
                       ? vat_nested_shared_least(o->policy, &o->guest, &o->host)
                       : vat_policy_least_nodes(o->policy, tree);
  return least + nested_below(most[nested_below(5)]);
}

int nested_refusal(const struct vat_nested_options *o) {
  errno = 0;
  struct vat_nested *nested = vat_nested_create(o);
  int error = nested ? 0 : errno;
  vat_nested_destroy(nested);
  return error;
}

bool nested_agrees(const struct nested_trace *t) {
  struct reference_nested expected;
  struct vat_tc_counts guest, host;
  if (!reference_nested(t->o.policy->name, &t->o, t->addresses, t->count,
                        &expected))
    return true;
  nested_run(&t->o, t->addresses, t->count, &guest, &host);
  return host.translations == expected.walks &&
         !memcmp(guest.misses_by_layer, expected.guest,
                 sizeof expected.guest) &&
         !memcmp(host.misses_by_layer, expected.host, sizeof expected.host);
}
