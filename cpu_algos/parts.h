/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/parts.h -- how large the parts of a workspace are that a device
 * cannot hold. */
#pragma once
#include "cpu_algos/algo.h"

/* Parts that a workspace for parts holds at a time: part p is in lane
 * p % ALGO_LANES. */
enum { ALGO_LANES = 2, ALGO_SPANS = 8 };

/* Bytes of a workspace that are copied to one that holds a part of it, before
 * the part is run, or back behind it. */
struct algo_span {
  size_t whole, part; /* where they begin in each */
  size_t bytes;
  bool there, back;
};

/* No size was asked for. */
#define CPU_PARTS_ANY UINT64_MAX

struct cpu_parts {
  uint64_t items, unit; /* in all; what parts are whole multiples of */
  uint64_t asked;       /* items of a part, a multiple; or CPU_PARTS_ANY */
  size_t (*bytes)(const struct algo_run *run); /* struct gpu_algo.part_bytes */
};

/*
 * As struct gpu_algo.chunk has it: what was asked for; or where the run->bytes
 * of the whole do not fit in `room`, as few parts as do, all about as large; of
 * one unit each where even they do not.
 */
uint64_t cpu_parts_chunk(const struct cpu_parts *parts,
                         const struct algo_run *run, size_t room);
