/* stub for compiling until the branch is merged */
#ifndef VAT_CURVE_H
#define VAT_CURVE_H
#include "vat/tc.h"
struct vat_curve;
struct vat_curve_point { uint64_t nodes; uint64_t misses; };
struct vat_curve *vat_curve_create(const struct vat_policy *policy, const struct vat_tree *tree, const struct vat_tc_options *options);
void vat_curve_destroy(struct vat_curve *);
int vat_curve_addresses(struct vat_curve *, const uint64_t *addresses, size_t count);
int vat_curve_finish(struct vat_curve *);
uint64_t vat_curve_translations(const struct vat_curve *);
int vat_curve_points(const struct vat_curve *, struct vat_curve_point **points, size_t *count);
#endif
