/* SPDX-License-Identifier: BSD-2-Clause */
/* Nested translation with two TCs, where a guest node that is in the guest's TC
 * needs no host walk.  Which nodes of a translation missed is what its policy
 * has counted meanwhile.
 *
 * Policies that need the future settle that when they replay the stream.  They
 * are observed then, and the addresses, which have been kept, are met again:
 * a page does not tell the host page where those are smaller. */
#include <errno.h>
#include <stdlib.h>

#include "vat/nested_mode.h"
#include "vat/policy.h"
#include "vat/spool.h"

enum { ADDRESSES = SPOOL_CHUNK / sizeof(uint64_t) };

struct misses {
  void *guest;                   /* the policy's state */
  uint64_t seen[VAT_LAYERS_MAX]; /* misses that host walks were made for */

  struct spool_budget budget; /* the rest is for offline policies */
  struct spool addresses;
  uint64_t kept, met;           /* of the addresses */
  uint64_t *tail;               /* the chunk being filled */
  const uint64_t *head;         /* the chunk being met */
  uint64_t pages[NESTED_BLOCK]; /* as paths */
};

/* The host walks of a translation that the guest's policy has just made. */
static int follow(struct vat_nested *nested, uint64_t address) {
  struct misses *m = nested->state;
  const struct vat_tree *guest = &nested->options.guest;
  uint64_t page = path_page(nested_guest_path(nested, address));
  if (nested_reserve(nested)) return -1;
  for (unsigned layer = guest->levels + 1; layer-- > 0;) {
    if (nested->guest_misses[layer] == m->seen[layer]) continue;
    m->seen[layer] = nested->guest_misses[layer];
    nested_walk(nested, nested_node_address(nested, page, layer));
  }
  nested_walk(nested, nested_data_address(nested, address));
  return 0;
}

/* The next address that was kept.  0, or -1 with errno. */
static int meet(struct misses *m, uint64_t *address) {
  size_t at = m->met % ADDRESSES;
  if (!at) {
    size_t chunk = m->met / ADDRESSES;
    if (chunk) vat_spool_drop(&m->addresses, chunk - 1);
    m->head = vat_spool_get(&m->addresses, chunk, m->tail);
    if (!m->head) return -1;
  }
  *address = m->head[at];
  return 0;
}

/* The observer.  Repeats of a page that are counted as one are all addresses
 * in a row on it; they have missed nothing. */
static int translated(void *context, bool repeated) {
  struct vat_nested *nested = context;
  struct misses *m = nested->state;
  uint64_t address, before = 0;
  for (bool met = false; m->met < m->kept; met = true, m->met++) {
    if (met && !repeated) return 0;
    if (meet(m, &address)) return -1;
    uint64_t path = nested_guest_path(nested, address);
    if (met && path != before) return 0;
    before = path;
    if (follow(nested, address)) return -1;
  }
  return 0;
}

static int init(struct vat_nested *nested) {
  const struct vat_nested_options *o = &nested->options;
  const struct vat_policy *policy = o->policy;
  if (policy->offline && !policy->observe) {
    errno = ENOTSUP;
    return -1;
  }
  if (o->guest_nodes < vat_policy_least_nodes(policy, &o->guest)) {
    errno = EINVAL;
    return -1;
  }
  struct misses *m = nested->state = calloc(1, sizeof *m);
  if (!m) return -1;
  struct vat_tc_options part = vat_nested_part(nested, 3);
  part.layout = o->guest_layout;
  m->budget = (struct spool_budget){
      .limit = part.memory_bytes, .on_spill = part.on_spill, .arg = part.arg};
  vat_spool_init(&m->addresses, &m->budget);
  m->guest =
      policy->create(&o->guest, o->guest_nodes, &part, nested->guest_misses);
  m->tail = malloc(SPOOL_CHUNK);
  if (!m->guest || !m->tail) return -1;
  struct vat_observer observer = {translated, nested};
  if (policy->offline) policy->observe(m->guest, &observer);
  nested->repeats_free = policy->repeats_free_from &&
                         o->guest_nodes >= policy->repeats_free_from(&o->guest);
  return vat_nested_host_init(nested, 3);
}

static void fini(struct vat_nested *nested) {
  struct misses *m = nested->state;
  if (!m) return;
  if (m->guest) nested->options.policy->destroy(m->guest);
  vat_spool_fini(&m->addresses);
  free(m->tail);
  free(m);
}

static int keep(struct misses *m, uint64_t address) {
  size_t at = m->kept % ADDRESSES;
  m->tail[at] = address;
  m->kept++;
  if (at + 1 < ADDRESSES) return 0;
  return vat_spool_put(&m->addresses, m->kept / ADDRESSES - 1, m->tail);
}

static int record(struct vat_nested *nested, const uint64_t *addresses,
                  size_t count) {
  struct misses *m = nested->state;
  for (size_t i = 0; i < count;) {
    size_t pages = 0;
    for (; i < count && pages < NESTED_BLOCK; i++) {
      if (keep(m, addresses[i])) return -1;
      m->pages[pages++] = nested_guest_path(nested, addresses[i]);
    }
    if (nested->options.policy->translate(m->guest, m->pages, pages)) return -1;
  }
  return 0;
}

static int translate(struct vat_nested *nested, const uint64_t *addresses,
                     size_t count) {
  const struct vat_policy *policy = nested->options.policy;
  struct misses *m = nested->state;
  if (policy->offline) return record(nested, addresses, count);
  for (size_t i = 0; i < count; i++) {
    uint64_t path = nested_guest_path(nested, addresses[i]);
    bool again = nested->started && path == nested->guest_before;
    nested->guest_before = path;
    nested->started = true;
    if (again && nested->repeats_free) {
      if (nested_reserve(nested)) return -1;
      nested_walk(nested, nested_data_address(nested, addresses[i]));
    } else {
      if (policy->translate(m->guest, &path, 1)) return -1;
      if (follow(nested, addresses[i])) return -1;
    }
  }
  return vat_nested_flush(nested);
}

static int finish(struct vat_nested *nested) {
  const struct vat_policy *policy = nested->options.policy;
  struct misses *m = nested->state;
  if (!policy->offline) return 0;
  if (m->kept % ADDRESSES &&
      vat_spool_put(&m->addresses, m->kept / ADDRESSES, m->tail))
    return -1;
  if (policy->finish(m->guest) || vat_nested_flush(nested)) return -1;
  return vat_tc_finish(nested->host);
}

const struct nested_mode vat_nested_misses = {
    .init = init,
    .fini = fini,
    .translate = translate,
    .finish = finish,
};
