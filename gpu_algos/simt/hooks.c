/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "gpu_algos/simt/counting.h"
#include "gpu_algos/simt/log.h"

SIMT_THREAD_LOCAL struct simt_noting simt_noting;

/* The lane waits until its warp has caught up. */
static void wait_for_room(void) {
  struct simt_block *block = simt_block;
  block->warps[block->current / SIMT_LANES].full |=
      1u << block->current % SIMT_LANES;
  simt_block_wait(block);
}

void simt_log_settle(struct simt_log *log) {
  uint32_t parts[4] = {0};
  memcpy(parts, log->written, log->written_bytes);
  /* Odd factors: what differs in one part differs in the sum. */
  uint32_t value =
      parts[0] + 3 * parts[1] + 0x10001u * parts[2] + 0x80000001u * parts[3];
  log->records[log->count - 1].at |= (uint64_t)value << 32;
  log->written = NULL;
}

static inline void add(uint64_t deed, uint64_t at, const void *pc) {
  struct simt_log *log = simt_noting.log;
  if (log->written) simt_log_settle(log);
  if (__builtin_expect(log->count == SIMT_LOG_RECORDS, 0)) wait_for_room();
  uint64_t depth = log->depth < 255 ? 255 - log->depth : 0;
  log->records[log->count++] = (struct simt_record){
      depth << 56 | (uint64_t)(uintptr_t)pc << 8 | deed, at};
}

static _Noreturn void fail(const volatile void *at, unsigned bytes,
                           const void *pc) {
  struct simt_place place = {.thread = simt_here.thread, .pc = pc};
  simt_block_fail(simt_block, SIMT_ILLEGAL_ADDRESS, &place, 1,
                  "%u bytes at %p, which is no memory of the device", bytes,
                  (const void *)at);
}

/* Accesses that are none of global or shared memory. */
static void note_other(const volatile void *at, unsigned lg_bytes,
                       unsigned deed, const void *pc) {
  const struct simt_block *block = simt_block;
  const struct simt_image *image = &block->counting->image;
  if (simt_stacks_running(&block->stacks, (const void *)at)) return;
  if (simt_range_has(image->constant, (uintptr_t)at))
    add(lg_bytes | SIMT_CONSTANT << SIMT_SPACE_SHIFT | deed,
        (uintptr_t)at - image->constant.start, pc);
  else if (!simt_range_has(image->program, (uintptr_t)at))
    fail(at, 1u << lg_bytes, pc);
}

static inline void note(const volatile void *at, unsigned lg_bytes,
                        unsigned deed, const void *pc) {
  struct simt_log *log = simt_noting.log;
  if (!log) return;
  uint64_t offset = (uintptr_t)at - simt_noting.global;
  if (offset < simt_noting.global_bytes) {
    add(lg_bytes | SIMT_GLOBAL << SIMT_SPACE_SHIFT | deed, offset, pc);
    return;
  }
  offset = (uintptr_t)at - simt_noting.shared;
  if (offset >= simt_noting.shared_bytes) {
    note_other(at, lg_bytes, deed, pc);
    return;
  }
  add(lg_bytes | SIMT_SHARED << SIMT_SPACE_SHIFT | deed, offset, pc);
  if (deed & SIMT_WRITES) {
    log->written = (const void *)at;
    log->written_bytes = 1u << lg_bytes;
  }
}

void simt_note_sync(uint32_t mask, const void *pc) {
  if (simt_noting.log) add(SIMT_SYNCS, mask, pc);
}

void simt_note_atomic(const volatile void *at, unsigned size, const void *pc) {
  note(at, (unsigned)__builtin_ctz(size), SIMT_ATOMIC, pc);
}

#define HOOK(name, lg_bytes, deed)                         \
  void simt_hook_##name(void *at);                         \
  void simt_hook_##name(void *at) {                        \
    note(at, lg_bytes, deed, __builtin_return_address(0)); \
  }

#define HOOKS(bytes, lg_bytes)                                       \
  HOOK(read##bytes, lg_bytes, 0)                                     \
  HOOK(write##bytes, lg_bytes, SIMT_WRITES)                          \
  HOOK(unaligned_read##bytes, lg_bytes, 0)                           \
  HOOK(unaligned_write##bytes, lg_bytes, SIMT_WRITES)                \
  HOOK(volatile_read##bytes, lg_bytes, SIMT_VOLATILE)                \
  HOOK(volatile_write##bytes, lg_bytes, SIMT_VOLATILE | SIMT_WRITES) \
  HOOK(unaligned_volatile_read##bytes, lg_bytes, SIMT_VOLATILE)      \
  HOOK(unaligned_volatile_write##bytes, lg_bytes, SIMT_VOLATILE | SIMT_WRITES)

HOOKS(1, 0)
HOOKS(2, 1)
HOOKS(4, 2)
HOOKS(8, 3)
HOOKS(16, 4)

/* A structure of another size: in parts as large as its own alignment lets a
 * device have them, as far as that can be told from here. */
static void note_range(const char *at, size_t bytes, unsigned deed,
                       const void *pc) {
  uintptr_t odd = (uintptr_t)at | bytes;
  unsigned lg_bytes = odd % 8 == 0 ? 3 : odd % 4 == 0 ? 2 : odd % 2 == 0;
  for (size_t i = 0; i < bytes; i += (size_t)1 << lg_bytes)
    note(at + i, lg_bytes, deed, pc);
}

void simt_hook_read_range(void *at, size_t bytes);
void simt_hook_read_range(void *at, size_t bytes) {
  note_range(at, bytes, 0, __builtin_return_address(0));
}

void simt_hook_write_range(void *at, size_t bytes);
void simt_hook_write_range(void *at, size_t bytes) {
  note_range(at, bytes, SIMT_WRITES, __builtin_return_address(0));
}

void simt_hook_block(void);
void simt_hook_block(void) {
  if (simt_noting.log) add(SIMT_BEGINS_BLOCK, 0, __builtin_return_address(0));
}

void simt_hook_func_entry(void *pc);
void simt_hook_func_entry(void *pc) {
  (void)pc;
  if (simt_noting.log) simt_noting.log->depth++;
}

void simt_hook_func_exit(void *pc);
void simt_hook_func_exit(void *pc) {
  (void)pc;
  if (simt_noting.log) simt_noting.log->depth--;
}

void simt_hook_init(void);
void simt_hook_init(void) {}
