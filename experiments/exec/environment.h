/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/environment.h -- what the environment of a program asks of
 * its loader and of its malloc. */
#pragma once
#include <limits.h>
#include <stdbool.h>

/* A copy of `environment` with NAME=value for each of the NULL-ended pairs in
 * `changes`; NULL: none. */
char **environment_with(char *const *environment, const char *const *changes);
void environment_free(char **environment); /* NULL is fine */

/* What the variable `name` has here, with `own` behind it, so that it counts
 * where both say something.  The caller frees it. */
char *environment_join(const char *name, const char *own, char between);

/* glibc.malloc.hugetlb came with 2.35.  A program linked at run time has the
 * glibc that vat has, but in a container of its own. */
bool glibc_has_tunables(void);

/* Add a library to a text for LD_PRELOAD, which is NULL at first and to be
 * freed. */
void preload_add(char **preload, const char *path);

/* Add what the user has in LD_PRELOAD, but for libraries of vat's: those of a
 * vat exec or vat compare that runs this one, which does so instead. */
void preload_add_given(char **preload);

/*
 * Add a library of vat's, "page_shim.so".  Where its path has a blank or a
 * colon, which LD_PRELOAD takes for the end of a name, it is named by a
 * descriptor of this process, and found as long as this process lives.  Returns
 * an exit code, having printed why there is none.
 */
int preload_find(char **preload, const char *library);

/* Is a library in it named by a descriptor? */
bool preload_needs_us(const char *preload);
