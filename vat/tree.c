/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/tree.h"

#include <errno.h>
#include <string.h>

/* amd64: 512 entries a table; the last step is saved on 2 MiB, the last two on
 * 1 GiB pages (AMD64 Architecture Programmer's Manual, volume 2, chapter 5).
 * arm64: tables of one granule, 8 bytes an entry (Arm ARM, D8.2), with the
 * levels of a 48-bit address; a 16 KiB granule's top table has two entries. */
const struct vat_tree_preset vat_tree_presets[] = {
    {"amd64-4k", {9, 12, 4}, "4 KiB pages, 48-bit addresses"},
    {"amd64-2m", {9, 21, 3}, "2 MiB pages, 48-bit addresses"},
    {"amd64-1g", {9, 30, 2}, "1 GiB pages, 48-bit addresses"},
    {"amd64-4k-5", {9, 12, 5}, "4 KiB pages, 57-bit addresses"},
    {"amd64-2m-5", {9, 21, 4}, "2 MiB pages, 57-bit addresses"},
    {"amd64-1g-5", {9, 30, 3}, "1 GiB pages, 57-bit addresses"},
    {"arm64-4k", {9, 12, 4}, "4 KiB granule, 48-bit addresses"},
    {"arm64-16k", {11, 14, 4}, "16 KiB granule, 48-bit addresses"},
    {"arm64-64k", {13, 16, 3}, "64 KiB granule, 48-bit addresses"},
    {0}};

const struct vat_tree_preset *vat_tree_preset_find(const char *name) {
  for (const struct vat_tree_preset *p = vat_tree_presets; p->name; p++)
    if (!strcmp(p->name, name)) return p;
  errno = EINVAL;
  return NULL;
}

int vat_tree_check(const struct vat_tree *tree) {
  if (tree->index_bits >= 1 && tree->index_bits <= 32 &&
      tree->page_bits <= 48 && tree->levels >= 1 &&
      tree->levels <= VAT_LEVELS_MAX)
    return 0;
  errno = EINVAL;
  return -1;
}

unsigned vat_tree_levels_for(unsigned index_bits, uint64_t page) {
  unsigned levels = 1;
  while (levels * index_bits < 64 && page >> (levels * index_bits)) levels++;
  return levels;
}
