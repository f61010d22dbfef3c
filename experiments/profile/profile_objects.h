/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/profile_objects.h -- which builds of programs and
 * libraries a profile is of, so that what is made from it is not applied to
 * others.
 */
#pragma once
#include <jansson.h>

#include "experiments/profile/profile.h"

/* Look at the files of all objects that lines, sites and chains are in: when
 * the program has just run, and before the profile is saved. */
void profile_objects_find(struct profile *profile);

/* [{"name","build_id"}], null where it has none. */
json_t *profile_objects_to_json(const struct profile *profile);

/* Of a saved profile; NULL, of an older vat: none.  -1: they are damaged. */
int profile_objects_from_json(struct profile *profile, const json_t *array);
