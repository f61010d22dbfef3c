/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libFuzzer target for the reader of layouts; run.sh builds and runs it.
 * What it rejects must say where and why; of what it accepts, a layout is made
 * or refused, and in one that is made every address has a page of the file's
 * sizes. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/sim/layout_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static const struct vat_tree tree = {9, 12, 4};

/* Is it that of the tree, of the rest, or of a range with the address? */
static bool is_given(const struct layout_file *file, uint64_t address,
                     unsigned bits) {
  if (bits == tree.page_bits || bits == file->default_bits) return true;
  for (size_t i = 0; i < file->count; i++)
    if (file->range[i].page_bits == bits && address >= file->range[i].start &&
        address < file->range[i].end)
      return true;
  return false;
}

static void look(const struct layout_file *file,
                 const struct vat_layout *layout, uint64_t address) {
  uint64_t last = (UINT64_C(1) << 48) - 1;
  if (address > last) address = last;
  if (!is_given(file, address, vat_layout_page_bits(layout, address))) abort();
}

static void use(const struct layout_file *file) {
  struct vat_layout *layout = vat_layout_create(
      &tree, file->range, file->count,
      file->default_bits ? file->default_bits : tree.page_bits);
  if (!layout) return;
  for (size_t i = 0; i < file->count; i++) {
    look(file, layout, file->range[i].start - 1);
    look(file, layout, file->range[i].start);
    look(file, layout, file->range[i].end - 1);
    look(file, layout, file->range[i].end);
  }
  vat_layout_destroy(layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  struct layout_file file;
  char why[LAYOUT_FILE_WHY] = "";
  FILE *text = count ? fmemopen((void *)(uintptr_t)bytes, count, "r") : NULL;
  if (!text) return 0;
  if (!layout_file_parse(&file, text, why)) {
    use(&file);
    layout_file_fini(&file);
  } else if (!strstr(why, ": ") || file.count) {
    abort();
  }
  fclose(text);
  return 0;
}
