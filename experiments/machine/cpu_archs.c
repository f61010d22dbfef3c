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

#define INTEL(name, model, from, to, tlb, events) \
  { name, "GenuineIntel", 6, model, model, from, to, tlb, events }
/* Model ranges of Zen are those of Linux, arch/x86/kernel/cpu/amd.c. */
#define AMD(name, family, from, to, tlb) \
  { name, "AuthenticAMD", family, from, to, 0, UINT_MAX, tlb, &zen }

const struct cpu_arch cpu_archs[] = {
    INTEL("bdw", 0x3d, 0, UINT_MAX, 1536, &broadwell),
    INTEL("bdw", 0x47, 0, UINT_MAX, 1536, &broadwell),
    INTEL("bdw_ep", 0x4f, 0, UINT_MAX, 1536, &broadwell),
    INTEL("bdw_ep", 0x56, 0, UINT_MAX, 1536, &broadwell),
    INTEL("skl", 0x4e, 0, UINT_MAX, 1536, &skylake),
    INTEL("skl", 0x5e, 0, UINT_MAX, 1536, &skylake),
    INTEL("skl", 0x8e, 0, UINT_MAX, 1536, &skylake),
    INTEL("skl", 0x9e, 0, UINT_MAX, 1536, &skylake),
    INTEL("skl", 0xa5, 0, UINT_MAX, 1536, &skylake),
    INTEL("skl", 0xa6, 0, UINT_MAX, 1536, &skylake),
    INTEL("skx", 0x55, 0, 4, 1536, &skylake),
    INTEL("clx", 0x55, 5, UINT_MAX, 1536, &skylake),
    INTEL("icl", 0x7d, 0, UINT_MAX, 2048, &icelake),
    INTEL("icl", 0x7e, 0, UINT_MAX, 2048, &icelake),
    INTEL("icl", 0x8c, 0, UINT_MAX, 2048, &icelake),
    INTEL("icl", 0x8d, 0, UINT_MAX, 2048, &icelake),
    INTEL("icl", 0xa7, 0, UINT_MAX, 2048, &icelake),
    INTEL("icx", 0x6a, 0, UINT_MAX, 2048, &icelake),
    INTEL("icx", 0x6c, 0, UINT_MAX, 2048, &icelake),
    INTEL("spr", 0x8f, 0, UINT_MAX, 2048, &golden_cove),
    INTEL("emr", 0xcf, 0, UINT_MAX, 2048, &golden_cove),
    INTEL("gnr", 0xad, 0, UINT_MAX, 2048, &golden_cove),
    INTEL("gnr", 0xae, 0, UINT_MAX, 2048, &golden_cove),
    INTEL("adl_glc", 0x97, 0, UINT_MAX, 2048, &golden_cove),
    INTEL("adl_glc", 0x9a, 0, UINT_MAX, 2048, &golden_cove),
    INTEL("adl_glc", 0xb7, 0, UINT_MAX, 2048, &golden_cove),
    INTEL("adl_glc", 0xba, 0, UINT_MAX, 2048, &golden_cove),
    INTEL("adl_glc", 0xbf, 0, UINT_MAX, 2048, &golden_cove),
    AMD("zen1", 0x17, 0x00, 0x2f, 1536),
    AMD("zen1", 0x17, 0x50, 0x5f, 1536),
    AMD("zen2", 0x17, 0x30, 0x4f, 2048),
    AMD("zen2", 0x17, 0x60, 0x7f, 2048),
    AMD("zen2", 0x17, 0x90, 0x91, 2048),
    AMD("zen2", 0x17, 0xa0, 0xaf, 2048),
    AMD("zen3", 0x19, 0x00, 0x0f, 2048),
    AMD("zen3", 0x19, 0x20, 0x5f, 2048),
    AMD("zen4", 0x19, 0x10, 0x1f, 3072),
    AMD("zen4", 0x19, 0x60, 0xaf, 3072),
    AMD("zen5", 0x1a, 0x00, 0x2f, 4096),
    AMD("zen5", 0x1a, 0x40, 0x4f, 4096),
    AMD("zen5", 0x1a, 0x60, 0x7f, 4096),
    /* A raw event that an arm64 core does not have would count 0 without an
     * error, so only events that the kernel vouches for are read there. */
    {"arm64", "ARM", 8, 0, UINT_MAX, 0, UINT_MAX, 0, NULL},
    {0},
};

const struct cpu_arch *cpu_arch_find(const struct cpu_id *id) {
  for (const struct cpu_arch *arch = cpu_archs; arch->name; arch++)
    if (!strcmp(id->vendor, arch->vendor) && id->family == arch->family &&
        id->model >= arch->model_from && id->model <= arch->model_to &&
        id->stepping >= arch->stepping_from &&
        id->stepping <= arch->stepping_to)
      return arch;
  return NULL;
}

uint64_t tlb_entries(const struct cpu_id *id) {
  const struct cpu_arch *arch = cpu_arch_find(id);
  return arch && arch->tlb_entries ? arch->tlb_entries : 1536;
}
