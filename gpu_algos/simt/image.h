/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/image.h -- where this program's own memory lies: what kernels
 * have as shared and constant memory is part of it. */
#pragma once
#include <stdint.h>

struct simt_range {
  uintptr_t start, bytes;
};

struct simt_image {
  struct simt_range program;  /* code and data */
  struct simt_range constant; /* __constant__ */
  struct simt_range shared;   /* __shared__, of the calling host thread */
};

struct simt_image simt_image_find(void);

static inline int simt_range_has(struct simt_range range, uintptr_t at) {
  return at - range.start < range.bytes;
}
