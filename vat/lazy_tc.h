/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/lazy_tc.h -- translation caches (TCs) of several page sizes that are fed
 * with one stream of addresses and report what each access missed.
 *
 * For callers that see one access at a time and can spare a few instructions
 * for it, such as code put into a running program.  A direct-mapped table holds
 * the pages accessed lately, each with the time of its last access.  An access
 * to a page in that table (a recent page) costs a comparison and a store of the
 * time; no TC is touched.  Any other access replaces the table's entry and is
 * appended to a buffer of deferred accesses; the TCs look up the whole buffer
 * at once, so that cache misses of the simulation overlap instead of standing
 * between the program's own accesses.  Recency is lazy, too: leaves carry
 * times, and are sorted into a queue only when a node has to be evicted.
 *
 * The result is exact, since a page stays in the table only while it cannot be
 * evicted.  Freestanding: no library is called, and all memory is the caller's.
 * The misses are those of vat_policy_islru and vat_policy_lru, or those of
 * vat/tlb.h; tests compare them.  For experiments/valgrind/, and not installed.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/code_tlb.h"
#include "vat/mixed_tlb.h"
#include "vat/node_set.h"
#include "vat/tlb.h"
#include "vat/tree.h"

enum {
  LAZY_TC_TREES = 4, /* at most */
  LAZY_TC_LG_RECENT =
      8, /* 4 KiB, so that most of a first-level cache is left */
  LAZY_TC_RECENT = 1 << LAZY_TC_LG_RECENT,
  LAZY_TC_DEFERRED = 64,      /* accesses at most */
  LAZY_TC_BATCHES = 64,       /* whose times are known; a power of two */
  LAZY_TC_NODES_MAX = 1 << 24 /* W */
};

struct recent_page {
  uint64_t page;  /* an address in it; NO_RECENT_PAGE */
  uint64_t stamp; /* time of the last access to it */
};
#define NO_RECENT_PAGE (UINT64_C(1) << 63)

/* An access to a page that was not in the table. */
struct deferred_access {
  uint64_t address, time;
  struct recent_page before; /* the entry that it replaced */
  void *who, *where;         /* the caller's */
};

struct lazy_node {
  uint64_t key;      /* vat_tree_key() */
  uint64_t stamp;    /* of a leaf: a time that it is at least as recent as */
  uint32_t next;     /* in its chain */
  uint32_t parent;   /* slot; 0: it is a root */
  uint32_t children; /* in the TC */
  uint32_t evicted;  /* of LRU: evicted, but has children */
};

/* To sort leaves by time. */
struct leaf_age {
  uint64_t stamp;
  uint32_t slot;
};

enum lazy_tc_policy {
  LAZY_TC_ISLRU,
  LAZY_TC_LRU,
  LAZY_TC_TLB,
  LAZY_TC_CODE_TLB
};

/* The page that an address is in, of a tree whose pages have several sizes
 * (vat/layout.h): its first page of the tree, of 2^digits such pages, and the
 * layer of its leaf.  No leaf may ever have been above another.  An address
 * changes its page only when vat_lazy_tcs_forget() has been told. */
struct lazy_page {
  uint64_t page;
  unsigned digits, leaf;
};
typedef struct lazy_page lazy_page_of(uint64_t address);

struct lazy_mixed {
  lazy_page_of *page_of;
  struct mixed_tlb tlb;               /* of LAZY_TC_TLB */
  uint64_t looked_up[LAZY_TC_RECENT]; /* the pages of the tree that `leaves` are
                                         of */
};
enum { LAZY_TC_LARGE = 0x80 }; /* a bit of `missed`: of a page of several */

/* A TC.  Nodes live in slots 1..used; what is listed are leaves' slots. */
struct lazy_tc {
  struct vat_tree tree;
  enum lazy_tc_policy policy;
  uint32_t limit; /* W */
  uint32_t used;
  unsigned shift; /* of a hash, gives the chain */
  uint32_t *chains;
  struct lazy_node *nodes;
  uint32_t *queue; /* of `queued` leaves, from `next` on, least recent first */
  uint32_t *fresh; /* `loaded` leaves: loaded since the queue was made */
  uint32_t *skipped; /* `passed` leaves accessed before their turn came */
  struct leaf_age *ages, *room; /* to make a queue */
  uint32_t queued, next, loaded, skipped_count;
  uint64_t made; /* time of the access at which the queue was made */
  uint32_t bare; /* ISLRU: lost its last child to the last eviction */
  uint32_t tail; /* LRU: the leaf whose ancestors are gone; 0: none */
  uint32_t held; /* LRU: nodes in the TC */
  uint32_t freed, free[2 * VAT_LAYERS_MAX]; /* LRU: slots */
  uint32_t inner;                           /* nodes that are no leaves */
  bool prepared;          /* for evictions, since accesses were last deferred */
  struct lazy_tc *larger; /* that holds all inner nodes of this one, or NULL */
  unsigned lift;          /* of such: layer, in the first tree, of its leaves */
  struct tlb tlb;         /* of LAZY_TC_TLB, and nothing else here is */
  struct code_tlbs *code; /* of LAZY_TC_CODE_TLB: its data of that number */
  struct lazy_mixed *mixed; /* pages of several sizes; NULL: they have one */
  struct node_set rest;     /* its nodes that are in no smaller TC */
  uint32_t spare;           /* a free slot of these, or 0; linked by `older` */
  uint32_t leaves[LAZY_TC_RECENT]; /* of the table's entries, as looked up */
};

struct lazy_tcs {
  struct recent_page recent[LAZY_TC_RECENT];
  struct deferred_access deferred[LAZY_TC_DEFERRED];
  struct deferred_access *next; /* where the next goes, up to `full` */
  struct deferred_access
      *full; /* where they are looked up; room for one: none is deferred */
  unsigned page_bits; /* of the smallest pages */
  unsigned trees;
  uint64_t recent_mask; /* of page numbers; 0: the table has one entry */
  unsigned only;        /* where none is deferred: the entry in use */
  uint64_t batch;    /* of up to LAZY_TC_DEFERRED looked up: how many batches */
  unsigned in_batch; /* accesses of the last one */
  uint64_t oldest; /* what was accessed before that batch is not in the table */
  uint64_t begun[LAZY_TC_BATCHES]; /* time of the first access of a batch */
  uint8_t missed[LAZY_TC_DEFERRED][LAZY_TC_TREES]; /* nodes */
  /* Called when accesses were looked up; see vat_lazy_tcs_look_up(). */
  void (*looked_up)(const struct lazy_tcs *tcs, unsigned deferred);
  struct lazy_tc tc[LAZY_TC_TREES];
};

/* Bytes of memory, aligned as malloc() does it, that a TC of `nodes` takes. */
size_t vat_lazy_tc_bytes(uint64_t nodes);

/* Begin without a TC.  Then add some, of d + 1 to LAZY_TC_NODES_MAX nodes each.
 */
void vat_lazy_tcs_init(struct lazy_tcs *tcs);
void vat_lazy_tcs_add(struct lazy_tcs *tcs, const struct vat_tree *tree,
                      uint64_t nodes, enum lazy_tc_policy policy, void *memory);
/* A TLB instead, of vat_tlb_bytes() of memory; then all have to be.  Sets are
 * small, so that only the page that was accessed last is a recent one. */
void vat_lazy_tcs_add_tlb(struct lazy_tcs *tcs, const struct vat_tree *tree,
                          const struct tlb_shape *shape, void *memory);
/* Those beside the TLBs of fetches: for each size of `code`, in their order. */
void vat_lazy_tcs_add_code_tlb(struct lazy_tcs *tcs,
                               const struct vat_tree *tree,
                               struct code_tlbs *code);
/* The same two, behind all others, with pages of several sizes. */
void vat_lazy_tcs_add_mixed(struct lazy_tcs *tcs, const struct vat_tree *tree,
                            uint64_t nodes, enum lazy_tc_policy policy,
                            struct lazy_mixed *mixed, void *memory);
/* Memory: vat_mixed_tlb_bytes(). */
void vat_lazy_tcs_add_mixed_tlb(struct lazy_tcs *tcs,
                                const struct vat_tree *tree,
                                const struct mixed_tlb_shape *shape,
                                struct lazy_mixed *mixed, void *memory);
/* What was deferred has been looked up: the next access to each page from
 * `start` to `end` will be, too. */
void vat_lazy_tcs_forget(struct lazy_tcs *tcs, uint64_t start, uint64_t end);
/* What the second level of a TLB had since it was empty; 0 of a TC. */
uint64_t vat_lazy_tcs_second_hits(const struct lazy_tcs *tcs, unsigned t);
/* Empty all TCs. */
void vat_lazy_tcs_clear(struct lazy_tcs *tcs);

/*
 * Look up the deferred accesses, at any time, and call tcs->looked_up.  Access
 * i has then missed tcs->missed[i][t] nodes of tree t, which are those of
 * layers 0 to tcs->missed[i][t] - 1, under either policy.  With pages of
 * several sizes they are those from its leaf's layer up, and LAZY_TC_LARGE is
 * added if the page is larger than the tree's.
 */
void vat_lazy_tcs_look_up(struct lazy_tcs *tcs);

/* All there is to an access; generated code does the same.  `now` is
 * later than all before. */
static inline struct recent_page *lazy_tcs_recent(struct lazy_tcs *tcs,
                                                  uint64_t address) {
  return &tcs->recent[address >> tcs->page_bits & tcs->recent_mask];
}
/* Two words at once.  While the program waits for memory, its accesses overlap
 * as far as the processor can keep the stores between them. */
static inline void lazy_tcs_store(void *to, uint64_t first, uint64_t second) {
  typedef uint64_t pair __attribute__((vector_size(16)));
  const pair both = {first, second};
  __builtin_memcpy(to, &both, sizeof both);
}
/* Its page is not in the table. */
static inline void lazy_tcs_defer(struct lazy_tcs *tcs, uint64_t address,
                                  uint64_t now, void *who, void *where) {
  struct recent_page *recent = lazy_tcs_recent(tcs, address);
  struct deferred_access *access = tcs->next;
  lazy_tcs_store(&access->before, recent->page, recent->stamp);
  lazy_tcs_store(&access->address, address, now);
  lazy_tcs_store(recent, address, now);
  access->who = who;
  access->where = where;
  tcs->next = access + 1;
  if (tcs->next == tcs->full) vat_lazy_tcs_look_up(tcs);
}
static inline void lazy_tcs_access(struct lazy_tcs *tcs, uint64_t address,
                                   uint64_t now, void *who, void *where) {
  struct recent_page *recent = lazy_tcs_recent(tcs, address);
  if ((recent->page ^ address) >> tcs->page_bits)
    lazy_tcs_defer(tcs, address, now, who, where);
  else
    recent->stamp = now;
}
