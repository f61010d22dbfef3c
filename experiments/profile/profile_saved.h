/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_saved.h -- a profile as the tool left it, in one
 * file, so that it can be looked at again, and without Valgrind.
 *
 * The first line is JSON: {"record":"profile","schema":8,"command":[...],
 * "policy":"islru","processes":[bytes,...]}, and with the policy "tlb" their
 * shape as --tlb takes it, "tlb":"l1=64x4"; with --code "itlb" likewise;
 * "lost", how many processes left no profile; "objects":[{"name","build_id"}],
 * the programs and libraries; and "what_if" (what_if_saved.h).  Behind it is
 * what each process left, as experiments/valgrind/output.c writes it.  Files
 * of older schemas are read as well: profile_saved.c says what they lack.
 */
#pragma once
#include <jansson.h>
#include <stdio.h>

#include "experiments/profile/profile.h"
#include "experiments/profile/profile_request.h"

/* Write all that is in the profile's directory to the file of --save, open as
 * `to`.  An exit code; what went wrong has been told, but for what is still in
 * the stream. */
int profile_saved_write(const struct profile_request *request,
                        const struct profile *profile, FILE *to);

struct profile_saved {
  FILE *file;
  json_t *head;
  char **words;
};

/* Open the file of --from, unless it is open as `saved->file` already, which is
 * NULL otherwise.  It settles the request's program, policy and TLBs: they live
 * as long as `saved`.  Exit codes, as below. */
int profile_saved_open(struct profile_saved *saved,
                       struct profile_request *request);
int profile_saved_read(const struct profile_saved *saved, const char *path,
                       struct profile *profile);
void profile_saved_close(struct profile_saved *saved); /* zeroed is fine */
