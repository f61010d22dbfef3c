/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_code.h -- what the ITLB missed, and where: of
 * `vat profile --code`.
 *
 * The same fetches with all code on pages of 4 KiB, and on pages of 2 MiB.  A
 * miss is cold if it is the first fetch from its page in a process, and hot if
 * it is not.  So the pages that were fetched from are as many as the cold
 * misses.  What the second level does not have either is walked.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "experiments/profile/profile_place.h"

enum { PROFILE_CODE_4K, PROFILE_CODE_2M, PROFILE_CODE_PAGES };

struct profile_fetches {
  struct {
    uint64_t missed, cold; /* `cold` of them */
    uint64_t walked, cold_walked;
  } on[PROFILE_CODE_PAGES];
  /* On pages of 4 KiB, where a page of 2 MiB could be as the program is mapped:
   * in blocks of 2 MiB of one executable mapping. */
  uint64_t huge_missed, huge_walked;
};
#define PROFILE_FETCHES (sizeof(struct profile_fetches) / sizeof(uint64_t))

struct profile_code_row {
  struct profile_place at;
  struct profile_fetches counts;
};

/* Walks on pages of 4 KiB as those of a site: profile.h. */
struct profile_code_object {
  const char *name;
  struct profile_fetches counts;
  uint64_t walks[2][PROFILE_OCTAVES];
};

struct profile_code {
  uint64_t instructions;  /* 0: fetches were not looked at */
  uint64_t changes;       /* fetches from another page than the one before */
  uint64_t data_walks_2m; /* of data on the first tree's pages, beside code on
                             2 MiB; the first tree's own are beside 4 KiB */
  struct profile_fetches totals;
  struct profile_code_row
      *row; /* functions, once finished: most misses first */
  size_t rows;
  struct profile_code_object *object; /* likewise */
  size_t objects;
};

/* When the rows have names: merge them, and find the totals and objects. */
void profile_code_finish(struct profile_code *code);
void profile_code_fini(struct profile_code *code);
