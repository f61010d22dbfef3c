/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What generated code calls for accesses to pages that are not recent. */
#include "experiments/valgrind/calls.h"
#include "experiments/valgrind/fetch.h"
#include "experiments/valgrind/flow.h"
#include "experiments/valgrind/heat.h"
#include "experiments/valgrind/plan_pages.h"
/* In this order. */
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

static struct vt_segment *segments;

/* Smallest first.  Those between are as if a leaf of the 4k tree were so large:
 * for TLBs whose entries hold several base pages. */
static const struct {
  const HChar *name;
  struct vat_tree tree;
} trees[] = {{"4k", {9, 12, 4}},   {"8k", {9, 13, 4}},   {"16k", {9, 14, 4}},
             {"32k", {9, 15, 4}},  {"64k", {9, 16, 4}},  {"128k", {9, 17, 4}},
             {"256k", {9, 18, 4}}, {"512k", {9, 19, 4}}, {"1m", {9, 20, 4}},
             {"2m", {9, 21, 3}},   {"1g", {9, 30, 2}}};

/* Is it a word of the list?  "64k" is not "4k". */
static Bool is_simulated(const HChar *name) {
  SizeT length = VG_(strlen)(name);
  const HChar *at = vt_options.pages;
  while (at) {
    if (!VG_(strncmp)(at, name, length) && (!at[length] || at[length] == ','))
      return True;
    at = VG_(strchr)(at, ',');
    if (at) at++;
  }
  return False;
}

const HChar *vt_tree_names[LAZY_TC_TREES];

static void add(const struct vat_tree *tree, struct code_tlbs *code) {
  ULong nodes = (ULong)vt_options.nodes;
  const struct tlb_shape *tlb = &vt_options.tlb;
  if (code)
    vat_lazy_tcs_add_code_tlb(&vt_tcs, tree, code);
  else if (tlb->level[0].entries)
    vat_lazy_tcs_add_tlb(&vt_tcs, tree, tlb,
                         VG_(malloc)("vat.tlb", vat_tlb_bytes(tlb, tree)));
  else
    vat_lazy_tcs_add(&vt_tcs, tree, nodes,
                     vt_options.lru ? LAZY_TC_LRU : LAZY_TC_ISLRU,
                     VG_(malloc)("vat.tc", vat_lazy_tc_bytes(nodes)));
}

/* The TLBs of all sizes of pages, beside those of fetches; trees have the same
 * order. */
static struct code_tlbs *code_tlbs_new(void) {
  struct code_tlbs_shape shape = {.data = vt_options.tlb,
                                  .code = vt_options.itlb};
  for (UInt i = 0; i < sizeof trees / sizeof *trees; i++)
    if (is_simulated(trees[i].name))
      shape.size[shape.sizes++] = (struct code_tlb_data){
          trees[i].tree.page_bits - code_tlb_tree.page_bits,
          code_tlb_tree.levels - trees[i].tree.levels};
  struct code_tlbs *code =
      VG_(malloc)("vat.code", sizeof *code + vat_code_tlbs_bytes(&shape));
  vat_code_tlbs_init(code, &shape, code + 1);
  return code;
}

/* Behind all others. */
static void add_plan(void) {
  const struct vat_tree *tree = &trees[0].tree;
  struct lazy_mixed *mixed = VG_(calloc)("vat.plan", 1, sizeof *mixed);
  struct mixed_tlb_shape shape = {.all = vt_options.tlb};
  ULong nodes = (ULong)vt_options.nodes;
  vt_tree_names[vt_tcs.trees] = "plan";
  mixed->page_of = vt_plan_page;
  if (shape.all.level[0].entries)
    vat_lazy_tcs_add_mixed_tlb(
        &vt_tcs, tree, &shape, mixed,
        VG_(malloc)("vat.plan", vat_mixed_tlb_bytes(&shape, tree)));
  else
    vat_lazy_tcs_add_mixed(&vt_tcs, tree, nodes,
                           vt_options.lru ? LAZY_TC_LRU : LAZY_TC_ISLRU, mixed,
                           VG_(malloc)("vat.plan", vat_lazy_tc_bytes(nodes)));
}

static ULong batch_words[1 << 21], run_words[1 << 19];
static struct vt_nearby batches = {batch_words, batch_words + (1 << 21)},
                        runs = {run_words, run_words + (1 << 19)};

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
  const struct deferred_access *access;
  UInt *entry; /* of its site */
  UInt missed; /* nodes; a byte for each tree */
};

/* A miss of the first tree: with the plan it is none, or on a larger page. */
static Bool is_planned(const struct missing *m) {
  UInt last = vt_tcs.trees - 1;
  return vt_planned &&
         (*m->entry & VT_PLANNED || !(m->missed >> 8 * last & 255));
}

/* `before`: as its page's entry was.  What the process shares with the one that
 * it forked or was forked by is there, to be read: it is looked at until it is
 * written. */
static void count_fault(struct vt_site *site, struct vt_heat *heat, Addr a,
                        UInt *entry, UInt before, Bool stores) {
  heat->pages += !(before & VT_SEEN);
  if (before & VT_COPIED) *entry &= ~(UInt)(stores ? VT_COPIED : VT_TOUCHED);
  if (before & VT_COPIED && !stores) return;
  vt_site_faulted(site, a, heat->large != NULL, stores);
}

static void count_missed(const struct missing *m) {
  const struct deferred_access *access = m->access;
  struct vt_line *line = vt_who_line(access->who);
  struct vt_context *context = access->where;
  UInt missed = m->missed, before = *m->entry;
  struct vt_site *site = vt_site_missed(m->entry, access->address, missed);
  struct vt_heat *heat = vt_heat_at(site, access->address);
  if (*m->entry & ~before & VT_TOUCHED)
    count_fault(site, heat, access->address, m->entry, before,
                vt_who_stores(access->who));
  if (vt_renewed && (missed & 255)) vt_renewed--;
  if (vt_options.flow && (missed & 255))
    vt_flow_missed(access, site, is_planned(m));
  for (UInt t = 0; missed; t++, missed >>= 8) {
    UInt nodes = missed & (LAZY_TC_LARGE - 1);
    if (!nodes) continue;
    if (missed & LAZY_TC_LARGE) vt_plan_large[nodes]++;
    line->counts.missed[t][nodes]++;
    site->counts.missed[t][nodes]++;
    context->counts.missed[t][nodes]++;
    heat->misses[t]++;
  }
}

/* A byte each. */
enum { FIRST_TREE = 1, ALL_TREES = 0x01010101 };

/* The first TC did not miss it: but is the page new? */
static void count_hit(Addr a, UInt missed, Bool stores) {
  UInt *entry = vt_site_entry(a), before = *entry;
  if (before & VT_TOUCHED) return;
  struct vt_site *site = vt_site_touch(entry, a, missed);
  if (*entry & VT_TOUCHED)
    count_fault(site, vt_heat_at(site, a), a, entry, before, stores);
}

static void touch(Addr a, SizeT bytes, Bool stores) {
  const Addr page = 1 << VT_LG_PAGE, end = a + bytes;
  Bool looked_up = False; /* the program may have been there before */
  for (; a < end; a = (a | (page - 1)) + 1) {
    if (*vt_site_entry(a) & VT_TOUCHED) continue;
    if (!looked_up) vt_look_up();
    looked_up = True;
    count_hit(a, ALL_TREES >> 8 * (LAZY_TC_TREES - vt_tcs.trees), stores);
  }
}

void vt_engine_written(Addr a, SizeT bytes) { touch(a, bytes, True); }
void vt_engine_fetched(Addr a, SizeT bytes) { touch(a, bytes, False); }

/* Whose memory was missed is far away, too: that is asked of all first. */
static void count_looked_up(const struct lazy_tcs *tcs, unsigned deferred) {
  struct missing missing[LAZY_TC_DEFERRED], *end = missing;
  _Static_assert(sizeof end->missed == LAZY_TC_TREES, "a byte each");
  for (UInt i = 0; i < deferred; i++) {
    end->access = &tcs->deferred[i];
    __builtin_memcpy(&end->missed, tcs->missed[i], sizeof end->missed);
    if (!end->missed && !vt_renewed) continue;
    end->entry = vt_site_entry(end->access->address);
    __builtin_prefetch(end->entry, 1);
    __builtin_prefetch(*vt_heat_unit(end->access->address), 1);
    end++;
  }
  for (const struct missing *m = missing; m < end; m++)
    vt_site_prefetch(m->entry, m->access->address);
  for (const struct missing *m = missing; m < end; m++) {
    if (!(m->missed & 255) && vt_renewed)
      count_hit(m->access->address, FIRST_TREE, vt_who_stores(m->access->who));
    if (m->missed) count_missed(m);
  }
}

void vt_engine_init(void) {
  vat_lazy_tcs_init(&vt_tcs);
  vt_tcs.looked_up = count_looked_up;
  struct code_tlbs *code = vt_code_is_simulated() ? code_tlbs_new() : NULL;
  for (UInt i = 0; i < sizeof trees / sizeof *trees; i++) {
    if (!is_simulated(trees[i].name)) continue;
    vt_tree_names[vt_tcs.trees] = trees[i].name;
    add(&trees[i].tree, code);
  }
  if (vt_planned) add_plan();
}

static inline void access_page(Addr a, ULong now, void *who) {
  if (now >= vt_sample_after) vt_sample(a, now);
  lazy_tcs_access(&vt_tcs, a, now, who, vt_here);
}

static inline ULong begin(const struct vt_batch *batch) {
  vt_correct();
  return vt_clock + batch->first;
}

static __attribute__((noinline)) void access_and_sample(struct vt_batch *batch,
                                                        Addr a) {
  access_page(a, begin(batch), batch->access[0].who);
}

/* Mostly the page is not a recent one.  Nothing is stored then but the deferred
 * access: see lazy_tcs_store(). */
void vt_defer_1(struct vt_batch *batch, Addr a) {
  ULong now = begin(batch);
  if (UNLIKELY(now >= vt_sample_after))
    access_and_sample(batch, a);
  else
    lazy_tcs_access(&vt_tcs, a, now, batch->access[0].who, vt_here);
}

static inline void defer(const struct vt_batch *batch, const Addr *a,
                         UInt count) {
  ULong now = begin(batch);
#pragma GCC unroll 4
  for (UInt i = 0; i < count; i++)
    access_page(a[i], now + i, batch->access[i].who);
}

void vt_defer_2(struct vt_batch *batch, Addr a, Addr b) {
  defer(batch, (const Addr[]){a, b}, 2);
}

void vt_defer_3(struct vt_batch *batch, Addr a, Addr b, Addr c) {
  defer(batch, (const Addr[]){a, b, c}, 3);
}

void vt_defer_4(struct vt_batch *batch, Addr a, Addr b, Addr c, Addr d) {
  defer(batch, (const Addr[]){a, b, c, d}, 4);
}

static void group(const struct vt_batch *batch, const Addr *firsts) {
  ULong now = begin(batch);
  for (UInt i = 0; i < batch->count; i++)
    access_page(
        firsts[batch->access[i].group] + (Addr)(Long)batch->access[i].offset,
        now + i, batch->access[i].who);
  for (UInt v = 0; v < batch->groups; v++) {
    Addr low = firsts[v] + (Addr)(Long)batch->group[v].low;
    struct recent_page *page = lazy_tcs_recent(&vt_tcs, low);
    ULong written = now + batch->group[v].last;
    if (LIKELY(page->stamp == written)) continue;
    vt_corrections[vt_corrections_due].page = page;
    vt_corrections[vt_corrections_due].wrong = written;
    vt_corrections[vt_corrections_due++].right = page->stamp;
  }
}

void vt_group_1(struct vt_batch *batch, Addr a) { group(batch, &a); }

void vt_group_2(struct vt_batch *batch, Addr a, Addr b) {
  group(batch, (const Addr[]){a, b});
}

void vt_group_3(struct vt_batch *batch, Addr a, Addr b, Addr c) {
  group(batch, (const Addr[]){a, b, c});
}

void vt_group_4(struct vt_batch *batch, Addr a, Addr b, Addr c, Addr d) {
  group(batch, (const Addr[]){a, b, c, d});
}

void vt_access(void *who, Addr a) {
  vt_correct();
  access_page(a, vt_clock++, who);
  vt_who_line(who)->counts.accesses++;
}

static void add_missed(struct vt_line *line) {
  for (UInt t = 0; t < LAZY_TC_TREES; t++)
    for (UInt n = 0; n <= VT_MISSED_MOST; n++)
      vt_totals.missed[t][n] += line->counts.missed[t][n];
}

void vt_engine_settle(void) {
  vt_look_up();
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
  vat_lazy_tcs_clear(&vt_tcs);
  vt_totals = (struct vt_counts){0};
  vt_clock = 0;
  vt_calls_clear();
  vt_sites_clear();
  vt_heat_clear();
  vt_samples_clear();
  vt_flow_clear();
  vt_flow_walks_clear();
  vt_fetch_clear();
  vt_plan_clear();
}

/* Threads run on processors of their own, whose translation caches know nothing
 * of each other.  A thread that is new runs where one has ended, as Valgrind
 * numbers them, so that there are as many processors as threads at once.
 *
 * Generated code knows vt_tcs by its address.  So the TCs of the thread that
 * runs are there, and those of others are copies, which are put back to where
 * they came from: what points into them is right again then.  Threads change
 * every 100000 blocks or when one has to wait. */
static UInt processors = 1;

UInt vt_processors(void) { return processors; }
UInt vt_processor(void) { return vt_running; }

void vt_processor_of(ThreadId thread) {
  UInt next = thread % VT_THREADS;
  if (!vt_running) vt_running = next; /* the first one */
  if (next == vt_running) return;
  vt_flow_switch();
  vt_look_up();
  vt_fetch_forget();
  if (!vt_resting[vt_running])
    vt_resting[vt_running] = VG_(malloc)("vat.tcs", sizeof vt_tcs);
  *vt_resting[vt_running] = vt_tcs;
  vt_running = next;
  if (vt_resting[next]) {
    vt_tcs = *vt_resting[next];
  } else {
    vt_engine_init();
    processors++;
  }
}

/* All but that of the only thread there is. */
void vt_processors_clear(void) {
  for (UInt i = 0; i < VT_THREADS; i++) {
    struct lazy_tcs *tcs = vt_resting[i];
    if (!tcs || i == vt_running) continue;
    for (UInt t = 0; t < tcs->trees; t++) {
      VG_(free)(tcs->tc[t].nodes);
      VG_(free)(tcs->tc[t].mixed);
    }
    if (vt_code_is_simulated()) VG_(free)(tcs->tc[0].code);
    VG_(free)(tcs);
    vt_resting[i] = NULL;
  }
  processors = 1;
}

ULong vt_walks_beside_large(void) {
  ULong sum = vt_tcs.tc[0].code->walks_beside_large;
  for (UInt i = 0; i < VT_THREADS; i++)
    if (vt_resting[i] && i != vt_running)
      sum += vt_resting[i]->tc[0].code->walks_beside_large;
  return sum;
}
