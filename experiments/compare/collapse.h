/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/collapse.h -- huge pages made from outside, for programs
 * that no library and no variable of the environment reaches.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* May this process do it?  Linux 6.1 and CAP_SYS_NICE. */
bool collapse_possible(void);

/* Make transparent huge pages of what these processes' private anonymous
 * memory has in base pages.  What cannot be done is left. */
void collapse_processes(const pid_t *pids, size_t count);
