/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/sim/sim_one_cache.h"

#include <inttypes.h>

#include "experiments/cli/command.h"

/* A line of data is of one page, and what line it is fits one word. */
int sim_one_cache_check(const struct vat_tree *tree) {
  unsigned bits = vat_tree_page_number_bits(tree) + tree->page_bits;
  if (tree->page_bits < VAT_LINE_BITS)
    return fail(VAT_USAGE,
                "--one-cache: a page of 2^%u bytes is less than a line of 64; "
                "choose --page-bits of at least %d",
                tree->page_bits, VAT_LINE_BITS);
  if (bits <= VAT_ONE_CACHE_ADDRESS_BITS) return VAT_OK;
  return fail(VAT_USAGE,
              "--one-cache: a tree of %u levels has addresses of %u bits, the "
              "maximum is %d; choose --levels, --index-bits and --page-bits "
              "for fewer bits",
              tree->levels, bits, VAT_ONE_CACHE_ADDRESS_BITS);
}

void sim_one_cache_row(struct text_table *table,
                       const struct sim_result *result) {
  text_row(table, "data\t%d bytes\t%" PRIu64 "\t%.6f", 1 << VAT_LINE_BITS,
           result->data_misses,
           (double)result->data_misses / (double)result->counts.translations);
}

void sim_one_cache_json(json_t *object, const struct sim_result *result) {
  json_object_set_new(
      object, "one_cache",
      json_pack("{si sI}", "line_bits", VAT_LINE_BITS, "data_misses",
                (json_int_t)result->data_misses));
}
