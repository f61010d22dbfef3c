/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the instrumented code calls where doors do not settle an access. */
#include "experiments/valgrind/calls.h"
#include "experiments/valgrind/flow.h"
#include "experiments/valgrind/samples.h"
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

static void add(const struct vat_tree *tree) {
  ULong nodes = (ULong)vt_options.nodes;
  const struct tlb_shape *tlb = &vt_options.tlb;
  if (tlb->level[0].entries)
    vat_fan_add_tlb(&vt_fan, tree, tlb,
                    VG_(malloc)("vat.tlb", vat_tlb_bytes(tlb, tree)));
  else
    vat_fan_add(&vt_fan, tree, nodes, vt_options.lru ? FAN_LRU : FAN_ISLRU,
                VG_(malloc)("vat.tc", vat_fan_tc_bytes(nodes)));
}

static void add_tree(const HChar *name, SizeT length) {
  for (UInt i = 0; i < sizeof trees / sizeof *trees; i++) {
    if (VG_(strncmp)(name, trees[i].name, length) || trees[i].name[length])
      continue;
    vt_tree_names[vt_fan.trees] = trees[i].name;
    add(&trees[i].tree);
    return;
  }
}

static ULong batch_words[1 << 21], run_words[1 << 19];
static struct vt_nearby batches = {batch_words, batch_words + (1 << 21)},
                        runs = {run_words, run_words + (1 << 19)};

void *vt_nearby_new(struct vt_nearby *nearby, SizeT bytes) {
  SizeT words = (bytes + sizeof(ULong) - 1) / sizeof(ULong);
  if (words > (SizeT)(nearby->end - nearby->next))
    return VG_(calloc)("vat.far", words, sizeof(ULong));
  nearby->next += words;
  return nearby->next - words;
}

struct vt_batch *vt_batch_new(UInt accesses) {
  struct vt_batch *batch;
  return vt_nearby_new(&batches,
                       sizeof *batch + accesses * sizeof batch->access[0]);
}

struct vt_segment *vt_segment_new(UInt count) {
  struct vt_segment *segment = VG_(malloc)(
      "vat.segment", sizeof *segment + count * sizeof segment->line[0]);
  segment->runs = vt_nearby_new(&runs, sizeof *segment->runs);
  segment->lines = count;
  segment->next = segments;
  segments = segment;
  return segment;
}

struct missing {
  const struct fan_knock *knock;
  UInt *entry; /* of its site */
  UInt missed; /* nodes; a byte for each tree */
};

static void count_missed(const struct missing *m) {
  const struct fan_knock *knock = m->knock;
  struct vt_line *line = knock->who;
  struct vt_context *context = knock->where;
  UInt missed = m->missed;
  struct vt_site *site = vt_site_missed(m->entry, knock->address, missed);
  if (vt_options.flow && (missed & 255)) vt_flow_missed(knock, site);
  for (UInt t = 0; missed; t++, missed >>= 8) {
    UInt nodes = missed & 255;
    if (!nodes) continue;
    line->counts.missed[t][nodes]++;
    site->counts.missed[t][nodes]++;
    context->counts.missed[t][nodes]++;
  }
}

/* Whose memory was missed is far away, too: that is asked of all first. */
static void count_answered(const struct fan *fan, unsigned knocks) {
  struct missing missing[FAN_KNOCKS], *end = missing;
  _Static_assert(sizeof end->missed == FAN_TREES, "a byte each");
  for (UInt i = 0; i < knocks; i++) {
    end->knock = &fan->knocks[i];
    __builtin_memcpy(&end->missed, fan->missed[i], sizeof end->missed);
    if (!end->missed) continue;
    end->entry = vt_site_entry(end->knock->address);
    __builtin_prefetch(end->entry, 1);
    end++;
  }
  for (const struct missing *m = missing; m < end; m++) count_missed(m);
}

void vt_engine_init(void) {
  vat_fan_init(&vt_fan);
  vt_fan.answered = count_answered;
  for (const HChar *name = vt_options.pages; *name;) {
    SizeT length = 0;
    while (name[length] && name[length] != ',') length++;
    if (vt_fan.trees < FAN_TREES) add_tree(name, length);
    name += length;
    name += *name == ',';
  }
}

static inline void look(Addr a, ULong now) {
  if (now >= vt_sample_after) vt_sample(a, now);
}

static inline void knock(Addr a, ULong now, struct vt_line *line) {
  look(a, now);
  fan_access(&vt_fan, a, now, line, vt_here);
}

/* Code that is generated writes on a door when its page was accessed last if
 * all of a visit was to that page.  If some was not, as its memory lies across
 * the end of a page, that time is not the page's.  The right one is put in its
 * place before anybody reads it. */
static struct {
  struct fan_door *door;
  ULong wrong, right;
} mends[VT_VISITS];
static UInt mends_due;

static __attribute__((noinline)) void mend_doors(void) {
  for (UInt i = 0; i < mends_due; i++)
    if (mends[i].door->stamp == mends[i].wrong)
      mends[i].door->stamp = mends[i].right;
  mends_due = 0;
}

static inline void mend(void) {
  if (UNLIKELY(mends_due)) mend_doors();
}

void vt_answer(void) {
  mend();
  vat_fan_answer(&vt_fan);
}

static inline ULong begin(const struct vt_batch *batch) {
  mend();
  return vt_clock + batch->first;
}

static __attribute__((noinline)) void knock_and_look(struct vt_batch *batch,
                                                     Addr a) {
  knock(a, begin(batch), batch->access[0].line);
}

/* Mostly it is here because its door is shut.  Nothing is stored then but the
 * knock: see fan_store(). */
void vt_knock_1(struct vt_batch *batch, Addr a) {
  ULong now = begin(batch);
  if (UNLIKELY(now >= vt_sample_after))
    knock_and_look(batch, a);
  else
    fan_access(&vt_fan, a, now, batch->access[0].line, vt_here);
}

void vt_knock_2(struct vt_batch *batch, Addr a, Addr b) {
  ULong now = begin(batch);
  knock(a, now, batch->access[0].line);
  knock(b, now + 1, batch->access[1].line);
}

void vt_knock_3(struct vt_batch *batch, Addr a, Addr b, Addr c) {
  ULong now = begin(batch);
  knock(a, now, batch->access[0].line);
  knock(b, now + 1, batch->access[1].line);
  knock(c, now + 2, batch->access[2].line);
}

void vt_knock_4(struct vt_batch *batch, Addr a, Addr b, Addr c, Addr d) {
  ULong now = begin(batch);
  knock(a, now, batch->access[0].line);
  knock(b, now + 1, batch->access[1].line);
  knock(c, now + 2, batch->access[2].line);
  knock(d, now + 3, batch->access[3].line);
}

static void visit(const struct vt_batch *batch, const Addr *firsts) {
  ULong now = begin(batch);
  for (UInt i = 0; i < batch->count; i++)
    knock(firsts[batch->access[i].visit] + (Addr)(Long)batch->access[i].offset,
          now + i, batch->access[i].line);
  for (UInt v = 0; v < batch->visits; v++) {
    Addr low = firsts[v] + (Addr)(Long)batch->visit[v].low;
    struct fan_door *door = fan_door(&vt_fan, low);
    ULong written = now + batch->visit[v].last;
    if (LIKELY(door->stamp == written)) continue;
    mends[mends_due].door = door;
    mends[mends_due].wrong = written;
    mends[mends_due++].right = door->stamp;
  }
}

void vt_visit_1(struct vt_batch *batch, Addr a) { visit(batch, &a); }

void vt_visit_2(struct vt_batch *batch, Addr a, Addr b) {
  visit(batch, (const Addr[]){a, b});
}

void vt_visit_3(struct vt_batch *batch, Addr a, Addr b, Addr c) {
  visit(batch, (const Addr[]){a, b, c});
}

void vt_visit_4(struct vt_batch *batch, Addr a, Addr b, Addr c, Addr d) {
  visit(batch, (const Addr[]){a, b, c, d});
}

void vt_access(struct vt_line *line, Addr a) {
  mend();
  knock(a, vt_clock++, line);
  line->counts.accesses++;
}

static void add_missed(struct vt_line *line) {
  for (UInt t = 0; t < FAN_TREES; t++)
    for (UInt n = 0; n <= VT_MISSED_MOST; n++)
      vt_totals.missed[t][n] += line->counts.missed[t][n];
}

void vt_engine_settle(void) {
  vt_answer();
  for (struct vt_segment *s = segments; s; s = s->next) {
    for (UInt i = 0; i < s->lines; i++)
      s->line[i].line->counts.accesses += *s->runs * s->line[i].accesses;
    *s->runs = 0;
  }
  vt_totals = (struct vt_counts){.accesses = vt_clock};
  vt_lines_each(add_missed);
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
  vt_samples_clear();
  vt_processors_clear();
  vt_flow_clear();
}
