/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the instrumented code calls where doors do not settle an access. */
#include "experiments/valgrind/calls.h"
#include "experiments/valgrind/flow.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

struct fan vt_fan;
ULong vt_clock;
struct vt_counts vt_totals;

static struct vt_segment *segments;

static const struct {
  const HChar *name;
  struct vat_tree tree;
} trees[] = {{"4k", {9, 12, 4}}, {"2m", {9, 21, 3}}, {"1g", {9, 30, 2}}};

const HChar *vt_tree_names[FAN_TREES];

static void add_tree(const HChar *name, SizeT length) {
  for (UInt i = 0; i < sizeof trees / sizeof *trees; i++) {
    if (VG_(strncmp)(name, trees[i].name, length) || trees[i].name[length])
      continue;
    vt_tree_names[vt_fan.trees] = trees[i].name;
    vat_fan_add(
        &vt_fan, &trees[i].tree, (ULong)vt_options.nodes,
        VG_(malloc)("vat.tc", vat_fan_tc_bytes((ULong)vt_options.nodes)));
    return;
  }
}

struct vt_segment *vt_segment_new(UInt count) {
  struct vt_segment *segment = VG_(malloc)(
      "vat.segment", sizeof *segment + count * sizeof segment->line[0]);
  segment->runs = 0;
  segment->lines = count;
  segment->next = segments;
  segments = segment;
  return segment;
}

static void count_missed(const struct fan_knock *knock,
                         const uint8_t missed[FAN_TREES]) {
  struct vt_line *line = knock->who;
  struct vt_context *context = knock->where;
  struct vt_site *site = vt_site_at(knock->address);
  for (UInt t = 0; t < vt_fan.trees; t++) {
    UInt nodes = missed[t];
    if (!nodes) continue;
    line->counts.missed[t][nodes]++;
    site->counts.missed[t][nodes]++;
    context->counts.missed[t][nodes]++;
    vt_totals.missed[t][nodes]++;
    vt_site_touch(site, t, knock->address);
  }
  if (vt_options.flow && missed[0]) vt_flow_missed(knock, site);
}

void vt_engine_init(void) {
  vat_fan_init(&vt_fan);
  vt_fan.missed = count_missed;
  for (const HChar *name = vt_options.pages; *name;) {
    SizeT length = 0;
    while (name[length] && name[length] != ',') length++;
    if (vt_fan.trees < FAN_TREES) add_tree(name, length);
    name += length;
    name += *name == ',';
  }
}

static inline void knock(Addr a, ULong now, struct vt_line *line) {
  fan_access(&vt_fan, a, now, line, vt_here);
}

static inline ULong begin(const struct vt_batch *batch) {
  return vt_clock + batch->first + 1;
}

void vt_knock_1(struct vt_batch *batch, Addr a) {
  knock(a, begin(batch), batch->line[0]);
}

void vt_knock_2(struct vt_batch *batch, Addr a, Addr b) {
  ULong now = begin(batch);
  knock(a, now, batch->line[0]);
  knock(b, now + 1, batch->line[1]);
}

void vt_knock_3(struct vt_batch *batch, Addr a, Addr b, Addr c) {
  ULong now = begin(batch);
  knock(a, now, batch->line[0]);
  knock(b, now + 1, batch->line[1]);
  knock(c, now + 2, batch->line[2]);
}

void vt_knock_4(struct vt_batch *batch, Addr a, Addr b, Addr c, Addr d) {
  ULong now = begin(batch);
  knock(a, now, batch->line[0]);
  knock(b, now + 1, batch->line[1]);
  knock(c, now + 2, batch->line[2]);
  knock(d, now + 3, batch->line[3]);
}

void vt_access(struct vt_line *line, Addr a) {
  knock(a, ++vt_clock, line);
  line->counts.accesses++;
}

void vt_engine_settle(void) {
  vat_fan_answer(&vt_fan);
  for (struct vt_segment *s = segments; s; s = s->next) {
    for (UInt i = 0; i < s->lines; i++)
      s->line[i].line->counts.accesses += s->runs * s->line[i].accesses;
    s->runs = 0;
  }
  vt_totals.accesses = vt_clock;
  vt_calls_settle();
}

void vt_engine_clear(void) {
  vt_engine_settle();
  vt_lines_clear();
  vat_fan_clear(&vt_fan);
  vt_totals = (struct vt_counts){0};
  vt_clock = 0;
  vt_calls_clear();
  vt_sites_clear();
  vt_flow_clear();
}
