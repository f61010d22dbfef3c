/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/heat_pieces.h -- parts of a site's large blocks that
 * differ in heat, as misses of a unit.
 *
 * Who allocates again does so by the same calls, so no block can be told from
 * another of its site: what is chosen is a part of each.  Neighbouring units
 * are one piece where they miss alike: within a factor of two, or as chance
 * would have it.  Where that leaves too many pieces, the factor grows.
 */
#pragma once
#include <stdbool.h>

#include "experiments/profile/profile.h"

enum { HEAT_PIECES = 16 };

struct heat_piece {
  uint32_t from, to; /* units of a block, `to` without */
  uint64_t units;    /* that are touched, of all blocks that live at once */
  uint64_t pages;    /* of 4 KiB in these, touched */
  uint64_t faults;   /* of these, each time that they were mapped */
  uint64_t misses[PROFILE_TREES];
};

/*
 * At most `most` pieces of a site's large blocks, by rising units: how many.
 * `heat` is the site's, by block and unit; `site` says how many blocks and
 * bytes there are.  A unit of the answer is `per` of the profile's: 1, or the
 * 512 of a page of 1 GiB.
 */
size_t heat_pieces(const struct profile_site *site,
                   const struct profile_heat *heat, size_t heats, uint32_t per,
                   size_t most, struct heat_piece piece[HEAT_PIECES]);

/* The units of all blocks that pieces are made of, by rising numbers, the first
 * and the last with their neighbours if `ends`: how many; `unit` has room for
 * `heats`. */
size_t heat_units(const struct profile_site *site,
                  const struct profile_heat *heat, size_t heats, uint32_t per,
                  bool ends, struct heat_piece *unit);
