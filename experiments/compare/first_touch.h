/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/first_touch.h -- what the first touch of memory costs.
 *
 * A virtual machine that tells its host which memory is free has to get it back
 * page by page when it is used: that can take more time than anything a program
 * does, it falls into wall and system time, and it is not translation.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "experiments/cli/record.h"

/* Seconds per GiB.  "found": free memory as it is; "again": just freed. */
struct first_touch {
  bool known;
  double base_found, huge_found, base_again, huge_again;
};

/* Of what is known, "4k" and "2m". */
extern const struct field first_touch_fields[];

/* Probe with 256 MiB of each, or less where that takes long, in a process of
 * its own; not `known` where there is too little memory, or no huge pages. */
void first_touch_probe(struct first_touch *touch);

/* Of memory that was just freed, on pages of any size: a part for each byte and
 * one for each fault, as those of 4 KiB and 2 MiB tell.  A fault on a page of n
 * entries of the page table takes 1 + FOLIO (1 - 1/n) + ENTRY n in units of one
 * price, as measured on Linux 6.18 (doc/page-sizes.md); 2 MiB have one entry.
 * Of larger pages as of 2 MiB. */
#define FIRST_TOUCH_FOLIO .44
#define FIRST_TOUCH_ENTRY .01
double first_touch_again(const struct first_touch *touch, double page_bytes);

/* Touch `bytes` once in a process that then ends, so that who comes next finds
 * that memory just used; less where there is not so much. */
void first_touch_warm(size_t bytes);
