/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/vat/isp_game.h"

enum { SYMMETRIES_MAX = 1024 }; /* more cost more than they save */

int isp_symmetry_init(struct isp_symmetry *symmetry,
                      const struct isp_tree *tree) {
  unsigned children = tree->children, turned = 0;
  symmetry->count = 1;
  for (; turned < tree->leaf && symmetry->count * children <= SYMMETRIES_MAX;
       turned++)
    symmetry->count *= children;
  symmetry->to = calloc(symmetry->count, sizeof *symmetry->to);
  if (!symmetry->to) return -1;
  for (size_t i = 0; i < symmetry->count; i++) {
    size_t turns = i;
    for (unsigned v = 0; v < tree->leaf; v++) {
      unsigned by = v < turned ? (unsigned)(turns % children) : 0;
      if (v < turned) turns /= children;
      for (unsigned child = 0; child < children; child++)
        symmetry->to[i][children * v + 1 + child] =
            (uint8_t)(children * symmetry->to[i][v] + 1 +
                      (child + by) % children);
    }
  }
  return 0;
}

static void sort(struct isp_state *state) {
  for (unsigned i = 1; i < state->used; i++) {
    uint8_t node = state->cell[i];
    unsigned at = i;
    for (; at > 0 && state->cell[at - 1] > node; at--)
      state->cell[at] = state->cell[at - 1];
    state->cell[at] = node;
  }
}

size_t isp_symmetry_least(const struct isp_symmetry *symmetry, bool sorted,
                          struct isp_state *state) {
  struct isp_state least = *state;
  size_t which = 0;
  for (size_t i = 1; i < symmetry->count; i++) { /* [0] changes nothing */
    struct isp_state image = *state;
    for (unsigned at = 0; at < state->used; at++)
      image.cell[at] = symmetry->to[i][state->cell[at]];
    if (sorted) sort(&image);
    if (memcmp(image.cell, least.cell, state->used) >= 0) continue;
    least = image;
    which = i;
  }
  *state = least;
  return which;
}

uint32_t isp_symmetry_image(const struct isp_symmetry *symmetry, size_t which,
                            uint32_t nodes) {
  uint32_t image = 0;
  for (; nodes; nodes &= nodes - 1)
    image |= UINT32_C(1) << symmetry->to[which][__builtin_ctz(nodes)];
  return image;
}
