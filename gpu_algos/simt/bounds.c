/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of a counted kernel, in shared memory or its own, whose size the
 * compiler knows: it has each index that is too large call here.  By address
 * alone it cannot be told, as another array may lie behind. */
#include "gpu_algos/simt/counting.h"
#include "gpu_algos/simt/log.h"

/* As the compilers lay them out for their own handler. */
struct type_said {
  uint16_t kind, width;
  char name[]; /* 'int [64]' */
};
struct bounds_said {
  const char *file;
  uint32_t line, column;
  const struct type_said *array, *index;
};

void simt_hook_index(const struct bounds_said *said, uintptr_t index);
void simt_hook_index(const struct bounds_said *said, uintptr_t index) {
  if (!simt_noting.log) return; /* the host's */
  struct simt_place place = {
      .thread = simt_here.thread,
      .site = {.file = said->file, .line = (long)said->line}};
  simt_block_fail(simt_block, SIMT_ILLEGAL_ADDRESS, &place, 1,
                  "array out of bounds: index %lld of %s", (long long)index,
                  said->array->name);
}
