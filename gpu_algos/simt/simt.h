/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/simt.h -- a GPU emulated on the host, for drivers.
 *
 * A .cu source compiled by g++ against gpu_algos/simt/include runs here: each
 * GPU thread is a fiber, a block runs on one host thread, blocks run in order.
 * A launch returns when the grid is done.  A kernel that is wrong (threads
 * wait for each other in vain, memory out of bounds, ...) fails its launch
 * through the CUDA error calls, and simt_diagnosis() says why.
 *
 * Each source is compiled twice: plainly, and with each access a call.  The
 * latter, the counted twin, counts what a warp asks of the memory and checks
 * every access; the plain one is the fast one, and counts nothing.
 *
 * One launch at a time; call from one host thread.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum simt_order { SIMT_FORWARD, SIMT_REVERSE };

/* In which order blocks, warps and lanes run where the kernel leaves it open.
 * A right kernel gives the same answer in both.  SIMT_FORWARD at first. */
void simt_set_order(enum simt_order order);

/* How many host threads run blocks side by side, 1 at first.  -1 with errno
 * EINVAL (0, or more than 256), or as pthread_create() says; then as before. */
int simt_set_threads(unsigned threads);

/* Asked by the thread that launches, before the first block and once a tick of
 * the clock: from when it says so on no more of them begin, and the launch
 * fails with cudaErrorLaunchTimeout.  NULL, as at first: never. */
void simt_set_stop(bool (*wanted)(void));

/* Of what the counter `pages` counts, 2 MiB at first: a power of two, at least
 * 4096, else -1 with errno EINVAL. */
int simt_set_page_bytes(uint64_t bytes);

/*
 * What counted kernels did since simt_reset_counters(): exact, and the same in
 * any order and on any number of host threads, unless the kernel itself does
 * different things then.  A warp instruction is one load, store, atomic,
 * barrier or warp operation of all the lanes that do it together; lanes that
 * part meet again where their ways in the source do.
 *
 * simt_counter_table says what each is.  Loads and stores are those of global
 * memory unless said otherwise; atomics are none of them.
 */
struct simt_counters {
  uint64_t accesses;
  uint64_t loads, stores;
  uint64_t sectors_read, sectors_written;
  uint64_t lines_read, lines_written;
  uint64_t page_requests, pages;
  uint64_t shared_accesses, shared_instructions, bank_waves;
  uint64_t constant_instructions, constant_waves;
  uint64_t atomics, atomic_instructions, atomic_conflicts, atomic_sectors;
  uint64_t barriers, warp_operations;
  uint64_t warp_instructions;
  uint64_t arithmetic; /* where the table has it */
  uint64_t blocks_issued, lanes_issued;
  uint64_t threads, thread_blocks, launches;
};

struct simt_counter {
  const char *name;    /* as typed: "sectors_read" */
  const char *summary; /* one line for listings */
  uint64_t offset;     /* in struct simt_counters */
};

extern const struct simt_counter simt_counter_table[]; /* ends with NULL name */

void simt_reset_counters(void);
void simt_read_counters(struct simt_counters *counters);

/* Why the last launch failed: one line without its end, "KERNEL: what, where".
 * "" when it did not.  Valid until the next launch. */
const char *simt_diagnosis(void);

#ifdef __cplusplus
}
#endif
