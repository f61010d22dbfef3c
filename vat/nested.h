#ifndef VAT_NESTED_H
#define VAT_NESTED_H
#include "vat/tc.h"
enum vat_nested_mode { VAT_NESTED_SPLIT, VAT_NESTED_MISSES, VAT_NESTED_SHARED };
extern const char *const vat_nested_mode_names[];
struct vat_nested_options {
  const struct vat_policy *policy;     /* of both TCs */
  struct vat_tree guest, host;
  uint64_t guest_nodes, host_nodes;
  enum vat_nested_mode mode;
  uint64_t table_base;
  struct vat_tc_options tc;
};
struct vat_nested;
struct vat_nested *vat_nested_create(const struct vat_nested_options *options);
void vat_nested_destroy(struct vat_nested *);
int vat_nested_addresses(struct vat_nested *, const uint64_t *addresses, size_t count);
int vat_nested_finish(struct vat_nested *);
struct vat_tc_counts vat_nested_guest(const struct vat_nested *);
struct vat_tc_counts vat_nested_host(const struct vat_nested *);
uint64_t vat_nested_last_address(const struct vat_tree *guest, uint64_t table_base, uint64_t last_guest_address);
#endif
