/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/log.h -- what each lane of a counted kernel did, until it is
 * known what the lanes of its warp did together.
 *
 * A record is an access, or the begin of a basic block, with the place in the
 * code it was made from; merge.c puts those of a warp together.
 */
#ifndef GPU_ALGOS_SIMT_LOG_H
#define GPU_ALGOS_SIMT_LOG_H
#include <stdint.h>

#include "gpu_algos/simt/kernel_abi.h"

/* Enough that lanes seldom have to wait for their warp, few enough that the
 * logs of a warp stay in the second-level cache. */
enum { SIMT_LOG_RECORDS = 512 };

enum simt_space {
  SIMT_GLOBAL,
  SIMT_SHARED,
  SIMT_CONSTANT,
  SIMT_NO_SPACE, /* a basic block, or a __syncwarp() of some lanes */
};

/* What was done, the low 8 bits of a key. */
enum simt_deed {
  SIMT_LG_BYTES = 0x07, /* of an access: 0 to 4 */
  SIMT_SPACE_SHIFT = 3,
  SIMT_WRITES = 0x20,
  SIMT_ATOMIC = 0x40,
  SIMT_VOLATILE = 0x80,
  SIMT_BEGINS_BLOCK = SIMT_NO_SPACE << SIMT_SPACE_SHIFT,
  SIMT_SYNCS = SIMT_BEGINS_BLOCK | 1,
  SIMT_DEED = 0xff,
};

struct simt_record {
  /* The same for the same code, and ordered as lanes that parted are to go on:
   * in the deepest call first (bits 56-63: 255 less its depth), there where the
   * code lies lowest (8-55); then the deed. */
  uint64_t key;
  /* Of an access: the offset in its space, in shared memory the low 32 bits and
   * above them what was written (a check of it, if more than 4 bytes).  Of a
   * __syncwarp(): its mask. */
  uint64_t at;
};

struct simt_log {
  uint32_t count;
  uint32_t depth;      /* of calls */
  const void *written; /* shared memory of which the value is to be noted yet */
  unsigned written_bytes;
  struct simt_record records[SIMT_LOG_RECORDS];
  /* Lest the same record of all lanes is in the same set of the cache. */
  struct simt_record colour[4];
};

struct simt_logs {
  struct simt_log lanes[32];
};

static inline const char *simt_key_pc(uint64_t key) {
  return (const char *)(uintptr_t)(key >> 8 & UINT64_C(0xffffffffffff));
}

/* What noting an access needs, together: it is done for each. */
struct simt_noting {
  struct simt_log *log; /* of the running lane; NULL: nothing is counted now */
  uintptr_t global, shared;
  uint64_t global_bytes, shared_bytes;
};

extern SIMT_THREAD_LOCAL struct simt_noting simt_noting;

/* What was last written is there to be seen; before the lane stops. */
void simt_log_settle(struct simt_log *log);

/* The running lane, which may be counted, stops. */
static inline void simt_log_pause(void) {
  struct simt_log *log = simt_noting.log;
  if (log && log->written) simt_log_settle(log);
}

/* A __syncwarp() of some lanes of the warp only. */
void simt_note_sync(uint32_t mask, const void *pc);
#endif
