/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile.h -- read what the Valgrind tool counted, and
 * print it.
 */
#pragma once
#include <stdio.h>

#include "experiments/profile/profile_data.h"

void profile_init(struct profile *profile);
void profile_fini(struct profile *profile);

/*
 * Add what a process left in `file`, called `name` in errors.  0, or -1 with a
 * sentence in `error` and errno EINVAL: then nothing was added.
 */
enum { PROFILE_ERROR_SIZE = 256 };
int profile_read(struct profile *profile, FILE *file, const char *name,
                 char error[PROFILE_ERROR_SIZE]);

/* When all is read: merge what is the same, find functions, sort. */
void profile_finish(struct profile *profile);

struct profile_request;
int profile_print(const struct profile_request *request,
                  const struct profile *profile, FILE *to);
int profile_callgrind(const struct profile_request *request,
                      const struct profile *profile, FILE *to);
int profile_json(const struct profile_request *request,
                 const struct profile *profile, FILE *to);
