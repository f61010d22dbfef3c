/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/profile/saved_tables.h -- a saved profile of a program that
 * never was: three tables of 192, 96 and 384 MiB of which the first is hot, 10
 * MiB of small blocks, and a static table. */
#pragma once
#include <stdint.h>
#include <stdio.h>

struct saved_tables {
  int older;          /* as a vat without heat and chains left it */
  int no_walks;       /* without --what-if */
  int no_native;      /* its head has no "what_if" */
  int lost;           /* processes */
  int arenas;         /* the hot table is mappings of 1 MiB */
  unsigned renewed;   /* how often the hot table took its own place */
  unsigned processes; /* as many of the same; 0: one */
  /* Instead of the tables: so many sites, and units of the first one. */
  unsigned sites, units;
};

/* In the format of experiments/profile/profile_saved.h. */
void saved_tables_write(const struct saved_tables *how, FILE *to);
