/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies in a CAT is settled first (vat/cat_lanes.h); what is left, in the
 * order of the stream, is judged window by window.  Definition 2.35 says
 * nothing of a RAT's length, since each access pays for itself. */
#include "vat/classify.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "vat/cat_lanes.h"
#include "vat/recent_parts.h"
#include "vat/stream_end.h"

enum { GAP = 64 }; /* the constant of Definition 2.33 */

const char *const vat_class_names[] = {"consecutive", "random", "other", NULL};

/*
 * A walk costs some 20 ns on servers of 2020 to 2025 (its nodes in their
 * caches) and a streamed access some 0.3: tau = 64, which a scan that reads
 * one word a cache line still reaches on pages of 4 KiB.  theta = 0 is the
 * limit of the definition: a part is a page.
 */
const struct vat_classify_params vat_classify_defaults = {
    .tau = 64,
    .gap = VAT_CLASSIFY_GAP_FITTING,
    .step = 1,
    .theta = 0,
    .window = 1024,
    .fraction = 0.125,
};

struct vat_classify {
  struct vat_classify_params params;
  struct vat_tree tree;
  unsigned part_shift; /* of a page number, gives the part */
  struct vat_tc *tc;
  struct stream_end end;
  bool repeats_free, started;
  uint64_t last; /* page */
  uint64_t misses;
  struct cat_lanes lanes;
  struct recent_parts parts;
  struct vat_classify_counts counts;
  struct vat_class_counts window; /* of what no CAT has */
  uint64_t window_far;
};

static int check(const struct vat_classify_params *p) {
  bool gap =
      p->gap <= VAT_CLASSIFY_GAP_MAX || p->gap == VAT_CLASSIFY_GAP_FITTING;
  if (p->tau && p->tau <= VAT_CLASSIFY_TAU_MAX && gap && p->step &&
      p->step <= VAT_CLASSIFY_STEP_MAX && p->theta >= 0 && p->theta <= 1 &&
      p->window && p->fraction >= 0 && p->fraction <= 1)
    return 0;
  errno = EINVAL;
  return -1;
}

/* So that, under LRU, the path of a CAT's last access is in the TC at its next
 * one, as the proof of Lemma 2.34 has it: nodes of gap + 1 paths fit. */
static uint64_t fitting_gap(const struct vat_tree *tree, uint64_t nodes) {
  uint64_t paths = nodes / (tree->levels + 1);
  return paths > GAP ? GAP : paths ? paths - 1 : 0;
}

/* m^theta pages of m = P K^d cells, as a power of two: rounded up. */
static unsigned part_shift(const struct vat_tree *tree, double theta) {
  unsigned pages = vat_tree_page_number_bits(tree);
  double shift = ceil(theta * (pages + tree->page_bits));
  return shift < pages ? (unsigned)shift : pages;
}

static int init(struct vat_classify *c, const struct vat_policy *policy,
                uint64_t nodes) {
  c->tc = vat_tc_create(policy, &c->tree, nodes, NULL);
  if (!c->tc) return -1;
  c->repeats_free = vat_tc_free(c->tc) != VAT_TC_NOTHING_FREE;
  if (c->params.gap == VAT_CLASSIFY_GAP_FITTING)
    c->params.gap = fitting_gap(&c->tree, nodes);
  c->part_shift = part_shift(&c->tree, c->params.theta);
  c->lanes = (struct cat_lanes){.tau = c->params.tau,
                                .length = c->params.tau * c->tree.levels,
                                .gap = c->params.gap,
                                .step = c->params.step};
  if (vat_cat_lanes_init(&c->lanes)) return -1;
  return vat_recent_parts_init(&c->parts, nodes);
}

struct vat_classify *vat_classify_create(
    const struct vat_policy *policy, const struct vat_tree *tree,
    uint64_t nodes, const struct vat_classify_params *params) {
  if (!params) params = &vat_classify_defaults;
  if (check(params)) return NULL;
  if (!policy || policy->recency == VAT_RECENCY_NONE) {
    errno = policy ? ENOTSUP : EINVAL;
    return NULL;
  }
  struct vat_classify *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->params = *params;
  c->tree = *tree;
  if (!init(c, policy, nodes)) return c;
  int error = errno;
  vat_classify_destroy(c);
  errno = error;
  return NULL;
}

void vat_classify_destroy(struct vat_classify *c) {
  if (!c) return;
  vat_tc_destroy(c->tc);
  vat_cat_lanes_fini(&c->lanes);
  vat_recent_parts_fini(&c->parts);
  free(c);
}

static void count(struct vat_class_counts *to,
                  const struct vat_class_counts *more) {
  to->translations += more->translations;
  to->misses += more->misses;
}

static void judge_window(struct vat_classify *c) {
  bool random = c->window.translations &&
                (double)c->window_far >=
                    c->params.fraction * (double)c->window.translations;
  count(&c->counts.classes[random ? VAT_RANDOM : VAT_OTHER], &c->window);
  c->window = (struct vat_class_counts){0};
  c->window_far = 0;
}

/* Count what is settled. */
static void take_settled(struct vat_classify *c) {
  const struct cat_access *access;
  while ((access = cat_lanes_take(&c->lanes))) {
    const struct vat_class_counts one = {1, access->misses};
    c->counts.far += access->far;
    if (access->state == CAT_YES) {
      count(&c->counts.classes[VAT_CONSECUTIVE], &one);
      continue;
    }
    count(&c->window, &one);
    c->window_far += access->far;
    if (c->window.translations == c->params.window) judge_window(c);
  }
}

static int translate(struct vat_classify *c, uint64_t address) {
  uint64_t page = address >> c->tree.page_bits, before = c->misses;
  int far = 0;
  if (c->repeats_free && c->started && page == c->last) {
    vat_tc_left_out(c->tc, 1);
  } else {
    if (vat_tc_addresses(c->tc, &address, 1)) return -1;
    c->misses = vat_tc_counts(c->tc).misses;
    far = vat_recent_parts_access(&c->parts, page >> c->part_shift, before,
                                  c->misses);
    if (far < 0) return -1;
  }
  c->started = true;
  c->last = page;
  return vat_cat_lanes_access(&c->lanes, page, (unsigned)(c->misses - before),
                              far);
}

int vat_classify_addresses(struct vat_classify *c, const uint64_t *addresses,
                           size_t count) {
  if (stream_end_check(&c->end)) return -1;
  for (size_t i = 0; i < count; i++) {
    if (translate(c, addresses[i]))
      return errno == ERANGE ? -1 : vat_stream_end_fail(&c->end);
    take_settled(c);
  }
  return 0;
}

static int finish(void *state) {
  struct vat_classify *c = state;
  vat_cat_lanes_end(&c->lanes);
  take_settled(c);
  judge_window(c);
  c->counts.sequences = c->lanes.sequences;
  return 0;
}

int vat_classify_finish(struct vat_classify *c) {
  return vat_stream_end_finish(&c->end, finish, c);
}

struct vat_classify_counts vat_classify_counts(const struct vat_classify *c) {
  return c->counts;
}

struct vat_tc_counts vat_classify_tc(const struct vat_classify *c) {
  return vat_tc_counts(c->tc);
}

struct vat_classify_params vat_classify_params(const struct vat_classify *c) {
  return c->params;
}

unsigned vat_classify_part_bits(const struct vat_classify *c) {
  return c->tree.page_bits + c->part_shift;
}
