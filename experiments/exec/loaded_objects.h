/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/loaded_objects.h -- the program and the libraries that its
 * loader loads with it: which builds they are, and which functions they have.
 *
 * The loader itself is asked, which does not start the program.  Libraries that
 * a program loads later are not among them.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "experiments/exec/executable.h"

struct loaded_object {
  char *path;                         /* links followed */
  char build_id[EXECUTABLE_BUILD_ID]; /* "": it has none */
};

struct loaded_objects {
  struct loaded_object *at; /* the program, or what interprets it, is first */
  size_t count;
};

/* If the loader does not answer the program is all there is. */
void loaded_objects_find(struct loaded_objects *all,
                         const struct executable *program);
void loaded_objects_fini(struct loaded_objects *all);

/* Has it a function of that name, as symbol_is() has it? */
bool loaded_object_has(const struct loaded_object *object, const char *name);
