/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/spool.h -- a long array in chunks, in memory up to a limit and in an
 * unlinked temporary file (in TMPDIR) beyond.
 *
 * Chunks are written once in any order and read in any order, each whole.
 * Internal to vat/.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Large against a system call, small against a cache, below what malloc maps.
 */
enum { SPOOL_CHUNK = 1 << 14 };

/* Bytes that all spools of one simulation may keep in memory together. */
struct spool_budget {
  uint64_t limit; /* 0: none */
  uint64_t used, spilled;
  void (*on_spill)(void *arg); /* before the first chunk goes; NULL: nobody */
  void *arg;
};

struct spool {
  struct spool_budget *budget;
  void **chunks; /* NULL where in the file */
  size_t count;  /* chunks known */
  int file;      /* -1: none yet */
};

void vat_spool_init(struct spool *spool, struct spool_budget *budget);
void vat_spool_fini(struct spool *spool);

/* Store SPOOL_CHUNK bytes as chunk `index`.  0, or -1 with errno. */
int vat_spool_put(struct spool *spool, size_t index, const void *data);

/* Chunk `index`: where it lies, or read into `buffer` (SPOOL_CHUNK bytes).
 * NULL with errno. */
const void *vat_spool_get(const struct spool *spool, size_t index,
                          void *buffer);

/* Give a chunk's memory back; it is not read again. */
void vat_spool_drop(struct spool *spool, size_t index);
