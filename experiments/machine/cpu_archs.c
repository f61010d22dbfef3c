/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processors and their events.
 *
 * Names and encodings agree with libpfm 4.13 where it knows the processor;
 * emr, gnr, adl_glc and zen5, which it does not, are Intel's "perfmon" and
 * AMD's processor programming references.  Stores count in the same umasks as
 * loads.  On Skylake and later what is called walk cycles is WALK_PENDING: one
 * per cycle and busy walker.  WALK_ACTIVE would leave out overlapping walks.
 *
 * Entries of TLBs are of, Intel: 64 and IA-32 Architectures Optimization
 * Reference Manual, the cache and TLB tables of each microarchitecture; AMD:
 * Software Optimization Guides of families 17h, 19h and 1Ah, "L2 DTLB".
 */
#include <limits.h>
#include <string.h>

#include "experiments/machine/counter_ladder.h"

/* Intel counts loads and stores apart, by the same umasks of two events. */
#define NAMED(umask, bits, load, store)                  \
  {                                                      \
    {"DTLB_LOAD_MISSES:" umask, (bits) << 8 | (load)}, { \
      "DTLB_STORE_MISSES:" umask, (bits) << 8 | (store)  \
    }                                                    \
  }
#define NAMELESS(bits, load, store)                               \
  {                                                               \
    {NULL, (bits) << 8 | (load)}, { NULL, (bits) << 8 | (store) } \
  }
#define INTEL_EVENTS(load, store, cycles, hits, walks_1g)                     \
  {                                                                           \
    {                                                                         \
      [QUANTITY_WALKS] = NAMED("WALK_COMPLETED", 0x0e, load, store),          \
      [QUANTITY_WALKS_4K] = NAMED("WALK_COMPLETED_4K", 0x02, load, store),    \
      [QUANTITY_WALKS_2M] = NAMED("WALK_COMPLETED_2M_4M", 0x04, load, store), \
      [QUANTITY_WALKS_1G] = walks_1g,                                         \
      [QUANTITY_WALK_CYCLES] = NAMED(cycles, 0x10, load, store),              \
      [QUANTITY_STLB_HITS] = NAMED("STLB_HIT", hits, load, store),            \
    }                                                                         \
  }

/* Broadwell: before Skylake WALK_PENDING was called WALK_DURATION. */
static const struct cpu_events broadwell =
    INTEL_EVENTS(0x08, 0x49, "WALK_DURATION", 0x60,
                 NAMED("WALK_COMPLETED_1G", 0x08, 0x08, 0x49));

/* Skylake, Cascade Lake.  Under a hypervisor the walk cycles leave out the
 * walk of the host's tables. */
static const struct cpu_events skylake =
    INTEL_EVENTS(0x08, 0x49, "WALK_PENDING", 0x20,
                 NAMED("WALK_COMPLETED_1G", 0x08, 0x08, 0x49));

/* Ice Lake: as Skylake, but libpfm 4.13 left out the 1 GiB umask. */
static const struct cpu_events icelake =
    INTEL_EVENTS(0x08, 0x49, "WALK_PENDING", 0x20, NAMELESS(0x08, 0x08, 0x49));

/* Golden Cove and its descendants moved the events to 0x12 and 0x13. */
static const struct cpu_events golden_cove =
    INTEL_EVENTS(0x12, 0x13, "WALK_PENDING", 0x20,
                 NAMED("WALK_COMPLETED_1G", 0x08, 0x12, 0x13));

/* Zen: one event for loads and stores.  A coalesced entry joins 4 KiB pages,
 * so missing one is a walk to a 4 KiB page.  Walk cycles are not counted. */
#define ZEN_MISS_4K "TLB_RELOAD_4K_L2_MISS:TLB_RELOAD_COALESCED_PAGE_MISS"
#define ZEN_HIT_4K "TLB_RELOAD_4K_L2_HIT:TLB_RELOAD_COALESCED_PAGE_HIT"
static const struct cpu_events zen = {{
    [QUANTITY_WALKS] = {{"L1_DTLB_MISS:" ZEN_MISS_4K
                         ":TLB_RELOAD_2M_L2_MISS:TLB_RELOAD_1G_L2_MISS",
                         0xf045}},
    [QUANTITY_WALKS_4K] = {{"L1_DTLB_MISS:" ZEN_MISS_4K, 0x3045}},
    [QUANTITY_WALKS_2M] = {{"L1_DTLB_MISS:TLB_RELOAD_2M_L2_MISS", 0x4045}},
    [QUANTITY_WALKS_1G] = {{"L1_DTLB_MISS:TLB_RELOAD_1G_L2_MISS", 0x8045}},
    [QUANTITY_STLB_HITS] = {{"L1_DTLB_MISS:" ZEN_HIT_4K
                             ":TLB_RELOAD_2M_L2_HIT:TLB_RELOAD_1G_L2_HIT",
                             0x0f45}},
}};

#define INTEL(name, from, to, tlb, events, ...) \
  { name, "GenuineIntel", 6, {__VA_ARGS__}, {from, to}, tlb, events }
/* Model ranges of Zen are those of Linux, arch/x86/kernel/cpu/amd.c. */
#define AMD(name, family, tlb, ...) \
  { name, "AuthenticAMD", family, {__VA_ARGS__}, {0, UINT_MAX}, tlb, &zen }

const struct cpu_arch cpu_archs[] = {
    INTEL("bdw", 0, UINT_MAX, 1536, &broadwell, {0x3d, 0x3d}, {0x47, 0x47}),
    INTEL("bdw_ep", 0, UINT_MAX, 1536, &broadwell, {0x4f, 0x4f}, {0x56, 0x56}),
    INTEL("skl", 0, UINT_MAX, 1536, &skylake, {0x4e, 0x4e}, {0x5e, 0x5e},
          {0x8e, 0x8e}, {0x9e, 0x9e}, {0xa5, 0xa6}),
    INTEL("skx", 0, 4, 1536, &skylake, {0x55, 0x55}),
    INTEL("clx", 5, UINT_MAX, 1536, &skylake, {0x55, 0x55}),
    INTEL("icl", 0, UINT_MAX, 2048, &icelake, {0x7d, 0x7e}, {0x8c, 0x8d},
          {0xa7, 0xa7}),
    INTEL("icx", 0, UINT_MAX, 2048, &icelake, {0x6a, 0x6a}, {0x6c, 0x6c}),
    INTEL("spr", 0, UINT_MAX, 2048, &golden_cove, {0x8f, 0x8f}),
    INTEL("emr", 0, UINT_MAX, 2048, &golden_cove, {0xcf, 0xcf}),
    INTEL("gnr", 0, UINT_MAX, 2048, &golden_cove, {0xad, 0xae}),
    INTEL("adl_glc", 0, UINT_MAX, 2048, &golden_cove, {0x97, 0x97},
          {0x9a, 0x9a}, {0xb7, 0xb7}, {0xba, 0xba}, {0xbf, 0xbf}),
    AMD("zen1", 0x17, 1536, {0x00, 0x2f}, {0x50, 0x5f}),
    AMD("zen2", 0x17, 2048, {0x30, 0x4f}, {0x60, 0x7f}, {0x90, 0x91},
        {0xa0, 0xaf}),
    AMD("zen3", 0x19, 2048, {0x00, 0x0f}, {0x20, 0x5f}),
    AMD("zen4", 0x19, 3072, {0x10, 0x1f}, {0x60, 0xaf}),
    AMD("zen5", 0x1a, 4096, {0x00, 0x2f}, {0x40, 0x4f}, {0x60, 0x7f}),
    /* A raw event that an arm64 core does not have would count 0 without an
     * error, so only events that the kernel vouches for are read there. */
    {"arm64", "ARM", 8, {{0, UINT_MAX}}, {0, UINT_MAX}, 0, NULL},
    {0},
};

static bool is_in(unsigned number, const struct cpu_range *range) {
  return number >= range->from && number <= range->to;
}

const struct cpu_arch *cpu_arch_find(const struct cpu_id *id) {
  for (const struct cpu_arch *arch = cpu_archs; arch->name; arch++) {
    if (strcmp(id->vendor, arch->vendor) || id->family != arch->family ||
        !is_in(id->stepping, &arch->steppings))
      continue;
    for (size_t i = 0; i < ARCH_MODELS && arch->models[i].to; i++)
      if (is_in(id->model, &arch->models[i])) return arch;
  }
  return NULL;
}

uint64_t tlb_entries(const struct cpu_id *id) {
  const struct cpu_arch *arch = cpu_arch_find(id);
  return arch && arch->tlb_entries ? arch->tlb_entries : 1536;
}
