/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/carry_out.h -- by what means a program is given what a plan
 * chooses.
 *
 *   LD_PRELOAD      page_shim.so: mappings, static data, stack, text, files;
 *                   site_shim.so, which has all that, too: allocation sites
 *   VAT_RULES       tells it what (rules.h), VAT_PAGES on which kind of page
 *   VAT_REPORT      where it says what came of it (look.h)
 *   VAT_PERF_MAP    set if perf(1) is to know text that was moved
 *   GLIBC_TUNABLES  glibc.malloc.hugetlb, for the heap as a whole
 *   MALLOC_CONF     the same, where malloc is jemalloc
 *
 * What the user has in these variables stays.  Where nothing is chosen nothing
 * is set.
 */
#pragma once
#include <stdbool.h>

#include "experiments/exec/executable.h"
#include "experiments/exec/page_plan.h"
#include "huge_pages/page_kind.h"

/*
 * The environment of `program` by `plan`, on pages of `kind`.  `report`: the
 * path of a look_area, or NULL.  Returns an exit code, having printed what is
 * wrong: the program cannot be given that (3), or the kind cannot (2).
 */
int carry_out(const struct page_plan *plan, const struct hp_kind *kind,
              const struct executable *program, const char *report,
              char ***environment);

/* Does such an environment need this process to stay? */
bool carry_out_needs_us(char *const *environment);
