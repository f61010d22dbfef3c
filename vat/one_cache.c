/* SPDX-License-Identifier: BSD-2-Clause */
/* For the policy, lines are the leaves of a tree of height 0.
 *
 * An access is d + 2 different lines, in an order that is always the same, and
 * no line follows itself.  So the number of a line in the stream is enough to
 * know of which layer it is, also when a policy that knows the future replays
 * the stream. */
#include "vat/one_cache.h"

#include <errno.h>
#include <stdlib.h>

#include "vat/policy.h"
#include "vat/stream_end.h"

/* Bits of a line's number that say which layer it is of. */
enum { KIND_BITS = 5, DATA = VAT_LAYERS_MAX };

struct vat_one_cache {
  struct vat_one_cache_options options;
  struct stream_end end;
  void *state;                     /* the policy's */
  uint64_t misses[VAT_LAYERS_MAX]; /* it counts [0] */
  uint64_t seen;                   /* of these, that were counted */
  unsigned next;                   /* layer + 1 of the next line; 0: data */
  struct vat_one_cache_counts counts;
};

/* The policy has accessed the next line. */
static int accessed(void *context, bool repeated) {
  struct vat_one_cache *cache = context;
  (void)repeated; /* none is */
  uint64_t missed = cache->misses[0] - cache->seen;
  cache->seen = cache->misses[0];
  if (!cache->next) {
    cache->counts.data_misses += missed;
    cache->next = cache->options.tree.levels + 1;
    return 0;
  }
  cache->next--;
  cache->counts.tables.misses_by_layer[cache->next] += missed;
  cache->counts.tables.misses += missed;
  return 0;
}

static bool is_valid(const struct vat_one_cache_options *o) {
  return o->policy && o->lines && !vat_tree_check(&o->tree) &&
         o->tree.page_bits >= VAT_LINE_BITS;
}

struct vat_one_cache *vat_one_cache_create(
    const struct vat_one_cache_options *options) {
  static const struct vat_tree of_lines = {
      .index_bits = VAT_ONE_CACHE_ADDRESS_BITS - VAT_LINE_BITS + KIND_BITS};
  if (!is_valid(options) || options->policy->cells || options->tc.layout) {
    errno = is_valid(options) ? ENOTSUP : EINVAL;
    return NULL;
  }
  struct vat_one_cache *cache = calloc(1, sizeof *cache);
  if (!cache) return NULL;
  cache->options = *options;
  cache->next = options->tree.levels + 1;
  cache->state = options->policy->create(&of_lines, options->lines,
                                         &options->tc, cache->misses);
  if (!cache->state) {
    free(cache);
    return NULL;
  }
  const struct vat_observer observer = {accessed, cache};
  if (options->policy->offline)
    options->policy->observe(cache->state, &observer);
  return cache;
}

void vat_one_cache_destroy(struct vat_one_cache *cache) {
  if (!cache) return;
  cache->options.policy->destroy(cache->state);
  free(cache);
}

static int access_line(struct vat_one_cache *cache, uint64_t line,
                       unsigned kind) {
  const struct vat_policy *policy = cache->options.policy;
  line = line << KIND_BITS | kind;
  if (policy->translate(cache->state, &line, 1)) return -1;
  return policy->offline ? 0 : accessed(cache, false);
}

static int access_address(struct vat_one_cache *cache, uint64_t address) {
  const struct vat_tree *tree = &cache->options.tree;
  uint64_t page = address >> tree->page_bits;
  for (unsigned layer = tree->levels + 1; layer-- > 0;)
    if (access_line(cache,
                    vat_tree_node(tree, page >> VAT_LINE_ENTRY_BITS, layer),
                    layer))
      return -1;
  return access_line(cache, address >> VAT_LINE_BITS, DATA);
}

int vat_one_cache_addresses(struct vat_one_cache *cache,
                            const uint64_t *addresses, size_t count) {
  const struct vat_tree *tree = &cache->options.tree;
  if (stream_end_check(&cache->end)) return -1;
  for (size_t i = 0; i < count; i++) {
    if (addresses[i] >> VAT_ONE_CACHE_ADDRESS_BITS ||
        !vat_tree_holds(tree, addresses[i] >> tree->page_bits)) {
      errno = ERANGE;
      return -1;
    }
    if (access_address(cache, addresses[i]))
      return vat_stream_end_fail(&cache->end);
    cache->counts.tables.translations++;
  }
  return 0;
}

int vat_one_cache_finish(struct vat_one_cache *cache) {
  return vat_stream_end_finish(&cache->end, cache->options.policy->finish,
                               cache->state);
}

struct vat_one_cache_counts vat_one_cache_counts(
    const struct vat_one_cache *cache) {
  return cache->counts;
}
