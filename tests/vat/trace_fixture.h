/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/vat/trace_fixture.h -- traces in memory: make, keep, read back. */
#pragma once
#include "tests/check.h"
#include "vat/trace.h"

/* Accesses read or made by a test, and the error that ended them. */
struct accesses {
  size_t count;
  uint64_t *addresses;
  uint32_t *sizes;
  uint8_t *kinds;
  int code; /* 0, or errno of the error */
  char format[32];
  char error[VAT_TRACE_ERROR_SIZE];
};

struct bytes {
  size_t count;
  uint8_t *data;
};

extern uint64_t fixture_seed; /* of fixture_random(), for claims that fail */
uint64_t fixture_random(uint64_t below);

/* All are asserted to work; free with the fini functions. */
void accesses_init(struct accesses *accesses, size_t count);
void accesses_fini(struct accesses *accesses);
bool accesses_equal(const struct accesses *a, const struct accesses *b);
void bytes_fini(struct bytes *bytes);
struct bytes bytes_of_text(const char *text);

/* Random: each of several kinds of locality, odd sizes, extreme addresses. */
void accesses_random(struct accesses *accesses, size_t count);

/* Random: steps from one to the next of `pool` (< 300) kinds, but one of
 * `other` accesses takes any other step. */
void accesses_steps(struct accesses *accesses, size_t count, uint64_t pool,
                    uint64_t other);

/* Read all of a trace, `capacity` at a time; 0: of random capacities. */
struct accesses read_path(const char *path, const char *format,
                          size_t capacity);
struct accesses read_bytes(struct bytes bytes, const char *format);
struct accesses read_text(const char *text, const char *format);
/* Through a pipe, written `chunk` bytes at a time. */
struct accesses read_pipe(struct bytes bytes, size_t chunk);
/* The error of a trace that must fail, in a buffer of this function. */
const char *error_of(struct bytes bytes, const char *format);

/* Write into memory; by way of a pipe where `piped`. */
struct bytes write_bytes(const struct accesses *accesses, const char *format,
                         bool piped);
struct bytes pack_gzip(struct bytes bytes);
struct bytes pack_zstd(struct bytes bytes);
struct bytes join(struct bytes a, struct bytes b); /* frees both */
