/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/failure.h -- the first call that failed on a device.
 *
 * Nothing is launched after a failure until it is forgotten, so that the first
 * one is what is told.  One user per process.
 */
#pragma once
#include <stdbool.h>

struct gpu_failure {
  char call[128]; /* "cudaMalloc of 64 bytes", "launch of scan_tiles" */
  char name[64];  /* CUDA's own: "cudaErrorMemoryAllocation" */
  char text[400]; /* a phrase, or what the emulator says is wrong */
  bool memory;    /* there was too little of it */
};

/* Notes it, unless there is one. */
void gpu_failure_note(const char *call, const char *name, const char *text,
                      bool memory);
const struct gpu_failure *gpu_failure_first(void); /* NULL: none */
void gpu_failure_forget(void);
