/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/probe/calibration.h -- what `vat calibrate` found, as stored.
 *
 * Numbers of one machine from micro-benchmarks alone, and the curves that they
 * were read off; doc/calibration.md says how.  What could not be found is NAN
 * (null in the file), never 0.  Times are nanoseconds.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "huge_pages/page_kind.h"

/* A loop without memory takes the same time always but where the clock changes
 * or others take the processor; then all times are of that, too.  The most of
 * `canary_range` that is no cause for doubt, a share. */
#define CALIBRATION_CANARY_MOST 0.15

enum {
  CALIBRATION_SCHEMA = 1,
  CALIBRATION_LEVELS = 6, /* of caches, and memory behind them */
  CALIBRATION_KINDS = HP_KINDS_MAX,
  CALIBRATION_REPETITIONS = 3, /* fewer give no intervals */
  CALIBRATION_TLBS = 3,
  CALIBRATION_NAME = 32,
  CALIBRATION_TEXT = 240,
  CALIBRATION_WARNINGS = 24,
  CALIBRATION_RUNS = 5, /* of frames: of 1, 2, 4, 8, 16 base pages */
  COALESCING_POINTS = 40,
};

/* Its 95 % interval is [lo, hi]; NAN where there is none. */
struct cal_value {
  double value, lo, hi;
};

/* A level of data: caches by distance, memory last. */
struct cal_level {
  char name[CALIBRATION_NAME];   /* "L1", "L2", "L3", "memory" */
  double bytes_reported;         /* by the system; NAN: unknown, or memory */
  struct cal_value bytes_usable; /* by the curve; NAN for memory */
  struct cal_value ns;           /* a dependent access that finds its line here,
                                    its translation at hand */
  struct cal_value in_flight;    /* such accesses at once */
  /* ns an access that waits for nothing: a read of a line from here, and a read
   * and write, which has to go back, too.  NAN in older files. */
  struct cal_value read_ns, update_ns;
};

struct cal_tlb {
  struct cal_value entries;  /* each of granularity_bytes */
  struct cal_value extra_ns; /* of missing it and hitting the next level */
};

struct cal_pages {
  char kind[HP_NAME_SIZE];
  double page_bytes;
  /* What one entry of the TLB maps: on virtual machines the smaller of the
   * guest's page and the host's. */
  double granularity_bytes;
  struct cal_tlb tlb[CALIBRATION_TLBS]; /* levels, nearest first */
  size_t tlbs;
  /* A miss of the last TLB beyond what its hit costs, its table lines near. */
  struct cal_value tau_ns;
  struct cal_value tc_nodes; /* W: translations kept, in entries */
  /* Beyond tau, for each table line that comes from levels[i]; where the host
   * has base pages, too, a walk may bring two. */
  struct cal_value table_line_ns[CALIBRATION_LEVELS];
  struct cal_value walks_in_flight;
};

/* Time per access as a function of x. */
struct cal_point {
  double x, ns, lo, hi; /* lower quartile over repetitions (the median of
                           settled_chase), least, largest */
};

struct cal_curve {
  char name[CALIBRATION_NAME]; /* "line_chase", ... */
  char pages[HP_NAME_SIZE];
  bool by_pages;            /* x counts steps; else bytes */
  double step_bytes;        /* from one line that may be accessed to the next */
  unsigned chains;          /* independent ones at once; 0: no access waits */
  struct cal_point *points; /* x ascending */
  size_t count;
};

/*
 * Whether an entry of a TLB holds several base pages whose frames are
 * contiguous: the TLB then reaches farther if frames lie in runs than if they
 * are scattered.
 */
struct cal_coalescing_tlb {
  struct cal_value entries; /* scattered base pages that it reaches */
  /* How many times as far it reaches with runs of 2^i pages; [0] is the
   * control, scattered frames again.  NAN: too few pages were accessed. */
  struct cal_value reach[CALIBRATION_RUNS];
  /* Base pages that an entry holds, 1 if it does not coalesce; NAN: undecided.
   * It may be more if the next reach is NAN. */
  double joined;
};

struct cal_coalescing_point {
  double pages;    /* base pages that are accessed */
  double lines_ns; /* of a chase over as many lines on few pages */
  double scattered_ns, runs_ns[CALIBRATION_RUNS]; /* of chases over the pages */
};

struct cal_coalescing {
  char absent[CALIBRATION_TEXT];    /* why it was not measured; "": it was */
  char proof[CALIBRATION_NAME];     /* that frames are so: "pagemap", "smaps" */
  double page_bytes;                /* of a base page */
  struct cal_coalescing_tlb tlb[2]; /* levels, nearest first */
  size_t tlbs;
  struct cal_coalescing_point points[COALESCING_POINTS]; /* pages ascending */
  size_t point_count;
};

struct cal_noise {
  double timer_ns;     /* resolution of the clock */
  double canary_ns;    /* an operation of a compute-bound loop */
  double canary_range; /* (largest - least) / median over the blocks */
  double repeat_range; /* the same of repeated points, median over the points */
  double seconds;      /* the calibration took */
  double repetitions;
};

struct calibration {
  json_t *machine; /* the machine record; owned */
  struct cal_level levels[CALIBRATION_LEVELS];
  size_t level_count;
  struct cal_pages pages[CALIBRATION_KINDS];
  size_t page_count;
  /* ns a line, from memory. */
  struct cal_value stream_read, stream_write, stream_copy;
  /* Bytes a ns that others bring into the last cache, to the expense of what
   * was not accessed meanwhile.  NAN in older files. */
  struct cal_value neighbours;
  struct cal_curve *curves; /* owned, with their points */
  size_t curve_count;
  struct cal_noise noise;
  struct cal_coalescing coalescing; /* absent in older files */
  char warnings[CALIBRATION_WARNINGS][CALIBRATION_TEXT];
  size_t warning_count;
};

void calibration_fini(struct calibration *cal); /* zeroed is fine */

/* Whether it is of the machine that `machine`, a machine record, is of. */
bool calibration_is_of(const struct calibration *cal, const json_t *machine);

/* NULL: there is none. */
const struct cal_pages *calibration_pages(const struct calibration *cal,
                                          const char *kind);
/* Those of `kind`, else of pages as large, which tell the same; NULL. */
const struct cal_pages *calibration_page_for(const struct calibration *cal,
                                             const char *kind);
const struct cal_level *calibration_level(const struct calibration *cal,
                                          const char *name);
const struct cal_curve *calibration_curve(const struct calibration *cal,
                                          const char *name, const char *kind,
                                          unsigned chains);

/* More than cal_coalescing_tlb.joined may be held. */
bool cal_coalescing_open(const struct cal_coalescing_tlb *tlb);

/* Base pages that an entry of the last TLB holds if their frames are
 * contiguous; NAN: not known. */
double cal_coalescing_joined(const struct cal_coalescing *coalescing);

/* {"record":"calibration",...}, as doc/calibration.md has every key; the caller
 * owns it. */
json_t *calibration_to_json(const struct calibration *cal);

/*
 * Fill `cal` from such an object, which is checked.  Returns 0, or -1 with
 * errno EINVAL (another schema, damaged), `why` a sentence, and nothing to
 * release.
 */
int calibration_from_json(struct calibration *cal, const json_t *object,
                          char why[CALIBRATION_TEXT]);

/* The same of the file at `path`, or of a pipe, such as a shell's <(COMMAND);
 * also errno of open.  `why` begins with the path. */
int calibration_read(struct calibration *cal, const char *path, char *why,
                     size_t why_size);

/*
 * Read a curve between its points.
 *
 * A chase accesses one of x spots, each as likely as any other, whatever came
 * before.  The number of other spots since a spot's last access is then evenly
 * distributed over 0..x-1, so the mean time t(x) is the mean of L(d), the time
 * of an access at distance d, over all d < x: L(d) = d (x t(x)) / dx at x = d.
 */

/* t(x), straight between points over log x, level outside of them; NAN where
 * there is no point, or no curve. */
double curve_at(const struct cal_curve *curve, double x);

/*
 * L(d): constant between points, as x t(x) is taken for straight there, and
 * level outside of them.  Noise may let slopes fall where L cannot: it is the
 * never falling sequence nearest to them in squares, weighted by length.  NAN
 * with fewer than two points, or no curve.
 */
double curve_distance(const struct cal_curve *curve, double distance);
