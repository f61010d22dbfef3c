/* SPDX-License-Identifier: BSD-2-Clause */
/* What the modes of nested translation have in common: addresses are checked,
 * all that one makes before any of it is translated. */
#include "vat/nested.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vat/nested_mode.h"
#include "vat/policy.h"

const char *const vat_nested_mode_names[] = {
    [VAT_NESTED_SPLIT] = "split",
    [VAT_NESTED_MISSES] = "misses",
    [VAT_NESTED_SHARED] = "shared",
    [VAT_NESTED_SHARED + 1] = NULL,
};

static const struct nested_mode *mode_of(const struct vat_nested_options *o) {
  static const struct nested_mode *const modes[] = {
      [VAT_NESTED_SPLIT] = &vat_nested_split,
      [VAT_NESTED_MISSES] = &vat_nested_misses,
      [VAT_NESTED_SHARED] = &vat_nested_shared,
  };
  if ((unsigned)o->mode >= sizeof modes / sizeof *modes) return NULL;
  if (o->mode == VAT_NESTED_SHARED && o->policy->offline)
    return &vat_nested_optimal;
  return modes[o->mode];
}

/* Lay out the guest's tree layer by layer, the root first.  -1 with EINVAL. */
static int table_init(struct nested_table *table, const struct vat_tree *tree,
                      uint64_t base) {
  uint64_t at = base;
  unsigned bits = tree->index_bits * tree->levels;
  if (vat_tree_check(tree)) return -1;
  if (base == UINT64_MAX) {
    if (bits + tree->page_bits >= 64) goto outside;
    at = UINT64_C(1) << (bits + tree->page_bits);
  }
  if (bits > VAT_NESTED_PAGE_BITS) goto outside;
  table->tree = *tree;
  for (unsigned layer = tree->levels + 1; layer-- > 0;) {
    uint64_t nodes = UINT64_C(1) << tree->index_bits * (tree->levels - layer);
    table->layer[layer] = at;
    if (__builtin_add_overflow(at, NESTED_NODE_BYTES * nodes, &at))
      goto outside;
  }
  return 0;
outside:
  errno = EINVAL;
  return -1;
}

/* The last address that a tree translates. */
static uint64_t tree_last(const struct vat_tree *tree) {
  unsigned bits = vat_tree_page_number_bits(tree);
  if (bits > VAT_NESTED_PAGE_BITS) bits = VAT_NESTED_PAGE_BITS;
  bits += tree->page_bits;
  return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

/* Of the addresses that one makes, the leaf's is the largest of the nodes', as
 * the leaves come last, and grows with the page.  So there is one limit. */
static void find_last(struct vat_nested *nested) {
  const struct nested_table *table = &nested->table;
  uint64_t host = tree_last(&nested->options.host);
  uint64_t guest = tree_last(&table->tree);
  nested->possible = host >= table->layer[0];
  if (!nested->possible) return;
  nested->last = guest < host ? guest : host;
  uint64_t page = (host - table->layer[0]) / NESTED_NODE_BYTES;
  if (page < nested->last >> table->tree.page_bits)
    nested->last = ((page + 1) << table->tree.page_bits) - 1;
}

uint64_t vat_nested_last_address(const struct vat_tree *guest,
                                 uint64_t table_base,
                                 uint64_t last_guest_address) {
  struct nested_table table;
  int error = errno;
  bool fits = !table_init(&table, guest, table_base) &&
              last_guest_address <= tree_last(guest);
  errno = error;
  if (!fits) return UINT64_MAX;
  uint64_t leaf =
      nested_table_address(&table, last_guest_address >> guest->page_bits, 0);
  return leaf > last_guest_address ? leaf : last_guest_address;
}

/* The guest's tables and data lie in a row, or scattered over a memory of the
 * given size.  0, or -1 with EINVAL. */
static int lay_out(struct vat_nested *nested) {
  const struct vat_nested_options *o = &nested->options;
  uint64_t bytes = o->guest_memory_bytes;
  if (vat_tree_check(&o->host)) return -1;
  if (vat_layout_find_create(&nested->guest_find, o->guest_layout, &o->guest) ||
      vat_layout_find_create(&nested->host_find, o->host_layout, &o->host))
    return -1;
  if (!bytes) {
    if (table_init(&nested->table, &o->guest, o->table_base)) return -1;
    find_last(nested);
    return 0;
  }
  if (vat_tree_check(&o->guest)) return -1;
  if (o->guest.index_bits * o->guest.levels > VAT_NESTED_PAGE_BITS ||
      o->table_base != UINT64_MAX || o->guest_layout ||
      !(bytes >> o->guest.page_bits) || bytes - 1 > tree_last(&o->host)) {
    errno = EINVAL;
    return -1;
  }
  nested->possible = true;
  nested->last = tree_last(&o->guest);
  return vat_guest_memory_init(&nested->memory, &o->guest, bytes,
                               o->guest_seed);
}

struct vat_nested *vat_nested_create(const struct vat_nested_options *options) {
  const struct nested_mode *mode = options->policy ? mode_of(options) : NULL;
  if (!mode) {
    errno = EINVAL;
    return NULL;
  }
  struct vat_nested *nested = calloc(1, sizeof *nested);
  if (!nested) return NULL;
  nested->options = *options;
  nested->mode = mode;
  if (!lay_out(nested) && !mode->init(nested)) return nested;
  int error = errno;
  vat_nested_destroy(nested);
  errno = error;
  return NULL;
}

void vat_nested_destroy(struct vat_nested *nested) {
  if (!nested) return;
  nested->mode->fini(nested);
  vat_tc_destroy(nested->guest);
  vat_tc_destroy(nested->host);
  vat_guest_memory_fini(&nested->memory);
  free(nested->guest_find);
  free(nested->host_find);
  free(nested);
}

/* Can an address be translated?  Its pages have their frames then.  0 or an
 * errno. */
static int check(struct vat_nested *nested, uint64_t address) {
  if (!nested->possible || address > nested->last) return ERANGE;
  if (!nested->options.guest_memory_bytes) return 0;
  uint64_t page = address >> nested->options.guest.page_bits;
  return vat_guest_memory_provide(&nested->memory, page) ? errno : 0;
}

int vat_nested_addresses(struct vat_nested *nested, const uint64_t *addresses,
                         size_t count) {
  size_t fit = 0;
  int error = 0;
  if (stream_end_check(&nested->end)) return -1;
  while (fit < count && !(error = check(nested, addresses[fit]))) fit++;
  if (nested->mode->translate(nested, addresses, fit))
    return vat_stream_end_fail(&nested->end);
  nested->translations += fit;
  errno = error;
  if (error == ENOMEM) return vat_stream_end_fail(&nested->end);
  return error ? -1 : 0;
}

static int finish(void *state) {
  struct vat_nested *nested = state;
  return nested->mode->finish ? nested->mode->finish(nested) : 0;
}

int vat_nested_finish(struct vat_nested *nested) {
  return vat_stream_end_finish(&nested->end, finish, nested);
}

static struct vat_tc_counts counts_of(const struct vat_tc *tc,
                                      const uint64_t *misses, unsigned levels,
                                      uint64_t translations) {
  struct vat_tc_counts counts = {0};
  if (tc) counts = vat_tc_counts(tc);
  counts.translations = translations;
  for (unsigned layer = 0; !tc && layer <= levels; layer++) {
    counts.misses_by_layer[layer] = misses[layer];
    counts.misses += misses[layer];
  }
  return counts;
}

struct vat_tc_counts vat_nested_guest(const struct vat_nested *nested) {
  return counts_of(nested->guest, nested->guest_misses,
                   nested->options.guest.levels, nested->translations);
}

struct vat_nested_frames vat_nested_frames(const struct vat_nested *nested) {
  return (struct vat_nested_frames){nested->memory.order.size,
                                    nested->memory.used};
}

struct vat_tc_counts vat_nested_host(const struct vat_nested *nested) {
  return counts_of(nested->host, nested->host_misses,
                   nested->options.host.levels, nested->walks);
}
