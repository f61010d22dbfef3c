/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/bench/footprints/footprints.h"

struct node {
  uint64_t next, unused[7]; /* a cache line */
};

/* Sattolo's shuffle makes one cycle of all nodes. */
uint64_t chase(size_t bytes, uint64_t steps) {
  struct cpu_random random = {0};
  size_t count = bytes / sizeof(struct node), at = 0;
  struct node *nodes = footprint_got(calloc(count, sizeof *nodes));
  for (size_t i = 0; i < count; i++) nodes[i].next = i;
  for (size_t i = count - 1; i > 0; i--) {
    size_t j = cpu_random_below(&random, i);
    uint64_t next = nodes[i].next;
    nodes[i].next = nodes[j].next;
    nodes[j].next = next;
  }
  for (uint64_t i = 0; i < steps; i++) at = nodes[at].next;
  free(nodes);
  return at;
}
