/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/stacks.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "gpu_algos/simt/fiber.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

/* Of one stack, the guard below it included.  The pages of a stack are
 * made as they are used: most take one. */
enum { STACK_BYTES = 64 * 1024, GUARD_BYTES = 4096 };

/* What a stack starts below its end.  Were it the same everywhere, the tops of
 * all stacks would share eight lines of the first-level cache, and each switch
 * would miss.  61 lines, a prime, spread over the 64 sets of a 32 KiB cache. */
static size_t colour(unsigned i) { return i % 61 * 64; }

/* So that what runs over a stack is found out.  It takes the process two
 * mappings, of which there are 65530 as Linux is set up. */
static int guard(struct simt_stacks *stacks, unsigned i) {
  if (i != stacks->guarded) return 0;
  if (mprotect(stacks->memory + (size_t)i * STACK_BYTES, GUARD_BYTES,
               PROT_NONE))
    return -1;
  stacks->guarded++;
  return 0;
}

int simt_stacks_init(struct simt_stacks *stacks, unsigned count) {
  *stacks = (struct simt_stacks){.count = count};
  stacks->unused = calloc(count, sizeof *stacks->unused);
  void *memory =
      mmap(NULL, (size_t)count * STACK_BYTES, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory != MAP_FAILED) stacks->memory = memory;
  if (!stacks->unused || !stacks->memory || guard(stacks, 0)) {
    simt_stacks_fini(stacks);
    return -1;
  }
  simt_stacks_put_all(stacks);
  return 0;
}

void simt_stacks_fini(struct simt_stacks *stacks) {
  if (stacks->memory)
    munmap(stacks->memory, (size_t)stacks->count * STACK_BYTES);
  free(stacks->unused);
  *stacks = (struct simt_stacks){0};
}

void *simt_stacks_take(struct simt_stacks *stacks, void (*entry)(void)) {
  unsigned i = stacks->unused[stacks->free - 1];
  char *start = stacks->memory + (size_t)i * STACK_BYTES;
  if (guard(stacks, i)) return NULL;
  stacks->free--;
  return fiber_prepare(start + GUARD_BYTES, start + STACK_BYTES - colour(i),
                       entry);
}

/* Which stack has the address; if none, a number that no stack has. */
static size_t number_of(const struct simt_stacks *stacks, const void *at) {
  return ((uintptr_t)at - (uintptr_t)stacks->memory) / STACK_BYTES;
}

void simt_stacks_put(struct simt_stacks *stacks) {
  stacks->unused[stacks->free++] =
      (unsigned)number_of(stacks, __builtin_frame_address(0));
}

void simt_stacks_put_all(struct simt_stacks *stacks) {
  stacks->free = 0;
  for (unsigned i = stacks->count; i--;) stacks->unused[stacks->free++] = i;
#ifdef __SANITIZE_ADDRESS__
  /* What was left in the middle of a function still has its red zones. */
  ASAN_UNPOISON_MEMORY_REGION(stacks->memory,
                              (size_t)stacks->count * STACK_BYTES);
#endif
}

bool simt_stacks_running(const struct simt_stacks *stacks, const void *at) {
  return number_of(stacks, at) == number_of(stacks, __builtin_frame_address(0));
}

bool simt_stacks_guard(const struct simt_stacks *stacks, const void *at) {
  return number_of(stacks, at) < stacks->count &&
         ((uintptr_t)at - (uintptr_t)stacks->memory) % STACK_BYTES <
             GUARD_BYTES;
}
