/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processors and their events.
 *
 * Names and encodings agree with libpfm 4.13 where it knows the processor;
 * emr, gnr, adl_glc and zen5, which it does not, are Intel's "perfmon" and
 * AMD's processor programming references.  Stores count in the same umasks as
 * loads.  On Skylake and later what is called walk cycles is WALK_PENDING: one
 * per cycle and busy walker.  WALK_ACTIVE would leave out overlapping walks.
 */
#include <limits.h>
#include <string.h>

#include "experiments/machine/counter_ladder.h"

/* Broadwell: before Skylake WALK_PENDING was called WALK_DURATION. */
static const struct cpu_events broadwell = {{
    [QUANTITY_WALKS] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED", 0x0e08},
                        {"DTLB_STORE_MISSES:WALK_COMPLETED", 0x0e49}},
    [QUANTITY_WALKS_4K] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_4K", 0x0208},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_4K", 0x0249}},
    [QUANTITY_WALKS_2M] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_2M_4M", 0x0408},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_2M_4M", 0x0449}},
    [QUANTITY_WALKS_1G] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_1G", 0x0808},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_1G", 0x0849}},
    [QUANTITY_WALK_CYCLES] = {{"DTLB_LOAD_MISSES:WALK_DURATION", 0x1008},
                              {"DTLB_STORE_MISSES:WALK_DURATION", 0x1049}},
    [QUANTITY_STLB_HITS] = {{"DTLB_LOAD_MISSES:STLB_HIT", 0x6008},
                            {"DTLB_STORE_MISSES:STLB_HIT", 0x6049}},
}};

/* Skylake, Cascade Lake.  Under a hypervisor the walk cycles leave out the
 * walk of the host's tables. */
static const struct cpu_events skylake = {{
    [QUANTITY_WALKS] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED", 0x0e08},
                        {"DTLB_STORE_MISSES:WALK_COMPLETED", 0x0e49}},
    [QUANTITY_WALKS_4K] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_4K", 0x0208},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_4K", 0x0249}},
    [QUANTITY_WALKS_2M] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_2M_4M", 0x0408},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_2M_4M", 0x0449}},
    [QUANTITY_WALKS_1G] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_1G", 0x0808},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_1G", 0x0849}},
    [QUANTITY_WALK_CYCLES] = {{"DTLB_LOAD_MISSES:WALK_PENDING", 0x1008},
                              {"DTLB_STORE_MISSES:WALK_PENDING", 0x1049}},
    [QUANTITY_STLB_HITS] = {{"DTLB_LOAD_MISSES:STLB_HIT", 0x2008},
                            {"DTLB_STORE_MISSES:STLB_HIT", 0x2049}},
}};

/* Ice Lake: as Skylake, but libpfm 4.13 left out the 1 GiB umask. */
static const struct cpu_events icelake = {{
    [QUANTITY_WALKS] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED", 0x0e08},
                        {"DTLB_STORE_MISSES:WALK_COMPLETED", 0x0e49}},
    [QUANTITY_WALKS_4K] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_4K", 0x0208},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_4K", 0x0249}},
    [QUANTITY_WALKS_2M] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_2M_4M", 0x0408},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_2M_4M", 0x0449}},
    [QUANTITY_WALKS_1G] = {{NULL, 0x0808}, {NULL, 0x0849}},
    [QUANTITY_WALK_CYCLES] = {{"DTLB_LOAD_MISSES:WALK_PENDING", 0x1008},
                              {"DTLB_STORE_MISSES:WALK_PENDING", 0x1049}},
    [QUANTITY_STLB_HITS] = {{"DTLB_LOAD_MISSES:STLB_HIT", 0x2008},
                            {"DTLB_STORE_MISSES:STLB_HIT", 0x2049}},
}};

/* Golden Cove and its descendants moved the events to 0x12 and 0x13. */
static const struct cpu_events golden_cove = {{
    [QUANTITY_WALKS] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED", 0x0e12},
                        {"DTLB_STORE_MISSES:WALK_COMPLETED", 0x0e13}},
    [QUANTITY_WALKS_4K] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_4K", 0x0212},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_4K", 0x0213}},
    [QUANTITY_WALKS_2M] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_2M_4M", 0x0412},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_2M_4M", 0x0413}},
    [QUANTITY_WALKS_1G] = {{"DTLB_LOAD_MISSES:WALK_COMPLETED_1G", 0x0812},
                           {"DTLB_STORE_MISSES:WALK_COMPLETED_1G", 0x0813}},
    [QUANTITY_WALK_CYCLES] = {{"DTLB_LOAD_MISSES:WALK_PENDING", 0x1012},
                              {"DTLB_STORE_MISSES:WALK_PENDING", 0x1013}},
    [QUANTITY_STLB_HITS] = {{"DTLB_LOAD_MISSES:STLB_HIT", 0x2012},
                            {"DTLB_STORE_MISSES:STLB_HIT", 0x2013}},
}};

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

#define INTEL(name, model, from, to, events) \
  { name, "GenuineIntel", 6, model, model, from, to, events }
/* Model ranges of Zen are those of Linux, arch/x86/kernel/cpu/amd.c. */
#define AMD(name, family, from, to) \
  { name, "AuthenticAMD", family, from, to, 0, UINT_MAX, &zen }

const struct cpu_arch cpu_archs[] = {
    INTEL("bdw", 0x3d, 0, UINT_MAX, &broadwell),
    INTEL("bdw", 0x47, 0, UINT_MAX, &broadwell),
    INTEL("bdw_ep", 0x4f, 0, UINT_MAX, &broadwell),
    INTEL("bdw_ep", 0x56, 0, UINT_MAX, &broadwell),
    INTEL("skl", 0x4e, 0, UINT_MAX, &skylake),
    INTEL("skl", 0x5e, 0, UINT_MAX, &skylake),
    INTEL("skl", 0x8e, 0, UINT_MAX, &skylake),
    INTEL("skl", 0x9e, 0, UINT_MAX, &skylake),
    INTEL("skl", 0xa5, 0, UINT_MAX, &skylake),
    INTEL("skl", 0xa6, 0, UINT_MAX, &skylake),
    INTEL("skx", 0x55, 0, 4, &skylake),
    INTEL("clx", 0x55, 5, UINT_MAX, &skylake),
    INTEL("icl", 0x7d, 0, UINT_MAX, &icelake),
    INTEL("icl", 0x7e, 0, UINT_MAX, &icelake),
    INTEL("icl", 0x8c, 0, UINT_MAX, &icelake),
    INTEL("icl", 0x8d, 0, UINT_MAX, &icelake),
    INTEL("icl", 0xa7, 0, UINT_MAX, &icelake),
    INTEL("icx", 0x6a, 0, UINT_MAX, &icelake),
    INTEL("icx", 0x6c, 0, UINT_MAX, &icelake),
    INTEL("spr", 0x8f, 0, UINT_MAX, &golden_cove),
    INTEL("emr", 0xcf, 0, UINT_MAX, &golden_cove),
    INTEL("gnr", 0xad, 0, UINT_MAX, &golden_cove),
    INTEL("gnr", 0xae, 0, UINT_MAX, &golden_cove),
    INTEL("adl_glc", 0x97, 0, UINT_MAX, &golden_cove),
    INTEL("adl_glc", 0x9a, 0, UINT_MAX, &golden_cove),
    INTEL("adl_glc", 0xb7, 0, UINT_MAX, &golden_cove),
    INTEL("adl_glc", 0xba, 0, UINT_MAX, &golden_cove),
    INTEL("adl_glc", 0xbf, 0, UINT_MAX, &golden_cove),
    AMD("zen1", 0x17, 0x00, 0x2f),
    AMD("zen1", 0x17, 0x50, 0x5f),
    AMD("zen2", 0x17, 0x30, 0x4f),
    AMD("zen2", 0x17, 0x60, 0x7f),
    AMD("zen2", 0x17, 0x90, 0x91),
    AMD("zen2", 0x17, 0xa0, 0xaf),
    AMD("zen3", 0x19, 0x00, 0x0f),
    AMD("zen3", 0x19, 0x20, 0x5f),
    AMD("zen4", 0x19, 0x10, 0x1f),
    AMD("zen4", 0x19, 0x60, 0xaf),
    AMD("zen5", 0x1a, 0x00, 0x2f),
    AMD("zen5", 0x1a, 0x40, 0x4f),
    AMD("zen5", 0x1a, 0x60, 0x7f),
    /* A raw event that an arm64 core lacks would count 0 without an error,
     * so only events that the kernel vouches for are read there. */
    {"arm64", "ARM", 8, 0, UINT_MAX, 0, UINT_MAX, NULL},
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
