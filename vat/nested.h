/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/nested.h -- nested (two-dimensional) translation, as on virtual machines.
 *
 * The nodes of the guest's tree lie in the guest's physical memory, which the
 * host translates in turn, so that "big enough virtual machines may require
 * translation for memory tables in the virtual machine, not just for the data"
 * (Jurkiewicz, PhD thesis, section 2.6.1).  Of a node one address matters, that
 * of the 8-byte entry in which it stands: node (l, i) of the guest is at
 * table_base + 8 (nodes above layer l + i).  Data is in guest-physical memory
 * where it is in guest-virtual memory.  Or else (guest_memory_bytes) the pages
 * of data and of tables lie scattered over the memory of a virtual machine of
 * that size: vat/guest_memory.h.
 *
 * To translate an address, the host translates the address of each guest node
 * just before that node is accessed, root first, and then the address itself:
 * d + 2 host walks.  Not modelled: what the host's own nodes cost to reach, and
 * two guests at a time.  Not thread-safe.
 */
#pragma once
#include "vat/tc.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vat_nested_mode {
  VAT_NESTED_SPLIT,  /* a TC for the guest's tree and one for the host's */
  VAT_NESTED_MISSES, /* the same, but a guest node that is in its TC needs no
                      * host walk: what page-walk caches do */
  VAT_NESTED_SHARED  /* one TC for the nodes of both trees */
};
enum { VAT_NESTED_PAGE_BITS = 59 }; /* the most of a page number, see below */
extern const char *const vat_nested_mode_names[]; /* by mode; ends with NULL */

struct vat_nested_options {
  const struct vat_policy *policy; /* of both TCs */
  /* Either may have page numbers of up to VAT_NESTED_PAGE_BITS. */
  struct vat_tree guest, host;
  /* Sizes of pages in either, as long as it lives; NULL: all have the tree's.
   * A translation of the guest then accesses its path's nodes and has a host
   * walk for each, and one for the data.  It repeats the one before where both
   * are on one page of the guest and one of the host: the smaller of the two
   * decides. */
  const struct vat_layout *guest_layout, *host_layout;
  /* W of each; shared: guest_nodes is that of the one TC, and host_nodes is
   * ignored. */
  uint64_t guest_nodes, host_nodes;
  enum vat_nested_mode mode;
  /* Guest-physical address of the guest's tree.  UINT64_MAX: just behind the
   * addresses that the tree translates, P K^d. */
  uint64_t table_base;
  /* Not 0: size of the virtual machine's memory, whose frames have the size of
   * a guest page; which page is in which frame depends on the seed. */
  uint64_t guest_memory_bytes, guest_seed;
  /* memory_bytes: for both TCs together; layout: NULL. */
  struct vat_tc_options tc;
};

struct vat_nested;

/*
 * Create it with empty TCs.  The caller owns it; release with
 * vat_nested_destroy().  NULL with errno: EINVAL (no policy, a bad tree, fewer
 * nodes than the policy needs, a guest's tree that does not lie within 64
 * bits, a guest memory that is smaller than a page or larger than what the
 * host's tree translates, or that has a table_base or a guest's layout, or the
 * layout of another tree), ENOTSUP (the policy cannot
 * do this mode: shared needs lru, islru, min or ismin; misses needs an online
 * policy or one that can be observed, see vat/policy.h), ENOMEM.
 */
struct vat_nested *vat_nested_create(const struct vat_nested_options *options);
void vat_nested_destroy(struct vat_nested *nested); /* NULL is fine */

/*
 * Translate `count` guest-virtual addresses in order.  Returns 0, or -1 with
 * errno ERANGE when one lies outside the guest's tree, or it or one of its
 * nodes outside the host's, ENOBUFS when the guest's memory has no frame left
 * for one (those before it are translated, and vat_nested_guest() tells how
 * many), or as vat_tc_addresses().
 */
int vat_nested_addresses(struct vat_nested *nested, const uint64_t *addresses,
                         size_t count);

/* The stream ends here; as vat_tc_finish(). */
int vat_nested_finish(struct vat_nested *nested);

/* Counts of the two trees so far; for policies that need the future, after
 * vat_nested_finish().  The host's translations are the host walks made. */
struct vat_tc_counts vat_nested_guest(const struct vat_nested *nested);
struct vat_tc_counts vat_nested_host(const struct vat_nested *nested);

/* The frames of the guest's memory, and those in use so far; 0 without one. */
struct vat_nested_frames {
  uint64_t all, used;
};
struct vat_nested_frames vat_nested_frames(const struct vat_nested *nested);

/* The least W of one TC for both trees: lru, islru and min need one node, and
 * ismin a path of the host beside all of a guest's path but the leaf. */
uint64_t vat_nested_shared_least(const struct vat_policy *policy,
                                 const struct vat_tree *guest,
                                 const struct vat_tree *host);

/*
 * The largest address that the host has to translate when no guest-virtual
 * address is larger than `last_guest_address`: chooses the host's levels.
 * `table_base` as in the options.  UINT64_MAX where the guest's tree is one
 * that vat_nested_create() refuses, or does not hold that address.
 */
uint64_t vat_nested_last_address(const struct vat_tree *guest,
                                 uint64_t table_base,
                                 uint64_t last_guest_address);

#ifdef __cplusplus
}
#endif
