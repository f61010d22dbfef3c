/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/frame_names.h -- the functions that return addresses lie
 * in, by the symbol tables of their files, if these are still the builds that
 * were profiled.  In another build they find a call again.
 */
#pragma once
#include "experiments/profile/profile.h"

struct frame_names {
  const struct profile_objects *objects;
  struct frame_file *file; /* that were looked at so far */
  size_t files;
};

/* A symbol, as long as `names`; NULL: not known. */
const char *frame_name(struct frame_names *names,
                       const struct profile_frame *frame);
void frame_names_fini(struct frame_names *names);
