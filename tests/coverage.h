/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/coverage.h -- in front of every C source of a build that was configured
 * with --enable-coverage: children of fork() that leave by _exit(), without
 * what exit() does, leave their counts behind.  Includes nothing, as what
 * headers declare may have other names in a source.
 */
#pragma once

void __gcov_dump(void); /* gcc's manual, "Profiling and Test Coverage" */
extern _Noreturn void _exit(int status);

static inline _Noreturn void coverage_exit(int status) {
  __gcov_dump();
  _exit(status);
}
#define _exit coverage_exit
