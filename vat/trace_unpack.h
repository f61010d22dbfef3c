/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace_unpack.h -- the ways in which a trace may be packed. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that are to be unpacked and the room for the result; both advance. */
struct trace_unpacking {
  const uint8_t *in;
  size_t in_count;
  bool in_ended; /* no more input after in_count */
  uint8_t *out;
  size_t out_count;
  const char *error; /* set on failure: a phrase */
  bool no_memory;    /* what failed is memory, not the data */
};

struct trace_unpacker {
  const char *name; /* the program that packs so */
  bool (*knows)(const uint8_t *head, size_t count);
  void *(*create)(void); /* NULL: out of memory */
  void (*destroy)(void *state);
  /* One step.  1: go on, 0: complete, -1: damaged or cut off. */
  int (*step)(void *state, struct trace_unpacking *bytes);
  const char *fix; /* not unpacked here: the command that does it */
};

/* By the first bytes of a file; NULL where it is plain. */
enum { TRACE_UNPACK_HEAD = 6 };
const struct trace_unpacker *vat_trace_unpacker_for(const uint8_t *head,
                                                    size_t count);
