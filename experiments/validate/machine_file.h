/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/machine_file.h -- the file after --machine. */
#ifndef EXPERIMENTS_VALIDATE_MACHINE_FILE_H
#define EXPERIMENTS_VALIDATE_MACHINE_FILE_H
#include "experiments/calibrate/calibration.h"

/* As calibration_read(), also from a pipe, such as a shell's <(COMMAND). */
int machine_file_read(struct calibration *cal, const char *path, char *why,
                      size_t why_size);
#endif
