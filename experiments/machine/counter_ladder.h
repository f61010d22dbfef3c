/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/counter_ladder.h -- which events a quantity may be read
 * from.
 *
 * All of it is data: quantities, processors, and what each processor calls a
 * quantity's events, by libpfm's name and as raw perf encoding.  A rung is one
 * way to read a quantity, as the sum of up to two events (Intel counts the
 * walks of loads and of stores apart).  Rungs are tried from the first.
 * Rungs of one quantity count the same thing; where a machine's event counts
 * something else, it is no rung.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "experiments/machine/counter_info.h"
#include "experiments/machine/cpu_id.h"

/* In order of importance: the first get the hardware counters there are. */
enum quantity_id {
  QUANTITY_CYCLES,
  QUANTITY_INSTRUCTIONS,
  QUANTITY_WALKS,
  QUANTITY_WALK_CYCLES,
  QUANTITY_WALKS_4K,
  QUANTITY_WALKS_2M,
  QUANTITY_WALKS_1G,
  QUANTITY_STLB_HITS,
  QUANTITY_DTLB_LOAD_MISSES,
  QUANTITY_PAGE_FAULTS,
  QUANTITY_COUNT
};

enum rung_kind { RUNG_NATIVE, RUNG_RAW, RUNG_GENERIC, RUNG_SOFTWARE };

/* An event by name, and as perf_event_open() takes it. */
struct counter_event {
  const char *name; /* NULL: no such event */
  uint32_t type;    /* PERF_TYPE_...; unused on RUNG_NATIVE */
  uint64_t config;
};

enum { RUNG_EVENTS = 2, RUNGS_MAX = 3 };

struct rung {
  enum rung_kind kind;
  struct counter_event events[RUNG_EVENTS];
  size_t count; /* events used; the value is their sum */
};

struct quantity {
  struct counter_info info;    /* name, unit, meaning */
  struct counter_event common; /* the kernel's own event, on any processor */
  /* It cannot be 0 after touching more pages than any TLB holds. */
  bool always_counts;
};

/* A processor's event, by libpfm's name (NULL: it has none there) and raw. */
struct cpu_event {
  const char *native;
  uint64_t raw; /* 0: no such event */
};

struct cpu_events {
  struct cpu_event of[QUANTITY_COUNT][RUNG_EVENTS];
};

enum { ARCH_MODELS = 5 };

/* A row: processors of one vendor and family whose events are the same. */
struct cpu_arch {
  const char *name; /* as libpfm calls its PMU, or near to it: "skx", "zen2" */
  const char *vendor;
  unsigned family;
  struct cpu_range {
    unsigned from, to; /* inclusive; to 0: none */
  } models[ARCH_MODELS], steppings;
  unsigned tlb_entries;            /* 0: unknown */
  const struct cpu_events *events; /* NULL: none that vat knows */
};

extern const struct quantity quantities[QUANTITY_COUNT];
extern const struct cpu_arch cpu_archs[]; /* ends with a NULL name */

/* The row `id` falls into, or NULL for a processor not in the table. */
const struct cpu_arch *cpu_arch_find(const struct cpu_id *id);

/* Entries of the second-level data TLB that 4 KiB pages may use, which stand
 * for the W of a processor's translation cache; 1536, which many have, where
 * they are not known. */
uint64_t tlb_entries(const struct cpu_id *id);

/*
 * The ways to read `quantity` on `arch` (NULL: any processor), best first.
 * Returns how many; 0 where there is no such event.
 */
size_t ladder_rungs(const struct cpu_arch *arch, enum quantity_id quantity,
                    struct rung rungs[RUNGS_MAX]);
