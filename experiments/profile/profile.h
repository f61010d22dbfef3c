/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile.h -- what the Valgrind tool counted.
 *
 * The tool writes a file for each process (experiments/valgrind/output.c),
 * which are added up here.  Misses are of nodes, by layer; those of layer 0,
 * the leaves, are accesses whose page was not in the translation cache.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "experiments/profile/profile_code.h"
#include "experiments/profile/profile_place.h"

enum { PROFILE_TREES = 4, PROFILE_LAYERS = 6 };

struct profile_counts {
  uint64_t accesses;
  uint64_t misses[PROFILE_TREES][PROFILE_LAYERS];
};

struct profile_tree {
  char name[8]; /* "4k" */
  unsigned layers;
  unsigned nodes; /* W */
};

/* A line of source; where there are none, an instruction; or a function. */
struct profile_row {
  struct profile_place at;
  struct profile_counts counts;
  struct profile_counts inclusive; /* functions: with what they called */
};

struct profile_rows {
  struct profile_row *row;
  size_t count;
};

/* Who allocated, and what became of it. */
enum { PROFILE_CALLERS = 4, PROFILE_KIND = 12, PROFILE_WALKS = 3 };

struct profile_site {
  /* heap, mapping, shared (memory of no file on a disk), break, file, stack,
   * other */
  char kind[PROFILE_KIND];
  const char *name;                             /* of a file; "": none */
  struct profile_place caller[PROFILE_CALLERS]; /* innermost first */
  unsigned callers;
  uint64_t blocks, bytes, peak;  /* in all, in all, at once */
  uint64_t pages[PROFILE_TREES]; /* of each tree, that were touched */
  struct profile_counts counts;
  /* Base pages that were touched first since they were mapped, of a file that
   * cannot be written only one of those that the kernel maps together; those of
   * blocks of PROFILE_UNIT bytes and more.  0 in profiles of an older vat. */
  uint64_t faults, large_faults;
  uint64_t mapped_large; /* such blocks that glibc mapped by themselves */
  /* Of `faults`, in the first 2 MiB of heaps that glibc has for threads. */
  uint64_t begin_faults;
  /* Of `faults`, those of private memory that was read: writing there later is
   * another fault. */
  uint64_t read_first;
  /* What follows is 0 in profiles of an older vat: profile.unit is, too. */
  uint64_t smallest, largest; /* blocks, in bytes */
  uint64_t large;             /* blocks of PROFILE_UNIT bytes and more */
  uint64_t large_peak;        /* their bytes at once */
  /* Smaller blocks, the most at once: 0 in profiles of an older vat. */
  uint64_t small;         /* how many; */
  uint64_t small_peak;    /* their bytes, and these rounded up to multiples */
  uint64_t small_rounded; /* of 16 up to 128, and to four sizes an octave */
  uint64_t small_chunks;  /* as glibc has them; 0 in profiles of an older vat */
  uint64_t small_bytes;   /* of all small blocks of the run; as before */
  uint64_t at_peak;       /* bytes when all blocks were most; older: `peak` */
  size_t chain, chains;   /* its first in profile.chains; how many */
  uint64_t more_chains;   /* that there are, but are not kept; at least */
  size_t heat, heats;     /* as `chain`: in profile.heats */
  size_t walk, walks;     /* as `chain`: in profile.walks */
};

/* A call, by its return address: as a virtual address of the ELF object, which
 * is what `addr2line -e` takes, and what is left of an address when dlpi_addr
 * of dl_iterate_phdr(3) is subtracted.  "": code that is in no object; then it
 * is an address of the process. */
struct profile_frame {
  const char *object; /* the path that the loader had */
  uint64_t offset;
};

/* The calls that led to an allocation, as a debugger would show them, innermost
 * first.  The first is the call of the allocator, or of mmap(): of allocators
 * that call each other (operator new, malloc) of the outermost.  Inlined calls
 * are no frames.  There are as many frames as its site's callers need, but no
 * more than PROFILE_FRAMES: frames further out are not compared. */
enum { PROFILE_FRAMES = 8, PROFILE_CHAINS = 16 /* of a site */ };

struct profile_chain {
  size_t site;
  unsigned frames; /* 1 and more */
  struct profile_frame frame[PROFILE_FRAMES];
};

struct profile_chains {
  struct profile_chain *chain; /* by site; finished: see profile_site */
  size_t count;
};

/*
 * What a unit of address space, as large as a huge page and as aligned, missed
 * of a site.  Each is there once, if it missed anything.
 *
 * Blocks of PROFILE_UNIT bytes and more, which a heap, mapping or file site
 * allocates, have numbers: `block` is the lowest that no other block of the
 * site has while it lives, so that one which takes the place of a freed one
 * has its number.  All from PROFILE_BLOCKS - 1 on are added up there.  `unit`
 * counts from the one in which the block begins: (address >> 21) - (start >>
 * 21).  So a block that is not aligned has one more, and shares its first
 * and last ones with other memory.
 *
 * Smaller blocks of heap and mapping sites, and sites of kind "break", have
 * the block PROFILE_SMALL: `unit` counts from the one in which the program's
 * data begins, of all sites alike, and the heap of brk() comes behind the data.
 * Of a unit that many sites share, at most 8 are kept, so that a site may
 * have more misses than its units.
 *
 * Processes add up: block by block, unit by unit.  Shared memory that a child
 * has of its parent has no blocks in the child.
 */
enum {
  PROFILE_UNIT = 2 << 20,
  PROFILE_BLOCKS = 1024,
  PROFILE_SMALL = PROFILE_BLOCKS
};

struct profile_heat {
  size_t site;
  uint32_t block, unit;
  uint64_t misses[PROFILE_TREES]; /* of leaves */
  uint32_t pages; /* of 4 KiB, that were touched first there; 0 without the
                     tree 4k.  A block that comes elsewhere, and other
                     processes, touch theirs: these add up */
};

struct profile_heats {
  struct profile_heat *heat; /* by site, block, unit; finished: profile_site */
  size_t count;
};

/* For the what-if: leaf misses of a site on the first tree, by the octave of
 * how many misses ago any page of the table's line was missed, 0 being never
 * and i for 2^(i-1) and more.  `where` 0: no huge page can be there; 1: one
 * can; 2: those that a plan puts on larger pages or takes away, which are of
 * the others, too. */
struct profile_walk {
  size_t site;
  uint8_t where, octave; /* below PROFILE_WALKS, PROFILE_OCTAVES */
  uint64_t misses;
};

struct profile_walks {
  struct profile_walk
      *walk; /* by site, where, octave; finished: profile_site */
  size_t count;
};

/* A file that code was in, as it was when the program ran. */
struct profile_object {
  const char *name;
  const char *build_id; /* hexadecimal; NULL: has none, or is gone */
};

struct profile_objects {
  struct profile_object *object; /* by name */
  size_t count;
};

/* A miss of a burst, during which dependences were followed. */
struct profile_wait {
  uint32_t gap;  /* instructions since the miss before */
  uint16_t back; /* its address waits for so many misses before; 0: none */
  uint8_t octave, flags;
  uint32_t site; /* in the list of sites, once the profile is finished */
};
enum {
  PROFILE_FIRST = 1,
  PROFILE_STORE = 2,
  PROFILE_HUGE = 4,
  PROFILE_PLANNED = 8
};

struct profile_burst {
  uint64_t period; /* misses that it stands for */
  uint64_t waits;  /* its own */
  uint64_t instructions, accesses;
  uint64_t fills; /* lines of data that a second-level cache had not */
  size_t first;   /* of its waits */
};

struct profile_flow {
  struct profile_wait *wait;
  size_t waits;
  struct profile_burst *burst;
  size_t bursts;
  uint32_t *site_of; /* of a process's numbers; being read */
};

struct profile_sites {
  struct profile_site *site;
  size_t count;
};

/* A function that was said to allocate; by any process. */
enum { PROFILE_NAMED = 32 };
struct profile_allocator {
  const char *name;
  int called;
};

/* A path of calls: the function at its end, and the path without it. */
struct profile_context {
  struct profile_place at;
  size_t parent; /* before it in the list; PROFILE_ROOT */
  struct profile_counts counts;
  struct profile_counts inclusive;
};
#define PROFILE_ROOT SIZE_MAX

struct profile_contexts {
  struct profile_context *context;
  size_t count;
};

/* A call from a context; one that leads up the path is recursion. */
struct profile_edge {
  struct profile_place at;
  size_t from, to;
  uint64_t calls;
};

struct profile_edges {
  struct profile_edge *edge;
  size_t count;
};

/* What a plan put on larger pages: the tree "plan", whose misses are from the
 * leaf up, whatever layer that is on. */
struct profile_range {
  uint64_t process, start, end; /* addresses */
};

/* What the plan says, which adds up what its choices save: of how many leaf
 * misses, how many; and of the user time.  NAN: it does not. */
struct profile_added {
  double leaf, saved, user_ratio, lo, hi;
};

struct profile_plan {
  struct profile_added added;
  unsigned page_bits;             /* of the larger pages; 0: no plan */
  uint64_t large[PROFILE_LAYERS]; /* accesses to them that missed 1, 2, ...
                                     nodes */
  uint64_t both;                  /* larger pages that had base pages, too */
  struct profile_range *range;
  size_t ranges;
  uint64_t *process; /* all of them */
  size_t processes;
};

struct profile {
  struct profile_tree tree[PROFILE_TREES];
  unsigned trees;
  unsigned processes;
  unsigned lost; /* processes that began and left no profile */
  /* Page faults of processes before they executed another program, which has
   * the profile: children of a shell, for one. */
  uint64_t left;
  uint64_t threads; /* at once, each with translation caches of its own */
  uint64_t sampled; /* accesses that those of sites were estimated from */
  /* Processes that no allocator was found in: whose functions have no names;
   * whose have. */
  unsigned nameless, unknown;
  struct profile_allocator allocator[PROFILE_NAMED]; /* of --allocator */
  unsigned allocators;
  struct profile_counts totals;
  /* Of each tree, what the second level of a TLB had; none of TCs, and in
   * profiles of an older vat. */
  bool has_second_hits;
  uint64_t second_hits[PROFILE_TREES];
  struct profile_plan plan;
  uint64_t process;                     /* being read */
  struct profile_code code;             /* empty unless it was asked for */
  struct profile_rows lines, functions; /* most misses first */
  struct profile_sites sites;           /* as well */
  struct profile_contexts contexts;
  struct profile_edges edges;
  uint64_t unit; /* PROFILE_UNIT; 0: an older vat left neither heat nor chains,
                    nor sizes of blocks, nor objects */
  bool has_faults; /* of sites; an older vat left none */
  struct profile_heats heats;
  struct profile_chains chains;
  struct profile_walks walks;
  struct profile_objects objects;      /* that are named in `chains` or lines */
  struct profile_flow flow;            /* empty unless it was asked for */
  const struct what_if_table *what_if; /* NULL: was not asked for */
  struct profile_texts *texts;         /* that rows point to */
  const char
      *directory; /* where the tool left it; NULL: it was --from a file */
};

/* The one place where a text is: texts are the same if their addresses are. */
const char *profile_intern(struct profile *profile, const char *text);

void profile_add(struct profile_counts *to, const struct profile_counts *from);

/* All layers of a tree. */
uint64_t profile_nodes(const struct profile_counts *counts, unsigned tree);

/* Which tree has that name; 0: none but the first. */
unsigned profile_tree_named(const struct profile *profile, const char *name);

/* Pages touched. */
uint64_t profile_pages(const struct profile *profile, unsigned tree);

/* "file:line", or as much of that as there is: fills and returns `text`. */
const char *profile_place_where(const struct profile_place *at, char text[512]);

/* A function, cut to a width. As above. */
const char *profile_place_function(const struct profile_place *at,
                                   char text[64]);

/* "heap hash.c:88 (make_table) < main.c:12 (main)": fills and returns `text`.
 */
enum { PROFILE_WHERE = 512 };
const char *profile_site_where(const struct profile_site *site,
                               char text[PROFILE_WHERE]);

/* profile_plan.c: what is told of a plan; of null, all is NAN. */
json_t *profile_added_to_json(const struct profile_added *added);
struct profile_added profile_added_of_json(const json_t *object);
json_t *profile_plan_json(const struct profile *profile); /* null: no plan */
void profile_plan_print(const struct profile *profile, FILE *to);

/* Of a plan's tree, by layers of the tree of base pages. */
void profile_plan_layers(const struct profile *profile,
                         uint64_t layer[PROFILE_LAYERS]);
/* The number of that tree; PROFILE_TREES: there is none. */
unsigned profile_plan_tree(const struct profile *profile);
bool profile_plan_is_there(const struct profile *profile);

void profile_fini(struct profile *profile); /* zeroed is fine */

/*
 * Add what a process left in `file`, called `name` in errors.  0, or -1 with a
 * sentence in `error` and errno EINVAL: then nothing was added.
 */
enum { PROFILE_ERROR_SIZE = 256 };
int profile_read(struct profile *profile, FILE *file, const char *name,
                 char error[PROFILE_ERROR_SIZE]);

/* When all is read: merge what is the same, find functions, sort. */
void profile_finish(struct profile *profile);

struct profile_request;
int profile_print(const struct profile_request *request,
                  const struct profile *profile, FILE *to);
int profile_callgrind(const struct profile_request *request,
                      const struct profile *profile, FILE *to);
int profile_json(const struct profile_request *request,
                 const struct profile *profile, FILE *to);
/* Tables of fetches, and the JSON of "code": null where they were not looked
 * at.
 */
void profile_code_print(const struct profile_request *request,
                        const struct profile *profile, FILE *to);
json_t *profile_code_json(const struct profile_request *request,
                          const struct profile *profile);
