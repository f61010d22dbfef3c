/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/huge_pages/thp_switches.h -- the switches of transparent huge pages of
 * all sizes, for tests: of a fake machine, and of this one. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "huge_pages/page_kind.h"

#define THP_SWITCHES "/sys/kernel/mm/transparent_hugepage"

/* Start a fake machine (fake_machine.h) with 4 KiB pages: all sizes at
 * "madvise"; 16 and 1024 KiB and 2 MiB are off, 64 KiB inherits. */
void thp_switches_fake(void);

const char *thp_switch_path(size_t bytes, char path[96]);

/* What the switch of `bytes` is at, as a word; "" where there is none. */
const char *thp_switch_choice(size_t bytes);
void thp_switch_set(size_t bytes, const char *word);
/* True once the switch is at `word`; waits for at most ten seconds. */
bool thp_switch_comes_to(size_t bytes, const char *word);

/* The smallest size: what else has madvise'd memory hardly meets it. */
const struct hp_kind *thp_switch_smallest(void);

/* Why the switches of this machine cannot be set, or NULL. */
const char *thp_switches_skip(void);
