/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/reuse.h -- what one run of an algorithm asks of caches,
 * TLBs and translation caches: its reuse profile.
 *
 * The reuse distance of an access is how many others were accessed since the
 * last access to the same: a cache that holds C and evicts what was used least
 * recently hits where the distance is below C (Mattson et al., IBM Systems
 * Journal 9(2), 1970).  So histograms of distances tell the misses of caches
 * of all sizes.  They come from one pass of the traced algorithm's run, without
 * its setup; what was never accessed before is apart, as cold.
 *
 * Distances are looked up for some accesses, chosen at random, where memory is
 * large; each is exact, and counts are scaled to what they stand for.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "experiments/stream/stream.h"
#include "vat/tc.h"

enum {
  REUSE_LINE_BITS = 6, /* a line of a cache, and of a page table */
  REUSE_PAGES_MAX = 4,
  REUSE_TCS_MAX = 32,
  REUSE_WINDOW = 256,
};

enum {
  REUSE_BUCKETS = 240, /* of distances below 2^32 */
  REUSE_COARSE = 56    /* below 2^28 */
};

/*
 * Distance d is in bucket d below 16, but 0 and 1 share bucket 0: what goes to
 * one of the last two, in turns or not, misses nowhere.  From there on an
 * octave has eight buckets of the same width.
 */
static inline unsigned reuse_bucket(uint64_t distance) {
  if (distance < 2) return 0;
  if (distance < 8) return (unsigned)distance;
  unsigned octave = 63 - (unsigned)__builtin_clzll(distance);
  unsigned bucket = 8 * (octave - 2) + (distance >> (octave - 3) & 7);
  return bucket < REUSE_BUCKETS ? bucket : REUSE_BUCKETS - 1;
}
/* The least distance in a bucket. */
uint64_t reuse_bucket_least(unsigned bucket);

/* The same with two buckets an octave. */
static inline unsigned reuse_coarse(uint64_t distance) {
  if (distance < 2) return 0;
  unsigned octave = 63 - (unsigned)__builtin_clzll(distance);
  unsigned bucket = 2 * octave + (distance >> (octave - 1) & 1);
  return bucket < REUSE_COARSE ? bucket : REUSE_COARSE - 1;
}
uint64_t reuse_coarse_least(unsigned bucket);

struct reuse_histogram {
  double count[REUSE_BUCKETS];
  double cold;
};

/* How many distances are at least so long, cold ones left out; within a bucket
 * they are taken for spread evenly. */
double reuse_beyond(const struct reuse_histogram *histogram, double distance);

/*
 * Pages of one size.  A line of a page table has the entries of eight pages
 * that lie side by side.  Each time the run goes to another page than the last
 * two, the distance of that line is noted: of how many lines of data, since a
 * page there was accessed.
 */
struct reuse_pages {
  unsigned page_bits;
  struct reuse_histogram pages;  /* in pages; of all accesses */
  struct reuse_histogram tables; /* in lines of data */
  /* By distances of the page and of its table's line; the last is cold. */
  double joint[REUSE_COARSE + 1][REUSE_COARSE + 1];
  /* By distances of the table's line, in lines of data and in other lines of
   * such tables, which take room in the caches as well. */
  double tables_joint[REUSE_COARSE + 1][REUSE_COARSE + 1];
};

/* A TC of islru to be simulated, for tables of 512 entries. */
struct reuse_tc {
  unsigned page_bits, levels; /* page_bits: one of those asked for */
  uint64_t nodes;
};

struct reuse_params {
  /* A line belongs to a stream if the next four lower or the next four higher
   * lines were all among those that the last `window` changes of the line went
   * to; 0: REUSE_WINDOW. */
  unsigned window;
  unsigned every; /* one distance in so many is looked up; 0: by size */
  unsigned page_bits_count, page_bits[REUSE_PAGES_MAX]; /* 12 .. 30 */
  unsigned tc_count;
  struct reuse_tc tcs[REUSE_TCS_MAX];
};

enum reuse_class { REUSE_OTHER, REUSE_STREAM, REUSE_CLASSES };

/*
 * What lines are in a cache for: in how many of its stays there a line is
 * loaded, and in how many it is stored to, each of which ends in a write-back.
 *
 * A cache of C lines (LRU, that stores fetch into) has a line from one of its
 * accesses at a distance of at least C to the next.  So it is stored to there
 * if and only if one of its stores is the last of that stay: the next store to
 * the line comes after an access at a distance of at least C, be it its own.
 * That is, if the span of the store, as we call the accesses to its line after
 * it up to and with the next store, has a longest distance of at least C.
 * So a histogram of the longest distances of all spans tells the write-backs
 * of caches of all sizes, as that of distances does the misses:
 *
 *     write-backs(C) = reuse_beyond(stores, C) + stores.cold
 *
 * The same of loads.  Stays without a load, which lines only written to have,
 * are misses(C) - loads(C); those both loaded and stored to are loads(C) +
 * write-backs(C) - misses(C).
 *
 * The last span of a line ends in the next run, with an access that is cold:
 * the run is taken to be followed by another, and what restores its input in
 * between to store to the same lines.
 */
enum { REUSE_KINDS = VAT_STORE + 1 };

struct reuse_profile {
  uint64_t accesses, workspace_bytes;
  double ram_ops;
  bool from_cache;
  struct reuse_histogram lines[REUSE_CLASSES]; /* bucket 0: all in OTHER */
  /* Spans by their longest distance, of [VAT_LOAD], of [VAT_STORE], each of the
   * class of the access that it begins with; those without one beyond 1 are
   * left out. */
  struct reuse_histogram kinds[REUSE_KINDS][REUSE_CLASSES];
  size_t pages_count;
  struct reuse_pages pages[REUSE_PAGES_MAX];
  size_t tc_count;
  uint64_t tc_misses[REUSE_TCS_MAX]; /* in the order of the params' */
};

/* Who is told how many accesses were simulated so far; NULL: nobody. */
struct reuse_watch {
  void (*told)(void *arg, uint64_t accesses);
  void *arg;
};

/*
 * The profile of a stream, of a generated or a given input; its base is not
 * looked at.  From the cache on disk (reuse_cache.h), or else simulated and
 * kept there.  An exit code, having printed why; VAT_FAILED and nothing printed
 * where a signal that is armed (interrupt.h) came.
 */
int reuse_profile_get(struct reuse_profile *profile,
                      const struct stream *stream,
                      const struct reuse_params *params,
                      const struct reuse_watch *watch);

/* Like reuse_profile_get(), but nothing is read or kept. */
int reuse_simulate(struct reuse_profile *profile, const struct stream *stream,
                   const struct reuse_params *params,
                   const struct reuse_watch *watch);

/* Bytes that it takes: the workspace, and what is kept of its lines. */
uint64_t reuse_memory(const struct stream *stream);
