/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/site.h -- site_shim.so: page_shim.so with malloc.
 *
 * A plan chooses blocks by who allocates them.  malloc and operator new are
 * interposed, and look their return address up; a block that is chosen comes
 * from memory on larger pages, all others from the malloc that there would be
 * without us.  free() and the like know whose a block is by its address.
 *
 * Nothing here takes memory by malloc.  glibc 2.35 is needed, whose
 * _dl_find_object() finds the object of an address without a lock.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/exec/shim.h"

/* --- site_rules.c: the sites of VAT_RULES --- */

struct site_frame {
  uint64_t offset;
  int object, function; /* by their numbers; -1: none */
};

/* Blocks of some sizes that one function, or one chain of calls, allocates. */
struct site_rule {
  const struct site_rule *more; /* of another part of the same blocks */
  int choice;
  uint64_t least, most; /* of a block, in bytes */
  uint64_t from, to;    /* of it, that are to be on larger pages; where `most`
                           is not UINT64_MAX, the first `to` bytes of all */
  unsigned frames;      /* 0: of a function, the one of frame[0] */
  bool named;  /* the function of frame[0] tells it: not main(), which all
                  programs have */
  bool apart;  /* each block has a mapping of its own */
  bool mapped; /* none is malloc()'s */
  struct site_frame frame[RULES_FRAMES];
};

/* Is it of a part of each block? */
static inline bool site_rule_is_part(const struct site_rule *rule) {
  return rule->most == UINT64_MAX && (rule->from || rule->to);
}

/* Of small blocks, `to` is how many bytes of them are chosen, the first ones
 * that are allocated: a part of such a block is nothing to choose. */
static inline bool site_rule_is_limited(const struct site_rule *rule) {
  return rule->to && rule->most != UINT64_MAX;
}

struct site_object {
  char name[RULES_NAME];     /* without folders; "": the program itself */
  char build_id[2 * 64 + 1]; /* "": unknown */
};

struct site_rules {
  struct site_rule *rule;
  unsigned rules;
  struct site_object *object;
  unsigned objects;
  char (*function)[256];
  unsigned functions;
  bool by_function; /* some rule is */
};

/* 0, or -1 where there is no memory. */
int site_rules_read(struct site_rules *rules, const char *text);

/* Zeroed memory that is never given back; NULL: there is none. */
void *site_memory(size_t bytes);

/* The same for what is small. */
void *site_carve(size_t bytes);

/* --- site_modules.c: what the loader loaded --- */

/* Where in an object: which of the rules' (-1: none of them), and the address
 * relative to its load bias.  By its build, or its name where neither has one;
 * of another build only functions count. */
struct site_place {
  int object;
  uint64_t offset;
  bool same_build;
};

void site_modules_begin(const struct site_rules *rules);

/* Look at all that is loaded, while files may be opened. */
void site_modules_learn(void);
bool site_place_of(uintptr_t address, struct site_place *place);
/* An object of the rules: is it among those that were looked at? */
bool site_is_loaded(int object);
/* Is it the C library or the loader? */
bool site_is_of_libc(int object);

/* Is the call that returns to `address` in that function?  `object`: where it
 * has to be; -1: anywhere. */
bool site_in_function(uintptr_t address, int function, int object);

/* --- site_callers.c: the callers of who allocates --- */

enum { SITE_STACK_FRAMES = 24, SITE_ABOVE = 2 };

/* Return addresses, from that of the call that allocates on, and where they
 * lie. */
struct site_frames {
  const void *first;
  unsigned count;
  uintptr_t back[SITE_STACK_FRAMES], at[SITE_STACK_FRAMES];
};

/* From the call that returns to `back`. */
void site_unwind(struct site_frames *frames, const void *back);

/* How far above a call's return address that of its caller was, in bytes. */
struct site_above {
  uint32_t by[SITE_ABOVE];
};

/* The first that fits takes a block. */
struct site_some {
  unsigned count;
  const struct site_rule *rule[];
};

/* What the callers of `called`, whose return address lies above `frame`, were
 * found to decide; NULL: these were not seen.  `called` may be any address that
 * stands for the call. */
const struct site_some *site_callers(const void *called,
                                     const struct site_above *above,
                                     const void *frame);

/* Where to keep what the callers up to frame `count` decide.  NULL: nowhere, or
 * it is there. */
const struct site_some **site_callers_place(const void *called,
                                            struct site_above *above,
                                            const struct site_frames *frames,
                                            unsigned count);

/* --- site_calls.c: who allocates --- */

/* Of the call that returns to `back`, whose frame lies above `frame`: the rule
 * that takes `bytes` of it, or NULL. */
const struct site_rule *site_choose(size_t bytes, const void *back,
                                    const void *frame);

/* Of blocks of which only a part is chosen, by the choice of their first part;
 * NULL: none are.  Is there one at all? */
extern const struct site_rule *site_parts_of[RULES_CHOICES];
extern bool site_in_parts;

/* Below, no size is looked up at all. */
extern size_t site_least;

/* From here on, blocks may be taken whoever asks for them. */
extern size_t site_large;

/* Return addresses that no rule has anything from, by a hash of theirs. */
enum { SITE_LG_PASSED = 9 };
extern uintptr_t site_passed[1 << SITE_LG_PASSED];

static inline uintptr_t *site_passed_place(const void *back) {
  uint64_t mixed = (uintptr_t)back * UINT64_C(0x9e3779b97f4a7c15);
  return &site_passed[mixed >> (64 - SITE_LG_PASSED)];
}

/* Is the call that returns to `back` to be looked up?  Inline, and short: while
 * a processor waits for memory, it begins some hundred of the next
 * instructions. The more of them are here, the fewer are the program's, which
 * would begin to wait for memory, too. */
static inline bool site_asks(size_t bytes, const void *back) {
  return __builtin_expect(bytes >= site_least, 0) &&
         (bytes >= site_large ||
          __atomic_load_n(site_passed_place(back), __ATOMIC_RELAXED) !=
              (uintptr_t)back);
}

/* The rules of a choice take nothing any more. */
void site_rules_spend(int choice);

/* Read the rules, once.  False where that is too soon, or there are none. */
bool site_begin(void);

/* --- site_blocks.c: memory of chosen blocks --- */

/* Owners; others are the number of a range and 1. */
enum { SITE_NOBODY = 0, SITE_ARENA = -1, SITE_SLABS = -2 };
enum { SITE_OWN_LEAST = 32 << 20 }; /* a block with a mapping of its own */

/* Who has each 2 MiB of addresses: of an arena, all of them, and nothing else
 * lies in those; of a block with a mapping of its own, the first. */
enum { SITE_LG_UNIT = 21, SITE_LG_LEAF = 13, SITE_LG_ADDRESS = 47 };
extern int32_t
    *site_leaves[1 << (SITE_LG_ADDRESS - SITE_LG_UNIT - SITE_LG_LEAF)];

/* The owner of the block that begins at `at`, where `owner` has the unit. */
int64_t site_owner_of_own(const void *at, int64_t owner);

/* The address of no block has any of these bits.  Blocks with mappings of their
 * own begin with a page; once there is an arena, others may begin anywhere. */
extern uintptr_t site_nowhere;

/* Whose the block at an address is: here, as free() asks each time. */
static inline int64_t site_owner(const void *at) {
  uintptr_t unit = (uintptr_t)at >> SITE_LG_UNIT;
  if ((uintptr_t)at & __atomic_load_n(&site_nowhere, __ATOMIC_RELAXED))
    return SITE_NOBODY;
  const int32_t *leaf =
      __atomic_load_n(&site_leaves[unit >> SITE_LG_LEAF], __ATOMIC_ACQUIRE);
  int64_t owner = leaf ? leaf[unit % (1 << SITE_LG_LEAF)] : SITE_NOBODY;
  return owner > 0 ? site_owner_of_own(at, owner) : owner;
}

/* Say so of whole units.  False where there is no memory for that. */
bool site_own(uintptr_t start, size_t bytes, int64_t owner);

/* A block by `rule`, zeroed if so asked; NULL: there is no memory. */
void *site_block(const struct site_rule *rule, size_t bytes, size_t alignment,
                 bool zeroed);
void site_block_free(void *block, int64_t owner);
size_t site_block_size(const void *block, int64_t owner);

/* In place or elsewhere; NULL: there is no memory, and the block stays. */
void *site_block_resize(void *block, int64_t owner, size_t bytes);

/* Memory at a multiple of 2 MiB on larger pages; `*mapped` is what it takes.
 * 0: there is none. */
uintptr_t site_map(size_t bytes, int choice, size_t *mapped);

/* A mapping for the call of mmap() that returns to `back`; NULL: not chosen. */
void *site_mapping(size_t bytes, const void *back, const void *frame);

/* Of shared memory: see choose_site of shim.h. */
unsigned site_shared(size_t bytes, const void *back, const void *frame,
                     struct range part[SHIM_PARTS]);

/* --- site_heap.c: large blocks of glibc's heap, where that is chosen --- */

/* Is it chosen, and glibc's? */
bool site_heap_begin(void);

/* What takes such a block, whoever asks for it; NULL: it stays with glibc. */
const struct site_rule *site_heap_rule(size_t bytes);

/* A block with a mapping of its own is gone. */
void site_heap_freed(int choice, size_t bytes);

/* --- site_arena.c: jemalloc, by names of its own --- */

/* At the start, if the program may need it; else with the first block, when an
 * object was loaded later. */
void arena_begin(void);

void *arena_block(size_t bytes, size_t alignment, bool zeroed);
void arena_free(void *block);
size_t arena_size(const void *block);
void *arena_resize(void *block, size_t bytes);

/* 2 MiB of it, whose owner is SITE_SLABS, at a multiple of that; 0: there are
 * none. */
uintptr_t arena_unit(void);

/* The memory of such a unit. */
void arena_give_back(uintptr_t start, size_t bytes);

/* Have such a unit, of which nothing was touched yet, on base pages, and back
 * on a huge one.  arena_shrink() is false where it stays as it is. */
bool arena_shrink(uintptr_t unit);
void arena_enlarge(uintptr_t unit);

/* --- site_slabs.c: blocks of an arena that do not share few sets of caches ---
 */

/* Does it have such blocks? */
bool slabs_have(size_t bytes);

/* Of an arena that has begun, aligned to 16. */
void *slabs_block(size_t bytes, bool zeroed);
void slabs_free(void *block);
size_t slabs_size(const void *block);
void *slabs_resize(void *block, size_t bytes);

/* Around a fork. */
void slabs_hold(void);
void slabs_release(void);

/* --- site_forks.c --- */

/* Before the program registers what is to be done around fork(). */
void site_forks_begin(void);

/* No other thread forks meanwhile; a signal handler of this one may. */
void site_forks_hold(void);
void site_forks_release(void);

/* --- site_new.c --- */

/* Find the operators that there would be without us. */
void site_new_begin(void);

/* --- site_malloc.c --- */

/* The malloc that there would be without us, or NULL where one lacks.  The
 * first five may be called at any time: the first call looks all of them up. */
struct site_real {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void (*free)(void *);
  size_t (*malloc_usable_size)(void *);
  void *(*memalign)(size_t, size_t); /* from here on by site_real() */
  void *(*aligned_alloc)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*valloc)(size_t);
  void *(*pvalloc)(size_t);
};
extern struct site_real site_next;
extern bool site_found;
void site_find(void);

/* What a name has behind us; `function`, the address of a pointer to one, stays
 * as it is where there is none. */
void site_find_next(void *function, const char *name);

/* Before there are threads: glibc's loader allocates, and where it does not,
 * our constructor asks. */
static inline const struct site_real *site_real(void) {
  if (__builtin_expect(!__atomic_load_n(&site_found, __ATOMIC_ACQUIRE), 0))
    site_find();
  return &site_next;
}

/* A chosen block for the call that returns to `back`, with errno as it was;
 * NULL: it is not chosen. */
void *site_take(size_t bytes, size_t alignment, bool zeroed, const void *back,
                const void *frame);

/* In a function that is called for a block: where the call returns to, and
 * where the frame pointer of the caller would be saved, without one. */
#define SITE_BACK __builtin_return_address(0)
#define SITE_FRAME ((char *)__builtin_dwarf_cfa() - 2 * sizeof(void *))
#define SITE_TAKE(bytes, alignment, zeroed)                                  \
  (site_asks(bytes, SITE_BACK) ? site_take((bytes) ? (bytes) : 1, alignment, \
                                           zeroed, SITE_BACK, SITE_FRAME)    \
                               : NULL)

/* Is malloc() of the program the one here? */
bool site_is_malloc(void);
