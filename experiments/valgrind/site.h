/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/site.h -- who allocated memory, and what became of it.
 */
#pragma once
#include "experiments/valgrind/calls.h"

enum { VT_SITE_CALLS = 4, VT_FRAMES = 8, VT_CHAINS = 16 };

enum vt_site_kind {
  VT_OTHER,
  VT_HEAP,
  VT_MAPPING,
  VT_BREAK,
  VT_FILE,
  VT_STACK,
  VT_SHARED_MEMORY
};

/* A return address, in an object as it lies in its file ("": in none). */
struct vt_frame {
  const HChar *object; /* interned */
  Addr offset;
};

struct vt_chain {
  struct vt_chain *next;
  UInt frames;
  struct vt_frame frame[VT_FRAMES]; /* innermost first */
};

/* Blocks of less than 2 MiB; `rounded` is bytes by the sizes that allocators
 * have: multiples of 16 up to 128, then four between a power of two and the
 * next.  `chunks`: by those of glibc, a word more in multiples of 16, and no
 * less than 32. */
struct vt_small {
  ULong blocks, bytes, rounded, chunks;
};

struct vt_flow_walks;
struct vt_site_heat;

/* Large blocks have units of this size, by which their misses are counted. */
enum { VT_LG_UNIT = 21 };
/* Bool is a byte. */
static inline Bool vt_is_large(SizeT bytes) { return bytes >> VT_LG_UNIT != 0; }

struct vt_site {
  UInt number;
  enum vt_site_kind kind;
  const HChar *name;                    /* of a file; or NULL */
  struct vt_line *calls[VT_SITE_CALLS]; /* innermost first; NULL: no more */
  ULong blocks, bytes, live, peak;
  SizeT smallest, largest;    /* blocks */
  ULong pages[LAZY_TC_TREES]; /* of each tree, that were touched */
  /* Pages of the first tree, if they are 4k, that were touched first since they
   * were mapped, but for those of a file that the kernel maps around another:
   * of all, and of large blocks. */
  ULong faults, large_faults;
  ULong read_first; /* of private memory: before they are written */
  /* Blocks that glibc mapped by themselves: large ones, and bytes of others. */
  ULong mapped_large, mapped_small;
  ULong
      begin_faults; /* in the first 2 MiB of heaps that glibc has for threads */
  struct vt_counts counts;
  struct vt_flow_walks *walks; /* NULL: none */
  /* Blocks of 2 MiB and more; their bytes, and the most of them at once. */
  ULong large_blocks, large_live, large_peak;
  struct vt_small small, small_peak; /* at once, and the most by `rounded` */
  ULong small_bytes;                 /* in all */
  ULong at_peak, changed;    /* `live` when all blocks were most; see sites.c */
  struct vt_site_heat *heat; /* heat.c; NULL: none */
  struct vt_chain *chains;   /* at most VT_CHAINS, the first ones */
  UInt more_chains;          /* that are not kept */
  UInt recurring;            /* allocations where functions recurred */
};
