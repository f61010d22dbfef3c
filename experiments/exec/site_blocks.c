/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of chosen blocks.  One of 32 MiB and more, up to where glibc itself
 * keeps what was freed, has a mapping of its own; and one of which only a part
 * is to be on larger pages.  Others share an arena. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/look.h"
#include "experiments/exec/site.h"

enum {
  LG_UNIT = SITE_LG_UNIT,
  LG_LEAF = SITE_LG_LEAF,
  LG_ADDRESS = SITE_LG_ADDRESS,
  HUGE_SHIFT = 26
};

int32_t *site_leaves[1 << (LG_ADDRESS - LG_UNIT - LG_LEAF)];

#define BEYOND (UINTPTR_MAX << LG_ADDRESS)
uintptr_t site_nowhere = BEYOND | (4096 - 1);

static struct range *range_of(int64_t owner) {
  return ranges_at(&shim.ranges, (uint32_t)(owner - 1));
}

int64_t site_owner_of_own(const void *at, int64_t owner) {
  return range_of(owner)->base == (uintptr_t)at ? owner : SITE_NOBODY;
}

static int32_t *leaf_of(uintptr_t unit) {
  int32_t **place = &site_leaves[unit >> LG_LEAF], *none = NULL;
  int32_t *leaf = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (leaf) return leaf;
  size_t bytes = sizeof *leaf << LG_LEAF;
  leaf = site_memory(bytes);
  if (!leaf || __atomic_compare_exchange_n(place, &none, leaf, false,
                                           __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return leaf;
  syscall(SYS_munmap, leaf, bytes);
  return none;
}

static bool have_leaves(uintptr_t start, size_t bytes) {
  uintptr_t first = start >> LG_UNIT, last = (start + bytes - 1) >> LG_UNIT;
  if (last >> (LG_ADDRESS - LG_UNIT)) return false;
  for (uintptr_t leaf = first >> LG_LEAF; leaf <= last >> LG_LEAF; leaf++)
    if (!leaf_of(leaf << LG_LEAF)) return false;
  return true;
}

bool site_own(uintptr_t start, size_t bytes, int64_t owner) {
  if (!have_leaves(start, bytes)) return false;
  if (owner < 0) __atomic_store_n(&site_nowhere, BEYOND, __ATOMIC_RELAXED);
  for (uintptr_t unit = start >> LG_UNIT, last = (start + bytes - 1) >> LG_UNIT;
       unit <= last; unit++)
    site_leaves[unit >> LG_LEAF][unit % (1 << LG_LEAF)] = (int32_t)owner;
  return true;
}

static size_t round_up(size_t bytes, size_t unit) {
  return (bytes + unit - 1) & ~(unit - 1);
}

static uintptr_t map_pooled(size_t bytes, size_t *mapped) {
  size_t page = (size_t)1 << shim.lg_huge, whole = round_up(bytes, page);
  if (whole < bytes) return 0;
  long map =
      syscall(SYS_mmap, NULL, whole, RIGHTS,
              FLAGS | MAP_HUGETLB | (int)(shim.lg_huge << HUGE_SHIFT), -1, 0L);
  *mapped = whole;
  return map == -1 ? 0 : (uintptr_t)map;
}

/* A huge page at the end is worth what it has in excess of the block if that is
 * at most an eighth of the whole. */
static size_t length_of(size_t bytes) {
  size_t whole = round_up(bytes, shim.huge);
  return whole - bytes <= whole / 8 ? whole : round_up(bytes, 4096);
}

/* An arena has blocks of any choice. */
static void note_empty_pool(int choice) {
  for (int i = 0; i < (int)shim.ranges.choices; i++)
    if (choice < 0 || i == choice) shim.ranges.flags[i] |= LOOK_POOL_EMPTY;
}

uintptr_t site_map(size_t bytes, int choice, size_t *mapped) {
  uintptr_t start = 0;
  if (bytes > (size_t)1 << LG_ADDRESS) return 0;
  if (shim.lg_huge >= LG_UNIT) {
    start = map_pooled(bytes, mapped);
    if (!start) note_empty_pool(choice);
  }
  if (start) return start;
  *mapped = length_of(bytes);
  return shim_reserve(round_up(*mapped, THP), RIGHTS, 0);
}

/* Only the part that the rule names is advised and recorded; by units, those
 * that are mostly in it.  One that has none of it begins with the block: its
 * end may be another's beginning. */
static struct range part_of(const struct site_rule *rule, uintptr_t start,
                            size_t bytes, size_t mapped) {
  uint64_t from = rule->from, to = rule->to ? rule->to : bytes;
  if (to > bytes || to + THP / 2 > bytes) to = mapped;
  from = (from + THP / 2) & ~(uint64_t)(THP - 1);
  if (to < mapped) to = (to + THP / 2) & ~(uint64_t)(THP - 1);
  if (from >= to) from = to = 0;
  return (struct range){.start = start + from,
                        .bytes = to - from,
                        .base = start,
                        .mapped = round_up(mapped, THP),
                        .choice = rule->choice};
}

/* Each is recorded apart; the first keeps the mapping. */
static unsigned parts_of(const struct site_rule *rule, uintptr_t start,
                         size_t bytes, size_t mapped,
                         struct range part[SHIM_PARTS]) {
  unsigned count = 0;
  for (; rule && count < SHIM_PARTS; rule = rule->more) {
    part[count] = part_of(rule, start, bytes, mapped);
    if (count) part[count].base = part[count].mapped = 0;
    if (!count || part[count].bytes) count++;
  }
  return count;
}

static void add_other_parts(const struct range *part, unsigned count) {
  for (unsigned i = 1; i < count; i++) {
    shim_advise(part[i].start, part[i].bytes);
    if (shim.reports) ranges_add(&shim.ranges, &part[i]);
  }
}

/* Of a block that goes, or becomes another: what has no mapping of its own. */
static void forget_other_parts(const struct range *block) {
  uint32_t used = __atomic_load_n(&shim.ranges.used, __ATOMIC_ACQUIRE);
  uintptr_t end = block->base + block->mapped;
  if (!site_in_parts) return;
  for (uint32_t i = 0; i < used; i++) {
    struct range *other = ranges_at(&shim.ranges, i);
    uintptr_t start = __atomic_load_n(&other->start, __ATOMIC_ACQUIRE);
    if (start >= block->base && start < end && !other->base)
      ranges_remove(&shim.ranges, i);
  }
}

static void *block_of_its_own(const struct site_rule *rule, size_t bytes,
                              size_t alignment) {
  size_t mapped;
  if (alignment > THP) return NULL;
  uintptr_t start = site_map(bytes, rule->choice, &mapped);
  if (!start) return NULL;
  struct range part[SHIM_PARTS], range;
  unsigned parts = parts_of(rule, start, bytes, mapped, part);
  range = part[0];
  uint32_t number = ranges_add(&shim.ranges, &range);
  if (number == UINT32_MAX || !site_own(start, 1, (int64_t)number + 1)) {
    if (number != UINT32_MAX) ranges_remove(&shim.ranges, number);
    syscall(SYS_munmap, start, range.mapped);
    return NULL;
  }
  /* What lies behind the last page to be advised stays as it is: a fault takes
   * a huge page only where it fits into the mapping that was advised. */
  if (range.bytes) shim_advise(range.start, range.bytes);
  add_other_parts(part, parts);
  return (void *)start;
}

static uint64_t taken[RULES_CHOICES];

static bool is_spent(const struct site_rule *rule) {
  uint64_t now = __atomic_load_n(&taken[rule->choice], __ATOMIC_RELAXED);
  if (now < rule->to) return false;
  site_rules_spend(rule->choice);
  return true;
}

static void take(int choice, uint64_t bytes) {
  __atomic_add_fetch(&taken[choice], bytes, __ATOMIC_RELAXED);
}

/* What this thread took of an arena, and did not count yet. */
static __thread struct {
  uint64_t bytes;
  int choice;
} uncounted __attribute__((tls_model("initial-exec")));

static __attribute__((noinline)) void count_now(int choice, uint64_t bytes) {
  if (bytes) take(choice, bytes);
  if (bytes && shim.reports)
    __atomic_add_fetch(&shim.ranges.cut[choice], bytes, __ATOMIC_RELAXED);
}

/* In steps of a sixteenth, and of 64 KiB at most: an addition that all threads
 * see waits for each miss before it. */
static void count(int choice, uint64_t bytes) {
  static const uint64_t most = 64 << 10, share = 16;
  if (uncounted.choice == choice) {
    uint64_t now = __atomic_load_n(&taken[choice], __ATOMIC_RELAXED);
    bytes += uncounted.bytes;
    uncounted.bytes = bytes;
    if (bytes < most && bytes < now / share) return;
  } else {
    count_now(uncounted.choice, uncounted.bytes);
    uncounted.choice = choice;
  }
  uncounted.bytes = 0;
  count_now(choice, bytes);
}

void *site_block(const struct site_rule *rule, size_t bytes, size_t alignment,
                 bool zeroed) {
  bool part = site_rule_is_part(rule);
  if (site_rule_is_limited(rule) && is_spent(rule)) return NULL;
  if (rule->apart || ((bytes >= SITE_OWN_LEAST || part) && bytes >= THP))
    return block_of_its_own(rule, bytes, alignment);
  void *block = arena_block(bytes, alignment, zeroed);
  if (block) count(rule->choice, bytes);
  return block;
}

/* Below 2 MiB: beside others, or as ever where that would be in vain. */
static void *small_mapping(const struct site_rule *rule, size_t bytes) {
  if (site_rule_is_limited(rule) && is_spent(rule)) return NULL;
  void *memory = shim_map_cut(bytes);
  if (memory == MAP_FAILED)
    memory = (void *)syscall(SYS_mmap, NULL, bytes, RIGHTS, FLAGS, -1, 0L);
  if (memory != MAP_FAILED) take(rule->choice, bytes);
  if (memory != MAP_FAILED && shim.reports)
    shim_report_map(memory, bytes, rule->choice);
  return memory;
}

/* What the program itself maps and unmaps is nobody's block: it is only
 * recorded. */
void *site_mapping(size_t bytes, const void *back, const void *frame) {
  const struct site_rule *rule = site_choose(bytes, back, frame);
  if (!rule) return NULL;
  if (bytes < THP) return small_mapping(rule, bytes);
  void *memory = shim.lg_huge ? shim_map_huge(bytes) : MAP_FAILED;
  if (memory == MAP_FAILED) {
    if (shim.lg_huge) shim.ranges.flags[rule->choice] |= LOOK_POOL_EMPTY;
    memory = (void *)shim_reserve(round_up(bytes, 4096), RIGHTS, 0);
  }
  if (!memory) return NULL;
  struct range part[SHIM_PARTS];
  unsigned parts = parts_of(rule, (uintptr_t)memory, bytes, bytes, part);
  part[0].base = part[0].mapped = 0;
  if (part[0].bytes) shim_advise(part[0].start, part[0].bytes);
  if (shim.reports) ranges_add(&shim.ranges, &part[0]);
  add_other_parts(part, parts);
  return memory;
}

unsigned site_shared(size_t bytes, const void *back, const void *frame,
                     struct range part[SHIM_PARTS]) {
  const struct site_rule *rule = site_choose(bytes, back, frame);
  return parts_of(rule, 0, bytes, bytes, part);
}

static void forget(int64_t owner) {
  struct range range = *range_of(owner);
  site_own(range.base, 1, SITE_NOBODY);
  forget_other_parts(&range);
  ranges_remove(&shim.ranges, (uint32_t)(owner - 1));
}

/* Addresses are given up before another thread may be given them. */
void site_block_free(void *block, int64_t owner) {
  int error = errno;
  if (owner == SITE_ARENA) {
    arena_free(block);
  } else if (owner == SITE_SLABS) {
    slabs_free(block);
  } else {
    struct range range = *range_of(owner);
    shim_report_before(shim.ranges.live);
    forget(owner);
    syscall(SYS_munmap, range.base, range.mapped);
    site_heap_freed(range.choice, range.bytes);
  }
  errno = error;
}

size_t site_block_size(const void *block, int64_t owner) {
  if (owner == SITE_ARENA) return arena_size(block);
  return owner == SITE_SLABS ? slabs_size(block) : range_of(owner)->mapped;
}

/* --- another size --- */

/* Of whole huge pages, unless the kernel put it elsewhere. */
static size_t whole_length(uintptr_t base, size_t length) {
  return round_up(length, base % THP ? 4096 : THP);
}

/* Its record, with what is now on larger pages of it. */
static void record(int64_t owner, uintptr_t base, size_t mapped,
                   uintptr_t start, size_t bytes) {
  struct range *range = range_of(owner);
  uint64_t had = range->bytes;
  forget_other_parts(range);
  range->mapped = mapped;
  range->base = base;
  range->start = start;
  range->bytes = bytes;
  __atomic_add_fetch(&shim.ranges.live, bytes - had, __ATOMIC_RELAXED);
}

static void *renew(int64_t owner, uintptr_t base, size_t bytes, size_t mapped) {
  record(owner, base, mapped, base, bytes);
  return (void *)base;
}

/* Where it is: what it needs no more goes back. */
static void *shrink(int64_t owner, size_t bytes) {
  struct range range = *range_of(owner);
  size_t length = length_of(bytes), whole = whole_length(range.base, length);
  uintptr_t base = range.base;
  /* One that was displaced may end within a huge page. */
  if (shim.lg_huge || length >= range.bytes || whole > range.mapped ||
      range.start != base)
    return (void *)base;
  shim_report_before(shim.ranges.live);
  renew(owner, base, length, whole);
  if (length < whole)
    syscall(SYS_madvise, base + length, whole - length, MADV_DONTNEED);
  if (whole < range.mapped)
    syscall(SYS_munmap, base + whole, range.mapped - whole);
  return (void *)base;
}

/* What was not advised is, so that to the kernel it is one mapping. */
static uintptr_t remap(const struct range *range, size_t mapped, long flags) {
  shim_advise(range->base, range->mapped);
  long to = syscall(SYS_mremap, range->base, range->mapped, mapped, flags);
  return to == -1 ? 0 : (uintptr_t)to;
}

/* Where it is, if the addresses behind it are free. */
static void *extend(int64_t owner, size_t bytes) {
  struct range range = *range_of(owner);
  size_t length = length_of(bytes), whole = whole_length(range.base, length);
  if (shim.lg_huge || !remap(&range, whole, 0)) return NULL;
  return renew(owner, range.base, length, whole);
}

/* Wherever the kernel finds room: that takes no more addresses than it grows
 * by, but it need not begin with a huge page.  Its first unit has no other
 * block of ours, which would have all of it, or reach into the next. */
static void *displace(int64_t owner, size_t bytes) {
  struct range range = *range_of(owner);
  size_t mapped = round_up(bytes, 4096);
  if (shim.lg_huge) return NULL;
  site_own(range.base, 1, SITE_NOBODY);
  uintptr_t to = remap(&range, mapped, MREMAP_MAYMOVE);
  if (to && site_own(to, 1, owner)) return renew(owner, to, mapped, mapped);
  if (to)
    syscall(SYS_mremap, to, mapped, range.mapped, MREMAP_MAYMOVE | MREMAP_FIXED,
            range.base);
  site_own(range.base, 1, owner);
  return NULL;
}

/* The pages of a block become those of another, which is larger and has none
 * yet; the kernel keeps both as one mapping only if it is told at once. */
static bool move_pages(const struct range *from, const struct range *to) {
  shim_advise(from->base, from->mapped);
  return syscall(SYS_mremap, from->base, from->mapped, to->mapped,
                 MREMAP_MAYMOVE | MREMAP_FIXED, to->base) != -1;
}

/* The kernel may have unmapped what it was to be moved to before it refused. */
static bool is_there_again(const struct range *range) {
  return syscall(SYS_mmap, range->base, range->mapped, RIGHTS,
                 FLAGS | MAP_FIXED_NOREPLACE, -1, 0L) == (long)range->base;
}

/* At a multiple of 2 MiB, the pages moved and not copied where the kernel can.
 */
static void *move(int64_t owner, size_t bytes) {
  struct range from = *range_of(owner);
  struct site_rule rule = {.choice = from.choice};
  void *to = block_of_its_own(&rule, bytes, 1);
  if (!to) return NULL;
  struct range range = *range_of(site_owner(to));
  bool grows = !shim.lg_huge && range.mapped > from.mapped;
  shim_report_before(shim.ranges.live - bytes);
  site_own(from.base, 1, SITE_NOBODY);
  forget_other_parts(&from); /* while the addresses are ours */
  if (!grows || !move_pages(&from, &range)) {
    if (grows && !is_there_again(&range)) {
      forget(site_owner(to));
      site_own(from.base, 1, owner);
      return NULL;
    }
    memcpy(to, (void *)from.base, bytes < from.mapped ? bytes : from.mapped);
    syscall(SYS_munmap, from.base, from.mapped);
  }
  ranges_remove(&shim.ranges, (uint32_t)(owner - 1));
  return to;
}

/* Of a block that is chosen in part, the same part of another: to be moved by
 * the kernel, all of it would have to be advised.  With room for an eighth
 * more, so that who grows by little is not copied each time. */
static void *divide_anew(const struct site_rule *rule, int64_t owner,
                         size_t bytes) {
  const struct range *from = range_of(owner);
  void *block = (void *)from->base;
  void *to = block_of_its_own(rule, bytes + bytes / 8, 1);
  if (!to) return NULL;
  memcpy(to, block, bytes < from->mapped ? bytes : from->mapped);
  site_block_free(block, owner);
  return to;
}

/* The parts that are left of it, and what was room to grow into is kept. */
static void *shrink_parts(const struct site_rule *rule, int64_t owner,
                          size_t bytes) {
  struct range was = *range_of(owner);
  size_t length = length_of(bytes), whole = whole_length(was.base, length);
  bool has_room = whole >= was.mapped - was.mapped / 8;
  if (shim.lg_huge || has_room) return (void *)was.base;
  struct range part[SHIM_PARTS];
  unsigned parts = parts_of(rule, was.base, bytes, length, part);
  shim_report_before(shim.ranges.live);
  record(owner, was.base, whole, part[0].start, part[0].bytes);
  add_other_parts(part, parts);
  syscall(SYS_munmap, was.base + whole, was.mapped - whole);
  return (void *)was.base;
}

void *site_block_resize(void *block, int64_t owner, size_t bytes) {
  if (shim.sandboxed)
    return bytes <= site_block_size(block, owner) ? block : NULL;
  if (owner == SITE_ARENA) return arena_resize(block, bytes);
  if (owner == SITE_SLABS) return slabs_resize(block, bytes);
  size_t mapped = range_of(owner)->mapped;
  if (bytes < THP || bytes > (size_t)1 << LG_ADDRESS) return NULL;
  const struct site_rule *parts = site_parts_of[range_of(owner)->choice];
  if (bytes <= mapped && (bytes >= mapped / 2 || !shim.lg_huge))
    return parts ? shrink_parts(parts, owner, bytes) : shrink(owner, bytes);
  /* Rather all of it on larger pages than none. */
  void *to = parts ? divide_anew(parts, owner, bytes) : NULL;
  if (!to) to = extend(owner, bytes);
  if (!to) to = move(owner, bytes);
  return to ? to : displace(owner, bytes);
}
