/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_layout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/record.h"
#include "huge_pages/size_text.h"

int sim_layout_read(struct sim_layout *layout, const char *option) {
  char why[LAYOUT_FILE_WHY];
  if (!layout->path) return VAT_OK;
  FILE *text = fopen(layout->path, "r");
  if (!text)
    return fail(fail_code(errno),
                "--%s %s: %s; name a file with a line START-END SIZE for each "
                "range of addresses",
                option, layout->path, strerror(errno));
  int failed = layout_file_parse(&layout->file, text, why);
  fclose(text);
  return failed ? fail(VAT_USAGE, "%s:%s", layout->path, why) : VAT_OK;
}

unsigned sim_layout_levels(const struct sim_layout *layout,
                           const struct vat_tree *tree, unsigned levels) {
  unsigned largest = layout_file_largest(&layout->file);
  if (largest < tree->page_bits) return levels;
  unsigned least = vat_layout_leaf(tree, largest) + 1;
  return least > levels ? least : levels;
}

struct lined {
  const struct vat_layout_range *range;
  unsigned line;
};

static int compare_starts(const void *x, const void *y) {
  const struct lined *a = x, *b = y;
  return a->range->start < b->range->start ? -1
                                           : a->range->start > b->range->start;
}

/* Two ranges that overlap, by their lines: by where they start, there are two
 * such neighbours. */
static int say_overlap(const struct sim_layout *layout) {
  const struct layout_file *file = &layout->file;
  struct lined *all = memory_zeroed(file->count + 1, sizeof *all);
  unsigned lines[2] = {0};
  for (size_t i = 0; i < file->count; i++)
    all[i] = (struct lined){&file->range[i], file->line[i]};
  qsort(all, file->count, sizeof *all, compare_starts);
  for (size_t i = 1; !lines[0] && i < file->count; i++) {
    if (all[i].range->start >= all[i - 1].range->end) continue;
    bool later = all[i].line > all[i - 1].line;
    lines[0] = all[later ? i : i - 1].line;
    lines[1] = all[later ? i - 1 : i].line;
  }
  free(all);
  return fail(VAT_USAGE,
              "%s:%u: this range overlaps with that of line %u; give each "
              "address one page size",
              layout->path, lines[0], lines[1]);
}

/* A page size that the tree cannot have. */
static int say_size(const struct sim_layout *layout,
                    const struct vat_tree *tree) {
  const struct layout_file *file = &layout->file;
  unsigned bits = layout_file_largest(file);
  for (size_t i = 0; i < file->count; i++)
    if (file->range[i].page_bits < tree->page_bits)
      bits = file->range[i].page_bits;
  if (file->default_bits && file->default_bits < tree->page_bits)
    bits = file->default_bits;
  if (bits < tree->page_bits)
    return fail(VAT_USAGE,
                "%s: pages of %s are smaller than the tree's, %s; choose a "
                "tree of the smallest pages, such as amd64-4k",
                layout->path, HP_SIZE_SHOWN((size_t)1 << bits),
                HP_SIZE_SHOWN((size_t)1 << tree->page_bits));
  return fail(VAT_USAGE,
              "%s: pages of %s would be on layer %u of a tree of %u levels; "
              "they have to be below its root, and on layer 7 at most: choose "
              "more --levels, or larger --index-bits",
              layout->path, HP_SIZE_SHOWN((size_t)1 << bits),
              vat_layout_leaf(tree, bits), tree->levels);
}

static unsigned default_bits(const struct sim_layout *layout,
                             const struct vat_tree *tree) {
  return layout->file.default_bits ? layout->file.default_bits
                                   : tree->page_bits;
}

int sim_layout_make(const struct sim_layout *layout, const char *option,
                    const struct vat_tree *tree, struct vat_layout **made) {
  const struct layout_file *file = &layout->file;
  *made = NULL;
  if (!layout->path) return VAT_OK;
  *made = vat_layout_create(tree, file->range, file->count,
                            default_bits(layout, tree));
  if (*made) return VAT_OK;
  if (errno == EEXIST) return say_overlap(layout);
  if (errno == EINVAL) return say_size(layout, tree);
  return fail(VAT_ABSENT, "--%s %s: %s", option, layout->path, strerror(errno));
}

/* Of the ranges of one page size, the smallest above `bits`.  False: none. */
struct sum {
  unsigned bits;
  size_t ranges;
  uint64_t bytes;
};

static bool next_sum(const struct layout_file *file, struct sum *sum) {
  unsigned after = sum->bits;
  *sum = (struct sum){64, 0, 0};
  for (size_t i = 0; i < file->count; i++) {
    const struct vat_layout_range *range = &file->range[i];
    if (range->page_bits <= after || range->page_bits > sum->bits) continue;
    if (range->page_bits < sum->bits)
      *sum = (struct sum){range->page_bits, 0, 0};
    sum->ranges++;
    sum->bytes += range->end - range->start;
  }
  return sum->ranges;
}

void sim_layout_json(json_t *object, const char *key,
                     const struct sim_layout *layout,
                     const struct vat_tree *tree) {
  struct sum sum = {0};
  if (!layout->path) return;
  json_t *sizes = json_array();
  while (next_sum(&layout->file, &sum))
    json_array_append_new(
        sizes,
        json_pack("{si sI so}", "page_bits", (int)sum.bits, "ranges",
                  (json_int_t)sum.ranges, "bytes", json_of_u64(sum.bytes)));
  json_object_set_new(
      object, key,
      json_pack("{si so}", "default_page_bits", (int)default_bits(layout, tree),
                "ranges", sizes));
}

void sim_layout_print(const struct sim_layout *layout, const char *of,
                      const struct vat_tree *tree) {
  struct sum sum = {0};
  if (!layout->path) return;
  printf("%slayout:", of);
  while (next_sum(&layout->file, &sum))
    printf(" %zu range%s of %s with pages of %s;", sum.ranges,
           sum.ranges == 1 ? "" : "s", HP_SIZE_SHOWN(sum.bytes),
           HP_SIZE_SHOWN((size_t)1 << sum.bits));
  printf(" the rest with pages of %s\n",
         HP_SIZE_SHOWN((size_t)1 << default_bits(layout, tree)));
}
