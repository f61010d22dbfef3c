/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/valgrind/requests.h -- what preload.c, which is part of the
 * program, tells the tool. */
#ifndef EXPERIMENTS_VALGRIND_REQUESTS_H
#define EXPERIMENTS_VALGRIND_REQUESTS_H
#include <valgrind.h>

enum {
  VT_ALLOCATED = VG_USERREQ_TOOL_BASE('V', 'T'), /* address, bytes */
  VT_FREED                                       /* address */
};
#endif
