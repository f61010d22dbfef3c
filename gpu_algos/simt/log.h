/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/log.h -- what each lane of a counted kernel did, until it is
 * known what the lanes of its warp did together.
 *
 * A record is an access, or the begin of a basic block: its key, which is what
 * was done and from where in the code, and an address.  merge.c puts those of a
 * warp together.  Lanes run one after the other, and mostly all do the same:
 * the first writes the keys down, and those behind it only see that theirs are
 * the same.  From where one's are not, it keeps its own.
 */
#pragma once
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

/* A key is the same for the same code, and ordered as lanes that parted are to
 * go on: in the deepest call first (bits 56-63: 255 less its depth), there
 * where the code lies lowest (8-55); then the deed.  None is 0. */

struct simt_log {
  uint32_t count;
  uint64_t *keys; /* the warp's as far as the lane did the same, or its own */
  /* Of an access: the offset in its space, in shared memory the low 32 bits and
   * above them what was written (a check of it, if more than 4 bytes).  Of a
   * __syncwarp(): its mask. */
  uint64_t at[SIMT_LOG_RECORDS];
  uint64_t own_keys[SIMT_LOG_RECORDS + 1]; /* the last: 0 */
  /* Lest the same record of all lanes is in the same set of the cache. */
  uint64_t colour[4];
};

struct simt_logs {
  uint64_t keys[SIMT_LOG_RECORDS + 1]; /* from `known` on 0 */
  uint32_t known;
  struct simt_log lanes[32];
};

static inline const char *simt_key_pc(uint64_t key) {
  return (const char *)(uintptr_t)(key >> 8 & UINT64_C(0xffffffffffff));
}

/* What noting an access needs, together: it is done for each. */
struct simt_noting {
  struct simt_log *log; /* of the running lane; NULL: nothing is counted now */
  /* Where its next record goes.  *key is what it will be, if it is what other
   * lanes had, or else 0; while nothing is counted, it is 0. */
  const uint64_t *key;
  uint64_t *at;
  uint64_t level;      /* what of a key the depth makes */
  uint32_t *depth;     /* of calls, of the running lane */
  const void *written; /* shared memory of which the value is to be noted yet */
  unsigned written_bytes;
  uintptr_t global, shared;
  uint64_t global_bytes, shared_bytes;
};

extern SIMT_THREAD_LOCAL struct simt_noting simt_noting;
extern const uint64_t simt_no_key;

/* The running lane, which may be counted, is so many calls deep. */
static inline void simt_log_set_depth(uint32_t depth) {
  if (!simt_noting.log) return;
  *simt_noting.depth = depth;
  simt_noting.level = (uint64_t)(depth < 255 ? 255 - depth : 0) << 56;
}

/* A lane that is counted goes on.  Its depth is its own, not its log's: that
 * may have been another warp's before, of which some lanes had returned. */
static inline void simt_log_resume(struct simt_log *log, uint32_t *depth) {
  simt_noting.log = log;
  simt_noting.key = log->keys + log->count;
  simt_noting.at = log->at + log->count;
  simt_noting.depth = depth;
  simt_log_set_depth(*depth);
}

/* What was last written is there to be seen. */
void simt_log_settle(void);

/* The running lane, which may be counted, stops. */
static inline void simt_log_pause(void) {
  struct simt_log *log = simt_noting.log;
  if (!log) return;
  if (simt_noting.written) simt_log_settle();
  log->count = (uint32_t)(simt_noting.at - log->at);
}

/* Nothing is counted from here on. */
static inline void simt_log_stop(void) {
  simt_noting.log = NULL;
  simt_noting.key = &simt_no_key;
  simt_noting.written = NULL;
}

/* A __syncwarp() of some lanes of the warp only. */
void simt_note_sync(uint32_t mask, const void *pc);
