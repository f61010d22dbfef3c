/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/guarded_map.h -- ordinary memory between two forbidden pages.
 *
 * The page on either side keeps the kernel from merging the mapping with a
 * neighbour (smaps would then speak of both at once) and stops overruns.
 */
#pragma once
#include <stddef.h>

/* Bytes of addresses that hp_guarded_map() needs while it works. */
size_t hp_guarded_span(size_t bytes, size_t align);

/*
 * Anonymous memory of `bytes` (a multiple of the base page) at a multiple of
 * `align` (a power of two).  NULL with errno ENOMEM.
 */
void *hp_guarded_map(size_t bytes, size_t align);
void hp_guarded_unmap(void *base, size_t bytes);
