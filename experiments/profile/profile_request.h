/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_request.h -- what `vat profile` was asked for. */
#pragma once
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "experiments/cli/options.h"
#include "experiments/profile/profile.h"
#include "vat/mixed_tlb.h"

enum {
  PROFILE_ALLOCATORS = 32, /* PROFILE_NAMED, profile.h */
  PROFILE_MACHINES = 16,
  PROFILE_RUNS = 1000
};

struct profile_request {
  const char *pages;    /* "4k,2m": names of trees, checked */
  uint64_t nodes;       /* W */
  const char *policy;   /* that keeps them, checked; "tlb" */
  struct tlb_shape tlb; /* instead; no entries in the first level: a TC */
  bool code;            /* fetches, too: */
  struct mixed_tlb_shape itlb; /* theirs */
  bool cache_given;            /* nodes or policy were typed */
  bool tlb_unknown; /* TLBs, but --from a file that has not kept it */
  struct option_texts allocator; /* NAME=LIKE, checked */
  const char *plan;              /* file; NULL: none */
  char *plan_told;               /* its text for the tool, to free() */
  struct profile_added added;    /* what it says that is saved */
  const char *trace;             /* file; NULL: none */
  const char *callgrind;         /* file; NULL: none */
  const char *output;            /* file; NULL: standard output */
  const char *save;              /* file for what the tool told; NULL: none */
  const char *from; /* such a file, instead of a program; NULL: none */
  bool json;
  bool what_if;
  struct option_texts machine; /* calibrations; none: this machine is */
  double calibrate_s;          /* for that, before PROG's runs */
  double user_s;               /* of the program; 0: to be measured */
  const char *timed;           /* what vat compare -o wrote of it; NULL: none */
  const char *measured; /* what vat compare --json measured of it; or NULL */
  unsigned runs;        /* that it is measured in */
  unsigned without;     /* terms of what-if: what_if_terms.h */
  struct option_words words; /* as typed: */
  char **program;            /* and its arguments; NULL-ended */
};

extern const struct option_table profile_table;

/* Returns an exit code; what is wrong has been told then.  options_fini() in
 * any case. */
int profile_request_parse(struct profile_request *request, int argc,
                          char **argv);

/* Is it FUNCTION=LIKE, as --allocator has it? */
bool profile_allocator_check(const char *text);

/* Can Valgrind run the program?  Returns an exit code, and its path. */
int profile_program_check(const char *name, char path[PATH_MAX]);
