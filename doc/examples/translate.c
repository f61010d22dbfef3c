/* SPDX-License-Identifier: BSD-2-Clause */
/* What a column-wise walk through a matrix costs, on 4 KiB and 2 MiB pages.
 *
 *   cc translate.c $(pkg-config --cflags --libs vat) -o translate
 *
 * 4 KiB: each of the 1024 columns meets 4096 pages, far more than W, and 16
 * nodes above them, one after 256 rows; 3 nodes stay.  2 MiB: 16 pages stay.
 */
#include <inttypes.h>
#include <stdio.h>
#include <vat/policy.h>
#include <vat/tc.h>
#include <vat/tree.h>

int main(void) {
  static const char *const trees[] = {"amd64-4k", "amd64-2m"};
  const uint64_t base = 0x7f0000000000, rows = 4096, row_bytes = 8192;
  for (int i = 0; i < 2; i++) {
    struct vat_tc *tc =
        vat_tc_create(vat_policy_find("islru"),
                      &vat_tree_preset_find(trees[i])->tree, 1536, NULL);
    if (!tc) return 1;
    for (uint64_t column = 0; column < row_bytes; column += 8)
      for (uint64_t row = 0; row < rows; row++) {
        uint64_t address = base + row * row_bytes + column;
        if (vat_tc_addresses(tc, &address, 1)) return 1;
      }
    struct vat_tc_counts counts = vat_tc_counts(tc);
    printf("%s: %" PRIu64 " translations, %" PRIu64 " misses\n", trees[i],
           counts.translations, counts.misses);
    vat_tc_destroy(tc);
  }
  return 0;
}
