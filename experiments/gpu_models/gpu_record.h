/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/gpu_record.h -- the GPU of a machine record, for
 * models.
 *
 * The record tells multiprocessors and clock; cores follow from the compute
 * capability.  What accesses and operations cost no record tells: it stays as
 * of the first GPU of the table.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>

#include "gpu_algos/models/gpu_arch.h"

/* Multiprocessors of the GPU of a machine record: a whole number of at most so
 * many.  0: it tells none. */
enum { GPU_RECORD_SMS_MOST = 65536 };
double gpu_record_sms(const json_t *gpu);

struct gpu_record {
  struct gpu_arch arch; /* its name and title point to `name` */
  char name[64];        /* "NVIDIA H100 80GB HBM3" */
};

/* False: the record has no GPU, one of unknown cores, or numbers that are none
 * of a GPU; `name` is then "" or that of the GPU. */
bool gpu_record_read(struct gpu_record *record, const json_t *machine);
