/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/tmm_record.h -- the GPU of a machine record, for the
 * TMM model: all but L, which no record tells. */
#pragma once
#include "gpu_algos/models/tmm.h"

enum { TMM_NAME_SIZE = 64 };

/* From the results file `path`; `name` takes how the GPU is called.  An exit
 * code, having printed what is wrong. */
int tmm_record_read(struct tmm_machine *machine, char name[TMM_NAME_SIZE],
                    const char *path);
