/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/native.h -- the program by itself, on base pages. */
#pragma once
#include <stdint.h>

#include "experiments/compare/first_touch.h"
#include "experiments/profile/profile_request.h"
#include "experiments/profile/what_if.h"

struct native {
  unsigned runs; /* 0: its time was told */
  struct what_if_time time;
  double sys_s;    /* median */
  uint64_t faults; /* minor ones, median */
  struct first_touch touch;
};

/* Run it as often as was asked for, what it prints being read and dropped; or
 * take what was told of its time: then `path` is not looked at.  Returns an
 * exit code; what went wrong has been told then. */
int native_measure(struct native *native, const struct profile_request *request,
                   const char *path);
