/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_reading.h -- the reading of what a process left,
 * by the key that a line begins with; profile_read.c has the table of keys. */
#pragma once
#include <stdbool.h>

#include "experiments/profile/profile.h"

enum { READING_NUMBERS = 1 + PROFILE_OCTAVES };

struct reading {
  struct profile *profile;
  struct profile_place at; /* that holds for what comes next */
  struct profile own;      /* of this process: what is no list */
  /* Of a line: its key, the numbers that follow it, and what follows them. */
  const char *key;
  uint64_t number[READING_NUMBERS];
  char *text;
  struct profile_site *site; /* the last one, if it is of this process */
  struct profile before;     /* whose counts are those of processes before */
  const char *nothing;       /* "" */
  const char *wrong;
  bool is_left; /* not a process, but what one left that executes another */
  bool ended;
};

/* Says why it is refused; -1. */
int reading_wrong(struct reading *r, const char *why);
/* The next number of the line; 0, or -1. */
int reading_number(struct reading *r, unsigned base, uint64_t *value);
/* Where an instruction is: line and offset are the first two numbers. */
struct profile_place reading_place(const struct reading *r);

/* 0, or -1 as above: profile_read_flow.c, for the what-if. */
int profile_read_site_number(struct reading *r);
int profile_read_walks(struct reading *r);
int profile_read_burst(struct reading *r);
int profile_read_wait(struct reading *r);
/* profile_read_code.c: fetches. */
int profile_read_fetched(struct reading *r);
int profile_read_fetch_walks(struct reading *r);
int profile_read_code(struct reading *r);
/* profile_read_plan.c */
int profile_read_large(struct reading *r);
int profile_read_range(struct reading *r);
int profile_read_plan(struct reading *r);
