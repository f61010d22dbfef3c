/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AMD64 Architecture Programmer's Manual vol. 3, appendix E.4.4 and E.4.5;
 * Intel 64 and IA-32 Architectures Software Developer's Manual vol. 2A, CPUID,
 * leaf 18H.  Hypervisors hide this leaf: what the processors are known to have
 * is of the Intel 64 and IA-32 Architectures Optimization Reference Manual, the
 * chapter of each microarchitecture; Emerald Rapids' knees at 96 and 2048 pages
 * were measured, too. */
#include "experiments/machine/tlb_here.h"

#include <errno.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

enum { EAX, EBX, ECX, EDX };

static uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

/* What cannot be is not told. */
static void put(struct tlb_cache_shape *cache, uint32_t entries,
                uint32_t ways) {
  const struct tlb_cache_shape shape = {entries, ways};
  if (vat_tlb_shape_check(&shape)) *cache = shape;
}

/* A level whose ways are told by a code: as many as make whole sets, a power of
 * two of them. */
static void put_coded(struct tlb_cache_shape *cache, uint32_t entries,
                      uint32_t code) {
  static const struct {
    uint8_t fewest, most;
  } ways_of[16] = {
      [1] = {1, 1},    [2] = {2, 2},    [3] = {3, 3},    [4] = {4, 5},
      [5] = {6, 7},    [6] = {8, 15},   [8] = {16, 31},  [10] = {32, 47},
      [11] = {48, 63}, [12] = {64, 95}, [13] = {96, 127}};
  enum { FULL = 15 };
  if (code == FULL) put(cache, entries, entries);
  uint32_t ways = ways_of[code].fewest;
  for (; ways <= ways_of[code].most && !cache->entries; ways++)
    put(cache, entries, ways);
}

static void take_amd(struct tlb_shape *shape, tlb_cpuid *cpuid) {
  enum { FULL = 0xff };
  uint32_t regs[4];
  cpuid(0x80000005, 0, regs);
  uint32_t entries = bits(regs[EBX], 23, 16), ways = bits(regs[EBX], 31, 24);
  put(&shape->level[0], entries, ways == FULL ? entries : ways);
  cpuid(0x80000006, 0, regs);
  put_coded(&shape->level[1], bits(regs[EBX], 27, 16), bits(regs[EBX], 31, 28));
}

/* Each subleaf is a TLB; some are for loads or stores alone. */
static void take_intel(struct tlb_shape *shape, tlb_cpuid *cpuid) {
  enum { LEAF = 0x18, DATA = 1, UNIFIED = 3, LOADS = 4, SUBLEAVES_MOST = 64 };
  uint32_t regs[4];
  cpuid(LEAF, 0, regs);
  uint32_t last = regs[EAX] < SUBLEAVES_MOST ? regs[EAX] : SUBLEAVES_MOST;
  for (uint32_t i = 0; i <= last; i++) {
    cpuid(LEAF, i, regs);
    uint32_t type = bits(regs[EDX], 4, 0), level = bits(regs[EDX], 7, 5);
    uint32_t ways = bits(regs[EBX], 31, 16), sets = regs[ECX];
    if (type != DATA && type != UNIFIED && type != LOADS) continue;
    if (!bits(regs[EBX], 0, 0) || level < 1 || level > 2) continue;
    if (sets > TLB_ENTRIES_MAX || shape->level[level - 1].entries) continue;
    put(&shape->level[level - 1], ways * sets, ways);
  }
}

/* What processors are known to have, by the number of the model in family 6:
 * levels of data; fetches' first level for pages of 4 KiB and of 2 MiB, the
 * second being that of data. */
static const struct known {
  uint8_t models[8];
  struct tlb_cache_shape level[2], code[2];
} processors[] = {
    /* Haswell */
    {{0x3c, 0x3f, 0x45, 0x46}, {{64, 4}, {1024, 8}}, {{128, 4}, {8, 8}}},
    /* Broadwell */
    {{0x3d, 0x47, 0x4f, 0x56}, {{64, 4}, {1536, 6}}, {{128, 4}, {8, 8}}},
    /* Skylake to Comet Lake, Skylake-SP to Cooper Lake */
    {{0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6},
     {{64, 4}, {1536, 12}},
     {{128, 8}, {8, 8}}},
    /* Ice Lake, Tiger Lake, Rocket Lake */
    {{0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0xa7},
     {{64, 4}, {2048, 16}},
     {{128, 8}, {16, 16}}},
    /* Sapphire Rapids, Emerald Rapids, Granite Rapids */
    {{0x8f, 0xcf, 0xad, 0xae}, {{96, 6}, {2048, 16}}, {{256, 8}, {32, 8}}},
};

/* NULL: none of these. */
static const struct known *known_of(tlb_cpuid *cpuid) {
  static const char vendor[] = "GenuntelineI"; /* in ebx, ecx, edx */
  uint32_t regs[4];
  cpuid(0, 0, regs);
  if (memcmp(&regs[EBX], vendor, 3 * sizeof *regs) != 0) return NULL;
  cpuid(1, 0, regs);
  uint32_t model = bits(regs[EAX], 19, 16) << 4 | bits(regs[EAX], 7, 4);
  if (bits(regs[EAX], 11, 8) != 6 || !model) return NULL;
  for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
    if (memchr(processors[i].models, (int)model, sizeof processors[i].models))
      return &processors[i];
  return NULL;
}

static void take_known(struct tlb_shape *shape, tlb_cpuid *cpuid) {
  const struct known *known = known_of(cpuid);
  if (known) memcpy(shape->level, known->level, sizeof known->level);
}

int tlb_of_cpuid(struct tlb_shape *shape, tlb_cpuid *cpuid) {
  uint32_t regs[4];
  memset(shape, 0, sizeof *shape);
  cpuid(0, 0, regs);
  if (regs[EAX] >= 0x18) take_intel(shape, cpuid);
  cpuid(0x80000000, 0, regs);
  if (!shape->level[0].entries && regs[EAX] >= 0x80000006)
    take_amd(shape, cpuid);
  if (!shape->level[0].entries) take_known(shape, cpuid);
  if (shape->level[0].entries) return 0;
  errno = ENOTSUP;
  return -1;
}

/* In the low halves of the words that have data in the high ones; those of
 * large pages are in EAX. */
static void take_amd_code(struct mixed_tlb_shape *shape, tlb_cpuid *cpuid) {
  enum { FULL = 0xff };
  uint32_t regs[4];
  cpuid(0x80000005, 0, regs);
  uint32_t entries = bits(regs[EBX], 7, 0), ways = bits(regs[EBX], 15, 8);
  put(&shape->all.level[0], entries, ways == FULL ? entries : ways);
  entries = bits(regs[EAX], 7, 0), ways = bits(regs[EAX], 15, 8);
  put(&shape->from[0].level[0], entries, ways == FULL ? entries : ways);
  cpuid(0x80000006, 0, regs);
  /* Without a second level of data, these are what both share. */
  if (bits(regs[EBX], 31, 16))
    put_coded(&shape->all.level[1], bits(regs[EBX], 11, 0),
              bits(regs[EBX], 15, 12));
  if (bits(regs[EAX], 31, 16) && shape->all.level[1].entries)
    put_coded(&shape->from[0].level[1], bits(regs[EAX], 11, 0),
              bits(regs[EAX], 15, 12));
}

static void take_intel_code(struct mixed_tlb_shape *shape, tlb_cpuid *cpuid) {
  enum { LEAF = 0x18, CODE = 2, SUBLEAVES_MOST = 64 };
  uint32_t regs[4];
  cpuid(LEAF, 0, regs);
  uint32_t last = regs[EAX] < SUBLEAVES_MOST ? regs[EAX] : SUBLEAVES_MOST;
  for (uint32_t i = 0; i <= last; i++) {
    cpuid(LEAF, i, regs);
    uint32_t type = bits(regs[EDX], 4, 0), level = bits(regs[EDX], 7, 5);
    uint32_t ways = bits(regs[EBX], 31, 16), sets = regs[ECX];
    if (type != CODE || level < 1 || level > 2 || sets > TLB_ENTRIES_MAX)
      continue;
    if (bits(regs[EBX], 0, 0) && !shape->all.level[level - 1].entries)
      put(&shape->all.level[level - 1], ways * sets, ways);
    else if (bits(regs[EBX], 1, 1) && !shape->from[0].level[level - 1].entries)
      put(&shape->from[0].level[level - 1], ways * sets, ways);
  }
}

int itlb_of_cpuid(struct mixed_tlb_shape *shape, tlb_cpuid *cpuid) {
  enum { LARGE_BITS = 21 };
  uint32_t regs[4];
  memset(shape, 0, sizeof *shape);
  cpuid(0, 0, regs);
  if (regs[EAX] >= 0x18) take_intel_code(shape, cpuid);
  cpuid(0x80000000, 0, regs);
  if (!shape->all.level[0].entries && regs[EAX] >= 0x80000006)
    take_amd_code(shape, cpuid);
  const struct known *known = known_of(cpuid);
  if (!shape->all.level[0].entries && known) {
    shape->all.level[0] = known->code[0];
    shape->from[0].level[0] = known->code[1];
  }
  if (shape->from[0].level[0].entries || shape->from[0].level[1].entries)
    shape->from[0].page_bits = LARGE_BITS;
  if (shape->all.level[0].entries) return 0;
  errno = ENOTSUP;
  return -1;
}

static void ask(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]) {
  memset(regs, 0, 4 * sizeof *regs);
#ifdef __x86_64__
  __cpuid_count(leaf, subleaf, regs[EAX], regs[EBX], regs[ECX], regs[EDX]);
#else
  (void)leaf, (void)subleaf;
#endif
}

int tlb_here(struct tlb_shape *shape) { return tlb_of_cpuid(shape, ask); }
int itlb_here(struct mixed_tlb_shape *shape) {
  return itlb_of_cpuid(shape, ask);
}
