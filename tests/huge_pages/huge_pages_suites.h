/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/huge_pages/huge_pages_suites.h -- the suites of this folder. */
#pragma once
#include "tests/check.h"

extern const struct check_suite suite_arena;
extern const struct check_suite suite_arena_2m;
extern const struct check_suite suite_available_memory;
extern const struct check_suite suite_frame_runs;
extern const struct check_suite suite_kernel_files;
extern const struct check_suite suite_page_kinds;
extern const struct check_suite suite_pagemap;
extern const struct check_suite suite_pool;
extern const struct check_suite suite_pool_real;
extern const struct check_suite suite_pool_resize;
extern const struct check_suite suite_region;
extern const struct check_suite suite_region_1g;
extern const struct check_suite suite_region_2m;
extern const struct check_suite suite_region_frames;
extern const struct check_suite suite_region_thp;
extern const struct check_suite suite_size_text;
extern const struct check_suite suite_sized_thp;
extern const struct check_suite suite_sized_thp_real;
extern const struct check_suite suite_smaps;
extern const struct check_suite suite_thp_alone;
extern const struct check_suite suite_thp_alone_real;

/* Why regions of the kind called `name` cannot be had, or NULL. */
const char *skip_kind(const char *name, size_t bytes);
