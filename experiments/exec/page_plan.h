/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/page_plan.h -- a plan: what of a program's memory goes on
 * larger pages.
 *
 * `vat plan` makes it of a profile, `vat exec` and `vat compare` carry it out.
 * It is one JSON object.  A choice says what is chosen in a form that finds it
 * again in another run: allocation sites by their return addresses in objects
 * of a known build, the rest by rule.  Sizes are bytes, times are seconds of
 * user time; a number that is not known is NAN, and null in the file.
 */
#pragma once
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  PLAN_SCHEMA = 1,
  PLAN_NAME = 16,  /* of a page kind */
  PLAN_FRAMES = 8, /* of a chain at most */
  PLAN_WHY = 240,
  PLAN_BUILD_ID = 2 * 64 + 1 /* hexadecimal digits: of 20 bytes, usually */
};

/* How a choice is found. */
enum plan_what {
  PLAN_SITE_LARGE, /* blocks of at least `least_bytes` that are allocated, or
                      mapped, through one of its chains: where they are */
  PLAN_SITE_SMALL, /* its smaller blocks: in memory of their own */
  PLAN_HEAP,       /* all that malloc() hands out */
  PLAN_DATA,       /* static data of `where`, or of every object ("") */
  PLAN_STACK,      /* of the main thread */
  PLAN_MAPPINGS,   /* anonymous mappings of at least `least_bytes`, and shared
                      memory */
  PLAN_FILE,       /* mappings of the file `where` */
  PLAN_SHARED,     /* shared memory that is of no file on a disk, and at least
                      `least_bytes`: of one of its chains, or all */
  PLAN_TEXT,       /* the code of the program and of each library that is
                      loaded with it, or of NAME: `where` is "text=NAME" */
  PLAN_WHATS
};
extern const char *const plan_what_names[PLAN_WHATS]; /* "site-large" */

/* A return address: where in the ELF file `object` (its path when it was
 * profiled) it lies, as a virtual address of that file, which is the address
 * less the object's load bias.  The rest is for people. */
struct plan_frame {
  char *object;
  uint64_t offset;
  char *function; /* NULL: unknown, as `file` and `line` 0 */
  char *file;
  uint32_t line;
};

/* The calls that led to an allocation, innermost first.  The first frame is the
 * caller of the allocator that the program called; frames within operator
 * new() are left out. */
struct plan_chain {
  struct plan_frame *frame;
  size_t frames; /* 1 to PLAN_FRAMES */
};

struct plan_choice {
  char *where; /* "heap hash.c:88 (make_table)", or as of plan_what */
  char *kind;  /* of the profile: "heap", "mapping", ... */
  uint32_t what;
  uint64_t bytes;            /* that go on larger pages */
  double saving_s, lo, hi;   /* predicted */
  uint64_t least_bytes;      /* of a block */
  uint64_t from, to;         /* the part of each block, or of a site's small
                                blocks the first `to` bytes; 0, 0: all of it */
  struct plan_chain *chains; /* any of them */
  size_t chain_count;        /* 0: not of a site */
  char *madvise;             /* what to write into the source; NULL: nothing */
  char *refused; /* not of the file: why plan_match() leaves it out, or NULL */
};

struct plan_object {
  char *name;
  char build_id[PLAN_BUILD_ID]; /* "": it has none */
};

struct plan_ratio {
  double user_ratio, lo, hi; /* to user time on base pages */
};

struct plan_everything {
  struct plan_ratio ratio;
  uint64_t bytes;
};

struct plan_point {
  double bytes, user_ratio;
};

/* Misses of base pages' leaves, and seconds in which their walks go on; seconds
 * of what the second level of the TLB has for the first, at PLAN_HIT_CYCLES: of
 * the program as it is, with the plan, and if all that can be were on larger
 * pages.  All 0: not known. */
enum { PLAN_HIT_CYCLES = 7 }; /* as in the model of Pham et al., MICRO 2015 */
struct plan_walks {
  double misses[3], walk_s[3], hit_s[3];
};

/* What a plan costs beside its memory. */
struct plan_harm {
  double peak_rss_bytes[2]; /* now, and then */
  double zeroed_bytes;      /* more than now */
  double faults_saved;
};

/* Other ways to the same: "GLIBC_TUNABLES", "systemd", ... */
struct plan_way {
  char *name, *text;
};

struct page_plan {
  char **command; /* of the profile */
  size_t words;
  char pages[PLAN_NAME]; /* the page kind */
  struct plan_object *objects;
  size_t object_count;
  double budget_bytes; /* NAN: no limit */
  uint64_t used_bytes;
  struct plan_ratio predicted;
  struct plan_everything everything; /* if all that can be were */
  struct plan_walks walks;
  double optimum_saving_s; /* at most, of any choice within the budget */
  struct plan_harm harm;
  char *verdict;               /* NULL: worth it; else why not */
  struct plan_choice *choices; /* in the order of being chosen */
  size_t choice_count;
  struct plan_point *curve; /* by rising bytes */
  size_t points;
  struct plan_way *ways;
  size_t way_count;
};

/* The caller owns it. */
json_t *page_plan_to_json(const struct page_plan *plan);

/* What it predicts, without what it chooses. */
json_t *page_plan_predictions(const struct page_plan *plan);

/* 0; or -1 with errno EINVAL and a sentence in `why`: then `plan` is empty. */
int page_plan_from_json(struct page_plan *plan, const json_t *object,
                        char why[PLAN_WHY]);

/* The same of a file, which `why` names; errno as of json_file_read(). */
int page_plan_read(struct page_plan *plan, const char *path, char *why,
                   size_t why_size);

/* What the plan of that file is called among `count`: as the file, without
 * folders and ".json"; the only one is "plan".  To free(). */
char *page_plan_name(const char *path, size_t count);

/* The build-id of an object of the plan; "": it has none, or is not known. */
const char *page_plan_build_of(const struct page_plan *plan,
                               const char *object);

void page_plan_fini(struct page_plan *plan); /* zeroed is fine */
