/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/chooser_item.h -- what can be chosen: bytes that save.
 *
 * An item may stand for several others, its parts in role.  There is either
 * one or the others.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum chooser_role { CHOOSER_APART, CHOOSER_PART, CHOOSER_WHOLE };

/* No other part of `least` bytes or more, and fewer than the next one's, saves
 * more. */
struct chooser_part {
  uint64_t bytes, least; /* least <= bytes */
  double saving;
};

struct chooser_item {
  uint64_t bytes; /* more than 0 */
  double saving;  /* what does not save is never chosen */
  enum chooser_role role;
  const struct chooser_part *part; /* rising in all; fewer bytes than the item,
                                      and no more saving; the caller's */
  size_t parts;
  bool left_out; /* never chosen, but in the bound */
};
