/* SPDX-License-Identifier: BSD-2-Clause */
/* Nested translation with two TCs that know nothing of each other: the host's
 * sees all addresses that the guest's walks make.  Any policy will do. */
#include "vat/nested_mode.h"
#include "vat/policy.h"

struct vat_tc_options vat_nested_part(const struct vat_nested *nested,
                                      unsigned parts) {
  struct vat_tc_options part = nested->options.tc;
  uint64_t bytes = part.memory_bytes; /* 0: no limit */
  part.memory_bytes = bytes && bytes < parts ? 1 : bytes / parts;
  return part;
}

int vat_nested_host_init(struct vat_nested *nested, unsigned parts) {
  const struct vat_nested_options *o = &nested->options;
  struct vat_tc_options part = vat_nested_part(nested, parts);
  part.layout = o->host_layout;
  nested->host = vat_tc_create(o->policy, &o->host, o->host_nodes, &part);
  return nested->host ? 0 : -1;
}

int vat_nested_flush(struct vat_nested *nested) {
  size_t count = nested->filled;
  nested->filled = 0;
  return vat_tc_addresses(nested->host, nested->block, count);
}

/*
 * A TC that can hold all host nodes of a guest translation does hold them after
 * it under lru and islru, in an order that depends on their accesses alone; to
 * repeat these changes neither.
 */
static int init(struct vat_nested *nested) {
  const struct vat_nested_options *o = &nested->options;
  struct vat_tc_options part = vat_nested_part(nested, 2);
  part.layout = o->guest_layout;
  nested->repeats_free = o->policy->recency != VAT_RECENCY_NONE &&
                         o->host_nodes >= nested_host_path(o);
  nested->guest = vat_tc_create(o->policy, &o->guest, o->guest_nodes, &part);
  return nested->guest ? vat_nested_host_init(nested, 2) : -1;
}

static void fini(struct vat_nested *nested) { (void)nested; }

static int translate(struct vat_nested *nested, const uint64_t *addresses,
                     size_t count) {
  const struct vat_tree *guest = &nested->options.guest;
  if (vat_tc_addresses(nested->guest, addresses, count)) return -1;
  for (size_t i = 0; i < count; i++) {
    uint64_t path = nested_guest_path(nested, addresses[i]);
    unsigned leaf = path_leaf(path);
    if (nested->repeats_free && nested_repeats(nested, addresses[i])) {
      nested->walks += guest->levels + 2 - leaf;
      continue;
    }
    if (nested_reserve(nested)) return -1;
    for (unsigned layer = guest->levels + 1; layer-- > leaf;)
      nested_walk(nested, nested_node_address(nested, path_page(path), layer));
    nested_walk(nested, nested_data_address(nested, addresses[i]));
  }
  return vat_nested_flush(nested);
}

static int finish(struct vat_nested *nested) {
  return vat_tc_finish(nested->guest) ? -1 : vat_tc_finish(nested->host);
}

const struct nested_mode vat_nested_split = {
    .init = init,
    .fini = fini,
    .translate = translate,
    .finish = finish,
};
