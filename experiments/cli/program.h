/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/cli/program.h -- programs that may be there or not. */
#pragma once
#include <limits.h>
#include <stdbool.h>

/* A file of vat's own: beside the command in the build tree, where it is
 * installed relative to the command, or at the configured path `installed`.
 * False where it is at none of them. */
bool program_part(char path[PATH_MAX], const char *beside,
                  const char *installed);

/* Look `program` up along PATH, or where the system looks without one, as
 * execvp(3) does, passing over what cannot be executed.  True with its path;
 * or false, with errno EACCES (found, but not executable) or ENOENT. */
bool program_find(const char *program, char path[PATH_MAX]);

/* What may be wrong with a name that was not found: "; fix: ...", or "". */
const char *program_hint(const char *name);
