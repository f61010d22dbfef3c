/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/perf_rights.h -- capabilities of this process. */
#pragma once
#include <stdbool.h>

/* Numbers of capability.h; the first came with Linux 5.8. */
enum { RIGHTS_CAP_SYS_ADMIN = 21, RIGHTS_CAP_PERFMON = 38 };

/* True if the effective set of /proc/self/status holds `capability`. */
bool rights_have(int capability);
