/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/tmm_command.h -- vat model tmm. */
#pragma once

/* argv[0] is "vat model tmm".  Returns an exit code. */
int tmm_command(int argc, char **argv);
