/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/arms.h -- by what means a program gets each kind of page.
 *
 * An arm is one kind of page with the environment that asks for it.  All arms
 * have the same variables and load the same libraries; only the values differ:
 *
 *   GLIBC_TUNABLES  glibc.malloc.hugetlb: malloc of glibc, linked in or not
 *   LD_PRELOAD      page_shim.so: the program's own mappings, bss
 *   MALLOC_CONF     jemalloc, where the program has it or --malloc gives it
 *   THP_DISABLE     prctl: nothing transparent but where it is asked for
 *   MADV_COLLAPSE   from outside, for programs that none of this reaches
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "experiments/cli/option_row.h"
#include "experiments/compare/executable.h"
#include "huge_pages/page_kind.h"

/* As typed; NULL, 0 or false where not given. */
struct compare_options {
  const char *pages, *metric, *input, *output, *allocator;
  uint32_t runs, warmup;
  uint64_t seed;
  int pin; /* -1: any */
  bool reserve, prewarm, json, show_output, ignore_failure;
  struct option_words program; /* and its arguments */
};

enum { ARMS_MAX = 5, MEANS_WORDS = 160 };

struct arm {
  const struct hp_kind *kind;
  bool control;       /* base pages once more */
  bool forbid_thp;    /* PR_SET_THP_DISABLE */
  bool collapse;      /* from outside */
  char **environment; /* owned */
};

struct arms {
  struct arm at[ARMS_MAX]; /* 4k, 4k for control, then as named */
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

/* A copy of `environment` with NAME=value for each of the NULL-ended pairs in
 * `changes`. */
char **environment_with(char *const *environment, const char *const *changes);
void environment_free(char **environment); /* NULL is fine */
