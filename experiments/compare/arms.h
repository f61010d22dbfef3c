/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/arms.h -- what is compared, and by what means.
 *
 * An arm is one kind of page with the environment that asks for it, a plan of
 * vat plan or a list of what to put on huge pages, carried out as vat exec
 * does, or one of the settings that the user names (named_arms.c).  All arms of
 * pages have the same variables and load the same libraries; only the values
 * differ:
 *
 *   GLIBC_TUNABLES  glibc.malloc.hugetlb: malloc of glibc, linked in or not
 *   LD_PRELOAD      page_shim.so: the program's own mappings, bss
 *   MALLOC_CONF     jemalloc, where the program has it or --malloc gives it
 *   THP_DISABLE     prctl: nothing transparent but where it is asked for
 *   MADV_COLLAPSE   from outside, for programs that none of this reaches
 *
 * For pages of the sizes between, the switches of the machine are set for each
 * run (huge_pages/thp_alone.h).
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/cli/option_row.h"
#include "experiments/exec/executable.h"
#include "experiments/exec/page_plan.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/pool.h"

/* As typed; NULL, 0 or false where not given. */
struct compare_options {
  const char *pages, *metric, *input, *output, *allocator;
  struct option_texts arms; /* NAME=COMMAND, NAME:VARIABLE=VALUE */
  struct option_texts plans, huge;
  uint32_t layouts; /* to draw; their plans and names are behind: */
  const char *from; /* of this profile, by these: */
  struct option_texts machine;
  const char *timed;
  struct page_plan *layout;
  const char *const *layout_name;
  size_t layout_count;
  uint32_t runs, warmup;
  uint64_t seed;
  int pin; /* -1: any */
  bool reserve, prewarm, json, show_output, ignore_failure;
  bool higher_is_better, lower_is_better; /* of the metric */
  struct option_words program;            /* and its arguments */
};

enum { ARMS_MAX = 65, MEANS_WORDS = 240 };

struct arm {
  const char *name;           /* of the kind, or as named */
  char *own_name;             /* NULL: it is the kind's, or another arm's */
  const struct hp_kind *kind; /* NULL: what the program takes by itself */
  bool base;                  /* what the others are compared to */
  bool control;               /* another arm once more, */
  size_t control_of;          /* that one */
  bool contiguous;            /* ARM_CONTIGUOUS */
  bool forbid_thp;            /* PR_SET_THP_DISABLE */
  bool collapse;              /* from outside */
  enum hp_thp_asks asks;      /* for huge pages */
  size_t planned;             /* bytes that its plan chooses; 0: it has none */
  json_t *predicted;          /* what that predicts; owned */
  bool listed;                /* by --huge: nobody knows how many bytes */
  char **environment;         /* owned */
  /* Of named arms, owned (but by the control): NULL where it is the program's;
   * and all of it as one line to show. */
  char *command, *words;
};

struct arms {
  struct arm at[ARMS_MAX]; /* the base, that for control, then the others */
  size_t count;
  char means[MEANS_WORDS]; /* how this program is asked, in words */
};

/*
 * The arms of `program` by the options.  Returns an exit code, having printed
 * what is wrong: a kind of page unknown or named twice (2), or that cannot be
 * given to this program here (3).
 */
int arms_make(struct arms *arms, const struct executable *program,
              const struct compare_options *options);
void arms_fini(struct arms *arms); /* zeroed is fine */

/*
 * The arms that --arm names.  Returns 2, having printed what is wrong with one
 * of them, or with what there is of a program.
 */
int arms_make_named(struct arms *arms, const struct compare_options *options);

/*
 * An arm between base pages and huge ones: each base page has an entry of its
 * own in the page table, but their frames are contiguous, as those of a huge
 * page are.  So what this arm saves is due to where memory lies, in caches that
 * are indexed by physical addresses; what huge pages save beyond that is due to
 * translation.  Its pages are transparent ones of the largest size below the
 * huge one, as the kernel maps these by entries for base pages.  It has a
 * control, too.
 */
#define ARM_CONTIGUOUS "4k-contiguous"

/* Is it one kind of page for all of the memory? */
bool arm_is_pages(const struct arm *arm);

/* The control of arm `number`; ARMS_MAX: it has none. */
size_t arms_control_of(const struct arms *arms, size_t number);

/* The arm of contiguous frames; ARMS_MAX: there is none. */
size_t arms_contiguous(const struct arms *arms);

/* A program and its arguments as one line; the caller frees it. */
char *arms_words(const struct option_words *program);

/* "4k pages", or "arm off", as messages have it. */
enum { ARM_WORDS = 80 };
const char *arm_text(const struct arm *arm, char text[ARM_WORDS]);
