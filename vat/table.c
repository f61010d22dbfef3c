/* SPDX-License-Identifier: BSD-2-Clause */
/* For the policy of the TC, lines are the leaves of a tree of height 0. */
#include "vat/table.h"

#include <errno.h>
#include <stdlib.h>

#include "vat/intake.h"
#include "vat/policy.h"

/* Lines handed to the policy at a time. */
enum { LINES = 1024 };

const char *const vat_table_kind_names[] = {
    [VAT_TABLE_HASHED] = "hashed",
    [VAT_TABLE_CLUSTERED_8] = "clustered-8",
    [VAT_TABLE_CLUSTERED_16] = "clustered-16",
    [VAT_TABLE_CLUSTERED_16 + 1] = NULL,
};

static const struct {
  unsigned block_bits, line_bits;
} kinds[] = {
    [VAT_TABLE_HASHED] = {0, 3},
    [VAT_TABLE_CLUSTERED_8] = {3, 0},
    [VAT_TABLE_CLUSTERED_16] = {4, 0},
};

struct vat_table {
  struct vat_table_options options;
  unsigned block_bits, line_bits;
  unsigned lg;         /* there are 2^lg places */
  uint64_t *places;    /* 1 + the block whose entry it has, or 0 */
  uint64_t first_line; /* number of the line of place 0: no two tables share */
  void *state;         /* the policy's */
  uint64_t misses[VAT_LAYERS_MAX];
  struct vat_table_counts counts;
  struct intake intake;
  size_t filled;
  uint64_t lines[LINES]; /* still to be handed to the policy */
};

unsigned vat_table_block_bits(enum vat_table_kind kind) {
  return kinds[kind].block_bits;
}

unsigned vat_table_line_bits(enum vat_table_kind kind) {
  return kinds[kind].line_bits;
}

static bool is_valid(const struct vat_table_options *o) {
  return o->policy && (unsigned)o->kind < sizeof kinds / sizeof *kinds &&
         o->page_bits <= 48 && o->nodes && o->load > 0 && o->load < 1;
}

struct vat_table *vat_table_create(const struct vat_table_options *options) {
  static const struct vat_tree of_lines = {.index_bits = VAT_TABLE_PAGE_BITS};
  if (!is_valid(options) || options->policy->cells || options->tc.layout) {
    errno = is_valid(options) ? ENOTSUP : EINVAL;
    return NULL;
  }
  struct vat_table *table = calloc(1, sizeof *table);
  if (!table) return NULL;
  table->options = *options;
  table->block_bits = kinds[options->kind].block_bits;
  table->line_bits = kinds[options->kind].line_bits;
  /* Pages of any number. */
  table->intake.tree =
      (struct vat_tree){VAT_TABLE_PAGE_BITS / 2, options->page_bits, 2};
  table->intake.repeats_kept = UINT32_MAX;
  while (1 << table->lg < VAT_TABLE_PLACES) table->lg++;
  table->places = calloc(VAT_TABLE_PLACES, sizeof *table->places);
  if (table->places)
    table->state = options->policy->create(&of_lines, options->nodes,
                                           &options->tc, table->misses);
  if (table->state) return table;
  free(table->places);
  free(table);
  return NULL;
}

void vat_table_destroy(struct vat_table *table) {
  if (!table) return;
  table->options.policy->destroy(table->state);
  free(table->places);
  free(table);
}

/* The place where the look-up of a block begins. */
static inline uint64_t home(uint64_t block, unsigned lg) {
  block = (block ^ block >> 33) * UINT64_C(0xff51afd7ed558ccd);
  block = (block ^ block >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return (block ^ block >> 33) >> (64 - lg);
}

static int flush(struct vat_table *table) {
  size_t count = table->filled;
  table->filled = 0;
  return table->options.policy->translate(table->state, table->lines, count);
}

static inline int access_line(struct vat_table *table, uint64_t line) {
  table->lines[table->filled++] = table->first_line + line;
  table->counts.lines++;
  return table->filled == LINES ? flush(table) : 0;
}

/* Enter every block in a table of twice the places. */
static int grow(struct vat_table *table) {
  uint64_t count = UINT64_C(1) << table->lg, mask = 2 * count - 1;
  uint64_t *places = calloc(2 * count, sizeof *places);
  if (!places) return -1;
  for (uint64_t i = 0; i < count; i++) {
    if (!table->places[i]) continue;
    uint64_t at = home(table->places[i] - 1, table->lg + 1);
    while (places[at]) at = (at + 1) & mask;
    places[at] = table->places[i];
  }
  free(table->places);
  table->places = places;
  table->first_line += ((count - 1) >> table->line_bits) + 1;
  table->lg++;
  table->counts.growths++;
  return 0;
}

/* Is there no room for one entry more? */
static bool is_full(const struct vat_table *table) {
  return (double)(table->counts.entries + 1) >
         table->options.load * (double)(UINT64_C(1) << table->lg);
}

/* The place of a block, or the free one where it belongs. */
static inline uint64_t find(const struct vat_table *table, uint64_t block) {
  uint64_t mask = (UINT64_C(1) << table->lg) - 1;
  uint64_t at = home(block, table->lg);
  while (table->places[at] && table->places[at] != block + 1)
    at = (at + 1) & mask;
  return at;
}

static int look_up(struct vat_table *table, uint64_t block) {
  uint64_t at = find(table, block);
  if (!table->places[at]) {
    if (is_full(table)) {
      do
        if (grow(table)) return -1;
      while (is_full(table));
      at = find(table, block);
    }
    table->places[at] = block + 1;
    table->counts.entries++;
  }
  uint64_t mask = (UINT64_C(1) << table->lg) - 1, line = UINT64_MAX;
  for (uint64_t i = home(block, table->lg);; i = (i + 1) & mask) {
    table->counts.probes++;
    if (i >> table->line_bits != line &&
        access_line(table, line = i >> table->line_bits))
      return -1;
    if (i == at) return 0;
  }
}

static int translate(void *state, const uint64_t *pages, size_t count) {
  struct vat_table *table = state;
  for (size_t i = 0; i < count; i++)
    if (look_up(table, pages[i] >> table->block_bits)) return -1;
  return flush(table);
}

int vat_table_addresses(struct vat_table *table, const uint64_t *addresses,
                        size_t count) {
  return vat_intake_feed(&table->intake, addresses, count,
                         table->options.page_bits, translate, table);
}

int vat_table_finish(struct vat_table *table) {
  return vat_stream_end_finish(&table->intake.end,
                               table->options.policy->finish, table->state);
}

struct vat_table_counts vat_table_counts(const struct vat_table *table) {
  struct vat_table_counts counts = table->counts;
  counts.translations = table->intake.translations;
  counts.misses = table->misses[0];
  counts.places = UINT64_C(1) << table->lg;
  return counts;
}
