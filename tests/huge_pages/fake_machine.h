/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/huge_pages/fake_machine.h -- a directory that stands for a machine.
 *
 * While one is started, huge_pages/ reads /sys and /proc below it.
 */
#pragma once
#include <stddef.h>

/* An empty machine: no /sys, no /proc. */
void fake_machine_start(void);
/* Write `text` as the file `path`, making its directories. */
void fake_machine_write(const char *path, const char *text);
/* A pool of `page_kib` pages with these numbers. */
void fake_machine_pool(size_t page_kib, size_t total, size_t free,
                       size_t reserved, size_t surplus);
/* MemAvailable. */
void fake_machine_memory(size_t mib);
/* Remove it; the true machine is back. */
void fake_machine_stop(void);
