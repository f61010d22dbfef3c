/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/supervise.h -- the process between vat and a program that
 * launch.h is about.
 */
#pragma once
#include "experiments/compare/launch_request.h"

/* In the supervisor: run it and fill `result`. */
void supervise(const struct launch *launch, pid_t vat,
               struct launch_result *result);
