/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/nested_mode.h -- what the modes of nested translation share, and what
 * makes a mode.  Internal to vat/. */
#pragma once
#include <stdbool.h>

#include "vat/guest_memory.h"
#include "vat/layout_find.h"
#include "vat/nested.h"
#include "vat/stream_end.h"

enum {
  NESTED_BLOCK = 1024,   /* host addresses handed on at a time, as vat/tc.c */
  NESTED_NODE_BYTES = 8, /* a guest node's place in the table */
  NESTED_WALKS_MAX = VAT_LAYERS_MAX + 1 /* of one guest translation */
};

/* Where the guest's nodes are: the address of each layer's first one. */
struct nested_table {
  struct vat_tree tree;
  uint64_t layer[VAT_LAYERS_MAX];
};

struct vat_nested {
  struct vat_nested_options options;
  const struct nested_mode *mode;
  struct nested_table table;
  struct layout_find *guest_find, *host_find; /* NULL: no layout */
  struct guest_memory memory; /* where the options give one its size */
  struct stream_end end;
  bool possible;         /* there is an address that can be translated: */
  uint64_t last;         /* this one is the largest */
  uint64_t translations; /* of the guest */
  uint64_t walks;        /* of the host */

  bool repeats_free; /* a repeat of a guest and host page changes no TC */
  bool started;
  uint64_t before;                    /* the address translated last */
  uint64_t guest_before, host_before; /* its paths, where used */

  /* Where a mode has vat_tc's own ones, these count; else the arrays. */
  struct vat_tc *guest, *host;
  uint64_t guest_misses[VAT_LAYERS_MAX], host_misses[VAT_LAYERS_MAX];
  uint64_t block[NESTED_BLOCK]; /* for `host`: addresses not handed on yet */
  size_t filled;
  void *state; /* the mode's */
};

struct nested_mode {
  int (*init)(struct vat_nested *nested); /* 0, or -1 with errno */
  void (*fini)(struct vat_nested *nested);
  /* Addresses that can all be translated.  0, or -1 with errno. */
  int (*translate)(struct vat_nested *nested, const uint64_t *addresses,
                   size_t count);
  int (*finish)(struct vat_nested *nested); /* NULL: nothing to do */
};

/* `shared` is two: one for policies that know the past, one for the future. */
extern const struct nested_mode vat_nested_split, vat_nested_misses,
    vat_nested_shared, vat_nested_optimal;

static inline uint64_t nested_table_address(const struct nested_table *table,
                                            uint64_t page, unsigned layer) {
  return table->layer[layer] +
         NESTED_NODE_BYTES * vat_tree_node(&table->tree, page, layer);
}

/* Where the guest's node on `layer` above `page` is in guest-physical memory.
 */
static inline uint64_t nested_node_address(struct vat_nested *nested,
                                           uint64_t page, unsigned layer) {
  if (nested->options.guest_memory_bytes)
    return guest_memory_node(&nested->memory, page, layer);
  return nested_table_address(&nested->table, page, layer);
}

/* And where data is that is at a guest-virtual address. */
static inline uint64_t nested_data_address(struct vat_nested *nested,
                                           uint64_t address) {
  if (nested->options.guest_memory_bytes)
    return guest_memory_data(&nested->memory, address);
  return address;
}

static inline uint64_t nested_path(struct layout_find *find, uint64_t page) {
  return find ? layout_path(find, page) : page;
}

/* The paths of a guest-virtual and of a guest-physical address. */
static inline uint64_t nested_guest_path(struct vat_nested *nested,
                                         uint64_t address) {
  return nested_path(nested->guest_find,
                     address >> nested->options.guest.page_bits);
}
static inline uint64_t nested_host_path_of(struct vat_nested *nested,
                                           uint64_t address) {
  return nested_path(nested->host_find,
                     address >> nested->options.host.page_bits);
}

/* Host nodes that one guest translation accesses, at most. */
static inline uint64_t nested_host_path(const struct vat_nested_options *o) {
  return ((uint64_t)o->guest.levels + 2) * (o->host.levels + 1);
}

/* Is this address on the pages of the one before, by their layouts? */
static inline bool nested_paths_repeat(struct vat_nested *nested,
                                       uint64_t address) {
  uint64_t guest = nested_guest_path(nested, address);
  uint64_t host =
      nested_host_path_of(nested, nested_data_address(nested, address));
  bool repeats = nested->started && guest == nested->guest_before &&
                 host == nested->host_before;
  nested->guest_before = guest;
  nested->host_before = host;
  nested->started = true;
  return repeats;
}

/* Is this address on the guest page and the host page of the one before?  It
 * is on both just if it is on the smaller one: what is in a place of a guest
 * page is in that place of the page's frame. */
static inline bool nested_repeats(struct vat_nested *nested, uint64_t address) {
  if (nested->guest_find || nested->host_find)
    return nested_paths_repeat(nested, address);
  unsigned guest = nested->options.guest.page_bits;
  unsigned host = nested->options.host.page_bits;
  uint64_t changed = nested->before ^ address;
  bool repeats = nested->started && !(changed >> (guest < host ? guest : host));
  nested->before = address;
  nested->started = true;
  return repeats;
}

/* Create the TC of the host, with one of `parts` parts of the memory. */
int vat_nested_host_init(struct vat_nested *nested, unsigned parts);
int vat_nested_flush(struct vat_nested *nested); /* 0, or -1 with errno */

/* Make room for the host walks of one guest translation. */
static inline int nested_reserve(struct vat_nested *nested) {
  if (nested->filled + NESTED_WALKS_MAX <= NESTED_BLOCK) return 0;
  return vat_nested_flush(nested);
}

/* A host walk; room must be there. */
static inline void nested_walk(struct vat_nested *nested, uint64_t address) {
  nested->block[nested->filled++] = address;
  nested->walks++;
}

/* The part of the memory that each of `parts` streams may take. */
struct vat_tc_options vat_nested_part(const struct vat_nested *nested,
                                      unsigned parts);
