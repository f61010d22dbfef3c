/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/valgrind/sites.h"

#include "experiments/valgrind/heat.h"
#include "experiments/valgrind/live.h"
#include "experiments/valgrind/plan_pages.h"
#include "experiments/valgrind/site_calls.h"
#include "experiments/valgrind/system_calls.h"
/* In this order. */
#include "pub_tool_aspacemgr.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_oset.h"
#include "pub_tool_poolalloc.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_xarray.h"

enum {
  LG_GRAIN = 4,
  GRAINS = 1 << (VT_LG_PAGE - LG_GRAIN),
  STACK_MOST = 64 << 20,
  LG_MAPPING_MOST = 40,
  LG_UNMAPPED_MOST = 30
};

/* What an entry has beside its site. */
static const UInt KEPT =
    VT_TOUCHED | VT_SEEN | VT_COPIED | VT_PLANNED | VT_PLAN_TOUCHED;

typedef UShort grain;

struct vt_site *vt_sites[VT_SITES_MOST + 1];
Bool vt_sites_heap_known;
Addr vt_allocator_stack = VT_NO_STACK;
UInt vt_renewed;
static UInt site_count;
static XArray *shared; /* grains of pages */
static OSet *known;    /* sites by what tells them apart */
/* Allocated memory by its address. */
struct block {
  VgHashNode node;
  SizeT bytes;
  struct vt_site *site;
  Bool alone; /* in a mapping of malloc()'s */
};
static VgHashTable *blocks, *mappings; /* small ones */
static PoolAlloc *block_pool;
/* Pages touched, where they are larger. */
static UChar touched_2m[1 << (48 - 21 - 3)], touched_1g[1 << (48 - 30 - 3)];

static Word compare(const void *key, const void *element) {
  const struct vt_site *a = key, *b = element;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->name != b->name) return a->name < b->name ? -1 : 1;
  for (UInt i = 0; i < VT_SITE_CALLS; i++)
    if (a->calls[i] != b->calls[i]) return a->calls[i] < b->calls[i] ? -1 : 1;
  return 0;
}

/* As many as fit are kept, by number. */
static struct vt_site *find(const struct vt_site *key) {
  struct vt_site *site = VG_(OSetGen_Lookup)(known, key);
  if (site) return site;
  if (site_count > VT_SITES_MOST) return vt_sites[0];
  site = VG_(OSetGen_AllocNode)(known, sizeof *site);
  *site = *key;
  site->number = site_count;
  VG_(OSetGen_Insert)(known, site);
  return vt_sites[site_count++] = site;
}

static grain *grains_of(UInt entry) {
  return *(grain **)VG_(indexXA)(shared, entry & (VT_COPIED - 1));
}

static void set_grains(Addr a, Addr end, UInt number) {
  UInt *entry = vt_site_entry(a), kept = *entry & KEPT;
  if (!(*entry & VT_SHARED)) {
    grain *fresh = VG_(malloc)("vat.grains", GRAINS * sizeof *fresh);
    for (UInt i = 0; i < GRAINS; i++) fresh[i] = (grain)(*entry & 0xffff);
    *entry = (UInt)VG_(addToXA)(shared, &fresh) | VT_SHARED | kept;
  }
  grain *grains = grains_of(*entry);
  for (; a < end; a += 1 << LG_GRAIN)
    grains[a >> LG_GRAIN & (GRAINS - 1)] = (grain)number;
}

/* What is touched there next is a page fault. */
void vt_sites_renew(Addr a, SizeT bytes) {
  const Addr page = 1 << VT_LG_PAGE, part = page << VT_LG_PART;
  Addr end = a + bytes;
  vt_look_up();
  vt_forget(a, end);
  for (; a < end; a += page)
    if (!vt_site_is_known(a)) {
      a = (a | (part - 1)) + 1 - page;
    } else if (*vt_site_entry(a) & (VT_TOUCHED | VT_COPIED)) {
      *vt_site_entry(a) &= ~(UInt)(VT_TOUCHED | VT_COPIED);
      vt_renewed = vt_tcs.tc[0].limit;
    }
}

/* Deferred accesses there belong to the site that owned it until now. */
static void look_up_deferred(Addr a, Addr end) {
  for (const struct deferred_access *k = vt_tcs.deferred; k < vt_tcs.next; k++)
    if (k->address - a < end - a) {
      vt_look_up();
      return;
    }
}

/* The pages that several shared keep their grains, for the next time. */
static void own(Addr a, SizeT bytes, struct vt_site *site) {
  Addr page = 1 << VT_LG_PAGE, end = a + bytes;
  a &= ~(Addr)((1 << LG_GRAIN) - 1);
  look_up_deferred(a, end);
  while (a < end) {
    Addr next = (a | (page - 1)) + 1, stop = next < end ? next : end;
    UInt *entry = vt_site_entry(a);
    if (stop - a < page || *entry & VT_SHARED)
      set_grains(a, stop, site->number);
    else
      *entry = site->number | (*entry & KEPT);
    a = next;
  }
}

static inline struct vt_site *site_of(UInt entry, Addr a) {
  if (!(entry & VT_SHARED)) return vt_sites[entry & 0xffff];
  return vt_sites[grains_of(entry)[a >> LG_GRAIN & (GRAINS - 1)]];
}

struct vt_site *vt_site_at(Addr a) {
  return site_of(*vt_site_entry(a), a);
}

void vt_site_prefetch_grains(UInt entry, Addr a) {
  __builtin_prefetch(&grains_of(entry)[a >> LG_GRAIN & (GRAINS - 1)]);
}

static void touch_large(struct vt_site *site, UInt tree, Addr a, UInt bits) {
  UWord page = (a & ((1ULL << 48) - 1)) >> bits;
  UChar *byte = (bits == 21 ? touched_2m : touched_1g) + (page >> 3);
  site->pages[tree] += !(*byte >> (page & 7) & 1);
  *byte |= (UChar)(1 << (page & 7));
}

struct vt_site *vt_site_touch(UInt *entry, Addr a, UInt trees) {
  struct vt_site *site = site_of(*entry, a);
  for (UInt t = 0; trees; t++, trees >>= 8) {
    UInt bits = vt_tcs.tc[t].tree.page_bits;
    if (!(trees & 255)) continue;
    if (vt_tcs.tc[t].mixed) {
      site->pages[t] += vt_plan_touch(entry, a);
    } else if (bits != VT_LG_PAGE) {
      touch_large(site, t, a, bits);
    } else if (!(*entry & VT_TOUCHED)) {
      site->pages[t] += !(*entry & VT_SEEN);
      *entry |= VT_TOUCHED | VT_SEEN;
    }
  }
  return site;
}

/* Of a heap that glibc has for a thread?  Such heaps are mapped at multiples of
 * the 64 MiB that they may have (HEAP_MAX_SIZE of malloc/arena.c). */
static Bool is_begin_of_heap(const struct vt_site *site, Addr a) {
  enum { HEAP_MOST = 64 << 20, BEGIN = 2 << 20 };
  if ((a & (HEAP_MOST - 1)) >= BEGIN) return False;
  if (site->kind != VT_HEAP && site->kind != VT_MAPPING) return False;
  const NSegment *segment = VG_(am_find_nsegment)(a);
  return segment && segment->start == (a & ~(Addr)(HEAP_MOST - 1));
}

/* A read maps 16 pages of a file, those of its mapping around the one that is
 * read (fault_around_bytes, mm/memory.c of Linux). */
static Bool is_mapped_around(const struct vt_site *site, Addr a) {
  const Addr page = 1 << VT_LG_PAGE, around = 16 * page;
  const NSegment *segment = VG_(am_find_nsegment)(a);
  Addr at = a & ~(around - 1), end = at + around;
  if (!segment) return False;
  if (at < segment->start) at = segment->start;
  if (end > segment->end) end = segment->end + 1;
  for (; at < end; at += page) {
    UInt entry = *vt_site_entry(at);
    if ((at ^ a) >= page && entry & VT_TOUCHED && !(entry & VT_SHARED) &&
        (entry & 0xffff) == site->number)
      return True;
  }
  return False;
}

/* To read private memory maps a page of zeros, or of its file; to write there
 * then is another fault.  What can be written is taken to be, and most of it is
 * written first, which maps nothing around it. */
void vt_site_faulted(struct vt_site *site, Addr a, Bool large, Bool stores) {
  Bool file = site->kind == VT_FILE;
  Bool writes = !file || VG_(am_is_valid_for_client)(a, 1, VKI_PROT_WRITE);
  if (!writes && is_mapped_around(site, a)) return;
  site->faults++;
  if (!stores && writes && site->kind != VT_SHARED_MEMORY) site->read_first++;
  if (large)
    site->large_faults++;
  else if (is_begin_of_heap(site, a))
    site->begin_faults++;
}

struct vt_site *vt_site_here(enum vt_site_kind kind) {
  struct vt_site key = {.kind = kind};
  if (vt_here->site && vt_here->site->kind == kind) {
    if (vt_calls_recur()) vt_chain_again(vt_here->site);
    return vt_here->site;
  }
  vt_site_calls_here(key.calls);
  vt_here->site = find(&key);
  vt_chain_here(vt_here->site);
  return vt_here->site;
}

static void add_bytes(struct vt_site *site, SizeT bytes) {
  if (!site->blocks || bytes < site->smallest) site->smallest = bytes;
  if (bytes > site->largest) site->largest = bytes;
  site->blocks++;
  site->bytes += bytes;
  site->live += bytes;
  if (site->peak < site->live) site->peak = site->live;
}

static void give(Addr a, SizeT bytes, struct vt_site *site) {
  add_bytes(site, bytes);
  own(a, bytes, site);
}

static void put_block(VgHashTable *table, Addr a, SizeT bytes,
                      struct vt_site *site, Bool alone) {
  struct block *block = VG_(allocEltPA)(block_pool);
  *block = (struct block){{.key = a}, bytes, site, alone};
  VG_(HT_add_node)(table, block);
}

/* Large ones end by vt_heat_unmapped(). */
static void give_block(Addr a, SizeT bytes, struct vt_site *site) {
  vt_live_change(site);
  give(a, bytes, site);
  if (vt_site_is_mapped(site)) vt_live_more(bytes);
  if (vt_is_large(bytes))
    vt_heat_allocated(a, bytes, site);
  else if (site->kind == VT_MAPPING)
    put_block(mappings, a, bytes, site, False);
}

SizeT vt_site_freed(Addr a) {
  struct block *block = VG_(HT_remove)(blocks, a);
  if (!block) return 0;
  SizeT alone = block->alone ? block->bytes : 0;
  vt_live_change(block->site);
  block->site->live -= block->bytes;
  vt_live_block_less(block->site, block->bytes);
  if (vt_is_large(block->bytes)) vt_heat_freed(a, block->site);
  VG_(freeEltPA)(block_pool, block);
  return alone;
}

/* Is the block a mapping of glibc's malloc()?  Then it begins behind two words
 * of a page, unless it was asked to be aligned, and the second one is the bytes
 * of all with a bit (IS_MMAPPED of malloc/malloc.c): those of the block and a
 * word, rounded up to two, and a word more, rounded up to pages. */
static Bool is_mapped_alone(Addr a, SizeT bytes) {
  const SizeT page = 1 << VT_LG_PAGE, begin = 2 * sizeof(UWord);
  const UWord *size = (const UWord *)a - 1;
  if ((a & (page - 1)) != begin || bytes < page) return False;
  if (!VG_(am_is_valid_for_client)((Addr)size, sizeof *size, VKI_PROT_READ))
    return False;
  SizeT more = *size - 2 - bytes;
  return (*size & (page - 1)) == 2 && more >= begin && more < 2 * begin + page;
}

/* mremap() makes of one another, which has no more than it grew by. */
static void count_mapped_alone(SizeT bytes, SizeT was, struct vt_site *site) {
  if (vt_is_large(bytes))
    site->mapped_large += !vt_is_large(was);
  else if (bytes > was)
    site->mapped_small += bytes - was;
}

void vt_site_allocated(Addr a, SizeT bytes, SizeT was, struct vt_site *site,
                       const struct vt_plan_rules *rules) {
  Bool alone = is_mapped_alone(a, bytes);
  vt_site_freed(a);
  put_block(blocks, a, bytes, site, alone);
  give_block(a, bytes, site);
  if (alone) count_mapped_alone(bytes, was, site);
  vt_plan_allocated(a, bytes, VT_PLAN_HEAP, NULL, rules);
  vt_live_block(site, bytes);
}

/* Small mappings that lie there whole have ended.  What is reserved may be most
 * of the address space. */
static void unmapped(Addr a, SizeT bytes) {
  vt_heat_unmapped(a, bytes);
  if (bytes >> LG_UNMAPPED_MOST || !VG_(HT_count_nodes)(mappings)) return;
  for (Addr at = a; at < a + bytes; at += 1 << VT_LG_PAGE) {
    struct block *block = VG_(HT_lookup)(mappings, at);
    if (!block || block->bytes > a + bytes - at) continue;
    vt_live_unmapped(block->site, block->bytes);
    VG_(HT_remove)(mappings, at);
    VG_(freeEltPA)(block_pool, block);
  }
}

/* What is simulated depends on addresses alone, so that the program may as well
 * run on large pages, where the kernel gives them to who asks: what misses most
 * is then not slowed down by these misses.  A program that asks for small ones
 * has the last word.  Of larger mappings a program may touch little.  To ask
 * for a part of a mapping would divide it, and mremap() moves no more than one.
 */
static void enlarge(Addr a, SizeT bytes) {
#ifdef __x86_64__
  enum { MADVISE = 28, HUGE = 14, BLOCK = 2 << 20, LG_MOST = 32 };
  UWord result, first = (a + BLOCK - 1) & ~(Addr)(BLOCK - 1);
  if (first + BLOCK > a + bytes || bytes >> LG_MOST) return;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(MADVISE), "D"(a), "S"(bytes), "d"(HUGE)
                   : "rcx", "r11", "memory");
  (void)result; /* a kernel without them */
#else
  (void)a, (void)bytes;
#endif
}

/* Address space that is only reserved, terabytes of it sometimes, is nobody's.
 */
static void mapped(Addr a, SizeT bytes, Bool r, Bool w, Bool x, ULong info) {
  (void)info;
  const NSegment *segment = VG_(am_find_nsegment)(a);
  const HChar *name = segment ? VG_(am_get_filename)(segment) : NULL;
  Bool is_shared = vt_is_shared_memory(a, name);
  vt_huge_mapped(a, bytes, is_shared || !name || !*name);
  unmapped(a, bytes); /* what was there before */
  if (bytes >> LG_MAPPING_MOST) return;
  vt_sites_renew(a, bytes);
  if (!(r | w | x)) return;
  if (is_shared) {
    give_block(a, bytes, vt_site_here(VT_SHARED_MEMORY));
    vt_plan_allocated(a, bytes, VT_PLAN_SHARED, NULL, vt_plan_rules_here());
    return;
  }
  if (name && *name) {
    struct vt_site key = {.kind = VT_FILE, .name = vt_intern(name)};
    give_block(a, bytes, find(&key));
    vt_plan_allocated(a, bytes, VT_PLAN_FILE, name, NULL);
    return;
  }
  if (r && w && !x) enlarge(a, bytes);
  give_block(a, bytes, vt_site_here(VT_MAPPING));
  vt_plan_allocated(
      a, bytes,
      vt_allocator_stack != VT_NO_STACK ? VT_PLAN_HEAP : VT_PLAN_MAPPINGS, NULL,
      vt_plan_rules_here());
}

/* What was reserved, and is to be used now: thread stacks, arenas. */
static void opened(Addr a, SizeT bytes, Bool r, Bool w, Bool x) {
  if (vt_site_at(a) == vt_sites[0]) mapped(a, bytes, r, w, x, 0);
}

/* What may grow downwards. */
static Bool is_stack(Addr a) {
  const NSegment *below = VG_(am_find_nsegment)(a - 1);
  return below && below->kind == SkResvn && below->smode == SmUpper;
}

/* Stacks grow without a word.  What else has no file is the program's data. */
static void at_start(Addr a, SizeT bytes, Bool r, Bool w, Bool x, ULong info) {
  const NSegment *segment = VG_(am_find_nsegment)(a);
  struct vt_site key = {.kind = is_stack(a) ? VT_STACK : VT_BREAK};
  if (w && key.kind == VT_BREAK) vt_heat_data_at(a);
  if (segment && VG_(am_get_filename)(segment)) {
    mapped(a, bytes, r, w, x, info);
    return;
  }
  give(a, bytes, find(&key));
  if (key.kind == VT_STACK) {
    own(a + bytes - STACK_MOST, STACK_MOST, find(&key));
    vt_plan_allocated(a + bytes - STACK_MOST, STACK_MOST, VT_PLAN_STACK, NULL,
                      NULL);
  } else {
    vt_huge_mapped(a, bytes, True);
    vt_plan_allocated(a, bytes, VT_PLAN_DATA, NULL, NULL);
  }
}

/* Where no allocator is known, who made the heap grow says most. */
static void broken(Addr a, SizeT bytes, ThreadId thread) {
  (void)thread;
  struct vt_site key = {.kind = VT_BREAK};
  const Addr page = 1 << VT_LG_PAGE, fresh = (a + page - 1) & ~(page - 1);
  vt_huge_grown(a, bytes);
  if (fresh < a + bytes) vt_sites_renew(fresh, a + bytes - fresh);
  give(a, bytes, vt_sites_heap_known ? find(&key) : vt_site_here(VT_BREAK));
  vt_plan_allocated(a, bytes, VT_PLAN_HEAP, NULL, NULL);
}

/* Pages move with what is in them. */
static void touched_moves(Addr from, Addr to, SizeT bytes) {
  const UInt flags = VT_TOUCHED | VT_SEEN | VT_COPIED;
  vt_sites_renew(to, bytes);
  for (SizeT i = 0; i < bytes; i += 1 << VT_LG_PAGE)
    *vt_site_entry(to + i) |= *vt_site_entry(from + i) & flags;
}

static void moved(Addr from, Addr to, SizeT bytes) {
  vt_huge_moved(from, to, bytes);
  vt_heat_moved(from, to, bytes);
  own(to, bytes, vt_site_at(from));
  touched_moves(from, to, bytes);
  if (vt_planned) vt_plan_moved(from, to, bytes);
}

void vt_sites_track(void) {
  VG_(track_new_mem_startup)(at_start);
  VG_(track_new_mem_mmap)(mapped);
  VG_(track_change_mem_mprotect)(opened);
  VG_(track_new_mem_brk)(broken);
  VG_(track_copy_mem_remap)(moved);
  VG_(track_die_mem_munmap)(unmapped);
}

void vt_sites_init(void) {
  shared = VG_(newXA)(VG_(malloc), "vat.shared", VG_(free), sizeof(grain *));
  known = VG_(OSetGen_Create)(0, compare, VG_(malloc), "vat.known", VG_(free));
  blocks = VG_(HT_construct)("vat.blocks");
  mappings = VG_(HT_construct)("vat.mappings");
  block_pool = VG_(newPA)(sizeof(struct block), 1000, VG_(malloc), "vat.blocks",
                          VG_(free));
  find(&(struct vt_site){.kind = VT_OTHER});
}

void vt_sites_each(void (*act)(struct vt_site *site)) {
  for (UInt i = 0; i < site_count; i++) act(vt_sites[i]);
}

/* Memory that is shared with the parent counts once: there. */
static void clear(struct vt_site *site) {
  VG_(memset)(site->pages, 0, sizeof site->pages);
  site->faults = site->large_faults = 0;
  site->mapped_large = site->mapped_small = site->begin_faults = 0;
  site->read_first = 0;
  site->counts = (struct vt_counts){0};
  if (site->kind != VT_SHARED_MEMORY) return;
  vt_live_unmapped(site, site->live);
  site->blocks = site->bytes = site->peak = site->large_blocks =
      site->large_live = site->large_peak = 0;
}

void vt_sites_clear(void) {
  vt_sites_each(clear);
  VG_(memset)(touched_2m, 0, sizeof touched_2m);
  VG_(memset)(touched_1g, 0, sizeof touched_1g);
}

static ULong faults;
static void add_faults(struct vt_site *site) { faults += site->faults; }

ULong vt_sites_faults(void) {
  faults = 0;
  vt_sites_each(add_faults);
  return faults;
}
