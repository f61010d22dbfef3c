/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/probe/machine_file.h -- the file after --machine. */
#ifndef EXPERIMENTS_PROBE_MACHINE_FILE_H
#define EXPERIMENTS_PROBE_MACHINE_FILE_H
#include "experiments/probe/calibration.h"

/* As calibration_read(), also from a pipe, such as a shell's <(COMMAND). */
int machine_file_read(struct calibration *cal, const char *path, char *why,
                      size_t why_size);
#endif
