/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/machine/tlb_entries.h"

#include <stddef.h>
#include <string.h>

#include "experiments/machine/counter_ladder.h"

/* Names are those of cpu_archs[].  Intel: 64 and IA-32 Architectures
 * Optimization Reference Manual, the cache and TLB tables of each
 * microarchitecture; AMD: Software Optimization Guides of families 17h, 19h and
 * 1Ah, "L2 DTLB". */
static const struct {
  const char *arch;
  unsigned entries;
} table[] = {
    {"bdw", 1536},  {"bdw_ep", 1536}, {"skl", 1536},  {"skx", 1536},
    {"clx", 1536},  {"icl", 2048},    {"icx", 2048},  {"spr", 2048},
    {"emr", 2048},  {"gnr", 2048},    {"zen1", 1536}, {"zen2", 2048},
    {"zen3", 2048}, {"zen4", 3072},   {"zen5", 4096}, {"adl_glc", 2048},
};

uint64_t tlb_entries(const struct cpu_id *id) {
  const struct cpu_arch *arch = cpu_arch_find(id);
  for (size_t i = 0; arch && i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].arch, arch->name)) return table[i].entries;
  return 1536;
}
