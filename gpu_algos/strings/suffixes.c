/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/strings/suffixes.h"

#include <config.h>
#ifdef HAVE_DIVSUFSORT
#include <divsufsort.h>
#endif

#include "cpu_algos/suffix_array.h"

uint64_t gpu_suffix_scratch(uint64_t bytes) {
  return bytes + cpu_suffix_scratch(bytes);
}

void gpu_suffix_array(const unsigned char *text, uint64_t bytes,
                      uint32_t *suffixes, uint32_t *scratch) {
#ifdef HAVE_DIVSUFSORT
  /* It fails where it finds no memory for its buckets, and for no text. */
  if (!divsufsort(text, (saidx_t *)(void *)suffixes, (saidx_t)bytes)) return;
#endif
  cpu_suffix_array(text, bytes, suffixes, scratch, scratch + bytes);
}
