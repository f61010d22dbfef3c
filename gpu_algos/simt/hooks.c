/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <string.h>

#include "gpu_algos/simt/counting.h"
#include "gpu_algos/simt/log.h"

const uint64_t simt_no_key;
SIMT_THREAD_LOCAL struct simt_noting simt_noting = {.key = &simt_no_key};

/* The lane waits until its warp has caught up. */
static void wait_for_room(void) {
  struct simt_block *block = simt_block;
  block->warps[block->current / SIMT_LANES].full |=
      1u << block->current % SIMT_LANES;
  simt_log_pause();
  simt_block_wait(block);
}

void simt_log_settle(void) {
  uint32_t parts[4] = {0};
  memcpy(parts, simt_noting.written, simt_noting.written_bytes);
  /* Odd factors: what differs in one part differs in the sum. */
  uint32_t value =
      parts[0] + 3 * parts[1] + 0x10001u * parts[2] + 0x80000001u * parts[3];
  simt_noting.at[-1] |= (uint64_t)value << 32;
  simt_noting.written = NULL;
}

/* Make *simt_noting.key the key: it is the warp's first, or another than the
 * warp's, or there is no room. */
static void write_key(uint64_t key) {
  struct simt_log *log = simt_noting.log;
  const struct simt_block *block = simt_block;
  struct simt_logs *logs = block->warps[block->current / SIMT_LANES].logs;
  if (simt_noting.at == log->at + SIMT_LOG_RECORDS) wait_for_room();
  if (*simt_noting.key == key) return;
  ptrdiff_t count = simt_noting.at - log->at;
  if (log->keys == logs->keys && count == logs->known) {
    logs->known++;
  } else if (log->keys == logs->keys) {
    memcpy(log->own_keys, logs->keys, (size_t)count * sizeof *logs->keys);
    log->keys = log->own_keys;
    simt_noting.key = log->keys + count;
  }
  log->keys[count] = key;
}

static __attribute__((noinline)) void add_unlike(uint64_t key, uint64_t at) {
  if (!simt_noting.log) return;
  if (simt_noting.written) simt_log_settle();
  if (*simt_noting.key != key) write_key(key);
  *simt_noting.at++ = at;
  simt_noting.key++;
}

/* The rule is that the lane does what one before it did: in few instructions,
 * as this is done for each access. */
static inline void add(uint64_t deed, uint64_t at, const void *pc) {
  uint64_t key = simt_noting.level | (uint64_t)(uintptr_t)pc << 8 | deed;
  if (__builtin_expect(*simt_noting.key != key || simt_noting.written, 0)) {
    add_unlike(key, at);
    return;
  }
  *simt_noting.at++ = at;
  simt_noting.key++;
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
  if (!simt_noting.log) return;
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
  if ((deed & SIMT_WRITES) && simt_noting.log) {
    simt_noting.written = (const void *)at;
    simt_noting.written_bytes = 1u << lg_bytes;
  }
}

void simt_note_sync(uint32_t mask, const void *pc) {
  add(SIMT_SYNCS, mask, pc);
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
  add(SIMT_BEGINS_BLOCK, 0, __builtin_return_address(0));
}

void simt_hook_func_entry(void *pc);
void simt_hook_func_entry(void *pc) {
  (void)pc;
  if (simt_noting.log) simt_log_set_depth(*simt_noting.depth + 1);
}

void simt_hook_func_exit(void *pc);
void simt_hook_func_exit(void *pc) {
  (void)pc;
  if (simt_noting.log) simt_log_set_depth(*simt_noting.depth - 1);
}

void simt_hook_init(void);
void simt_hook_init(void) {}
