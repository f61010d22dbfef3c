/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vat/temporary_file.h"

void vat_spool_init(struct spool *spool, struct spool_budget *budget) {
  *spool = (struct spool){.budget = budget, .file = -1};
}

void vat_spool_fini(struct spool *spool) {
  for (size_t i = 0; i < spool->count; i++) free(spool->chunks[i]);
  free(spool->chunks);
  if (spool->file >= 0) close(spool->file);
  vat_spool_init(spool, spool->budget);
}

static int make_room(struct spool *spool, size_t index) {
  if (index < spool->count) return 0;
  size_t count = index + 1 > 2 * spool->count ? index + 1 : 2 * spool->count;
  void **chunks = reallocarray(spool->chunks, count, sizeof *chunks);
  if (!chunks) return -1;
  memset(chunks + spool->count, 0, (count - spool->count) * sizeof *chunks);
  spool->chunks = chunks;
  spool->count = count;
  return 0;
}

static int spill(struct spool *spool, size_t index, const char *data) {
  struct spool_budget *budget = spool->budget;
  if (spool->file < 0 && (spool->file = vat_temporary_file()) < 0) return -1;
  if (!budget->spilled && budget->on_spill) budget->on_spill(budget->arg);
  off_t start = (off_t)index * SPOOL_CHUNK;
  for (size_t done = 0; done < SPOOL_CHUNK;) {
    ssize_t put = pwrite(spool->file, data + done, SPOOL_CHUNK - done,
                         start + (off_t)done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return -1;
    done += (size_t)put;
  }
  budget->spilled += SPOOL_CHUNK;
  return 0;
}

int vat_spool_put(struct spool *spool, size_t index, const void *data) {
  struct spool_budget *budget = spool->budget;
  if (make_room(spool, index)) return -1;
  if (budget->limit && budget->used + SPOOL_CHUNK > budget->limit)
    return spill(spool, index, data);
  void *chunk = malloc(SPOOL_CHUNK);
  if (!chunk) return spill(spool, index, data);
  memcpy(chunk, data, SPOOL_CHUNK);
  spool->chunks[index] = chunk;
  budget->used += SPOOL_CHUNK;
  return 0;
}

const void *vat_spool_get(const struct spool *spool, size_t index,
                          void *buffer) {
  if (spool->chunks[index]) return spool->chunks[index];
  off_t start = (off_t)index * SPOOL_CHUNK;
  for (size_t done = 0; done < SPOOL_CHUNK;) {
    ssize_t got = pread(spool->file, (char *)buffer + done, SPOOL_CHUNK - done,
                        start + (off_t)done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (!got) errno = EIO;
      return NULL;
    }
    done += (size_t)got;
  }
  return buffer;
}

void vat_spool_drop(struct spool *spool, size_t index) {
  if (!spool->chunks[index]) return;
  free(spool->chunks[index]);
  spool->chunks[index] = NULL;
  spool->budget->used -= SPOOL_CHUNK;
}
