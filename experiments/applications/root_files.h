/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/applications/root_files.h -- files below a root: the process that
 * owns the root may put there what it likes, so links cannot lead outside, and
 * only regular files of a bounded size are read.
 */
#pragma once
#include "experiments/applications/seen.h"

extern const struct seen_files root_files; /* the context: int *, the root */
