/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/fan.h -- one stream of addresses fanned out to translation caches
 * of several page sizes, telling of each access what it missed.
 *
 * For callers that see one access at a time and can spare a few instructions
 * for it, such as code put into a running program.  A page that was accessed
 * lately has its door open: to access it is to write the time on the door, all
 * TCs being done with by that one store.  Who finds the door shut, or open on
 * another page, opens it, and is remembered; the TCs learn of many at a time,
 * so that what has to be looked up does not stand between the program's own
 * accesses, which the processor then overlaps.
 *
 * That is exact, since a door is open only while its page cannot possibly be
 * evicted.  Freestanding: no library is called, and all memory is the caller's.
 * The misses are those of vat_policy_islru and vat_policy_lru, or those of
 * vat/tlb.h; tests compare them.  For experiments/valgrind/, and not installed.
 */
#ifndef VAT_FAN_H
#define VAT_FAN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/node_set.h"
#include "vat/tlb.h"
#include "vat/tree.h"

enum {
  FAN_TREES = 4,    /* at most */
  FAN_LG_DOORS = 8, /* 4 KiB, so that most of a first-level cache is left */
  FAN_DOORS = 1 << FAN_LG_DOORS,
  FAN_KNOCKS = 64,        /* remembered at most */
  FAN_BATCHES = 64,       /* whose times are known; a power of two */
  FAN_NODES_MAX = 1 << 24 /* W */
};

struct fan_door {
  uint64_t page;  /* an address in it; FAN_SHUT */
  uint64_t stamp; /* time of the last access through the door */
};
#define FAN_SHUT (UINT64_C(1) << 63)

/* Somebody opened a door. */
struct fan_knock {
  uint64_t address, time;
  struct fan_door before; /* what the door was like */
  void *who, *where;      /* the caller's */
};

struct fan_node {
  uint64_t key;      /* vat_tree_key() */
  uint64_t stamp;    /* of a leaf: a time that it is at least as recent as */
  uint32_t next;     /* in its chain */
  uint32_t parent;   /* slot; 0: it is a root */
  uint32_t children; /* in the TC */
  uint32_t gone;     /* of LRU: evicted, but has children */
};

/* To sort leaves by time. */
struct fan_turn {
  uint64_t stamp;
  uint32_t slot;
};

enum fan_policy { FAN_ISLRU, FAN_LRU, FAN_TLB };

/* A TC.  Nodes live in slots 1..used; what is listed are leaves' slots. */
struct fan_tc {
  struct vat_tree tree;
  enum fan_policy policy;
  uint32_t limit; /* W */
  uint32_t used;
  unsigned shift; /* of a hash, gives the chain */
  uint32_t *chains;
  struct fan_node *nodes;
  uint32_t *queue; /* of `queued`, from `next` on, least recent first */
  uint32_t *fresh; /* `loaded` leaves that came since it was made */
  uint32_t *late;  /* `passed` leaves accessed before their turn came */
  struct fan_turn *turns, *room; /* to make a queue */
  uint32_t queued, next, loaded, passed;
  uint64_t made; /* time of the knock that the queue was made at */
  uint32_t bare; /* ISLRU: lost its last child to the last eviction */
  uint32_t tail; /* LRU: the leaf whose ancestors are gone; 0: none */
  uint32_t held; /* LRU: nodes in the TC */
  uint32_t freed, free[2 * VAT_LAYERS_MAX]; /* LRU: slots */
  uint32_t inner;                           /* nodes that are no leaves */
  bool prepared;         /* for evictions, since the last knocks came */
  struct fan_tc *larger; /* that holds all inner nodes of this one, or NULL */
  unsigned lift;         /* of such: layer, in the first tree, of its leaves */
  struct tlb tlb;        /* of FAN_TLB, and nothing else here is */
  struct node_set rest;  /* its nodes that are in no smaller TC */
  uint32_t spare;        /* a free slot of these, or 0; linked by `older` */
  uint32_t leaves[FAN_DOORS]; /* that doors were last opened on */
};

struct fan {
  struct fan_door doors[FAN_DOORS];
  struct fan_knock knocks[FAN_KNOCKS];
  struct fan_knock *next; /* which have room, up to `full` */
  struct fan_knock *full; /* where they are answered; one knock: none waits */
  unsigned page_bits;     /* of a door: those of the smallest pages */
  unsigned trees;
  uint64_t door_mask; /* of pages' numbers; 0: all knock at one door */
  unsigned only;      /* where none waits: the door that is open */
  uint64_t batch;     /* of up to FAN_KNOCKS that were answered: how many */
  unsigned in_batch;  /* knocks of the last one */
  uint64_t oldest; /* doors of what was accessed before that batch are shut */
  uint64_t begun[FAN_BATCHES]; /* time of the first knock of a batch */
  uint8_t missed[FAN_KNOCKS][FAN_TREES]; /* nodes */
  /* Called for knocks that were answered; see vat_fan_answer(). */
  void (*answered)(const struct fan *fan, unsigned knocks);
  struct fan_tc tc[FAN_TREES];
};

/* Bytes of memory, aligned as malloc() does it, that a TC of `nodes` takes. */
size_t vat_fan_tc_bytes(uint64_t nodes);

/* Begin without a TC.  Then add some, of d + 1 to FAN_NODES_MAX nodes each. */
void vat_fan_init(struct fan *fan);
void vat_fan_add(struct fan *fan, const struct vat_tree *tree, uint64_t nodes,
                 enum fan_policy policy, void *memory);
/* A TLB instead, of vat_tlb_bytes() of memory; then all have to be.  Sets are
 * small, so that only the page that was accessed last has its door open. */
void vat_fan_add_tlb(struct fan *fan, const struct vat_tree *tree,
                     const struct tlb_shape *shape, void *memory);
/* Empty all TCs. */
void vat_fan_clear(struct fan *fan);

/*
 * Look up those who knocked, at any time, and call fan->answered.  Knock i has
 * then missed fan->missed[i][t] nodes of tree t, which are those of layers 0 to
 * fan->missed[i][t] - 1,
 * under either policy.
 */
void vat_fan_answer(struct fan *fan);

/* All there is to an access.  Code that is generated does the same.  `now` is
 * later than all before. */
static inline struct fan_door *fan_door(struct fan *fan, uint64_t address) {
  return &fan->doors[address >> fan->page_bits & fan->door_mask];
}
/* Two words at once.  While the program waits for memory, its accesses overlap
 * as far as the processor can keep the stores between them. */
static inline void fan_store(void *to, uint64_t first, uint64_t second) {
  typedef uint64_t pair __attribute__((vector_size(16)));
  const pair both = {first, second};
  __builtin_memcpy(to, &both, sizeof both);
}
/* The door is shut, or open on another page. */
static inline void fan_knock(struct fan *fan, uint64_t address, uint64_t now,
                             void *who, void *where) {
  struct fan_door *door = fan_door(fan, address);
  struct fan_knock *knock = fan->next;
  fan_store(&knock->before, door->page, door->stamp);
  fan_store(&knock->address, address, now);
  fan_store(door, address, now);
  knock->who = who;
  knock->where = where;
  fan->next = knock + 1;
  if (fan->next == fan->full) vat_fan_answer(fan);
}
static inline void fan_access(struct fan *fan, uint64_t address, uint64_t now,
                              void *who, void *where) {
  struct fan_door *door = fan_door(fan, address);
  if ((door->page ^ address) >> fan->page_bits)
    fan_knock(fan, address, now, who, where);
  else
    door->stamp = now;
}
#endif
