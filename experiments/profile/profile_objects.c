/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/profile_objects.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/memory.h"
#include "experiments/exec/executable.h"

/* Valgrind's own, which no other run of the program has. */
static bool is_tool(const char *name) {
  const char *slash = strrchr(name, '/');
  return slash && !strncmp(slash, "/vgpreload_", 11);
}

static void add(struct profile *profile, const char *name) {
  struct profile_objects *all = &profile->objects;
  /* What comes next is mostly in the same one.  Tools name the unknown "???".
   */
  if (*name != '/' || is_tool(name) ||
      (all->count && all->object[all->count - 1].name == name))
    return;
  *ARRAY_ADD(all->object, all->count) = (struct profile_object){name, NULL};
}

static int compare(const void *x, const void *y) {
  const struct profile_object *a = x, *b = y;
  return strcmp(a->name, b->name);
}

/* NULL: none, or the file is gone. */
static const char *build_id_of(struct profile *profile, const char *name) {
  char id[EXECUTABLE_BUILD_ID];
  int fd = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return NULL;
  int failed = executable_read_build_id(fd, id);
  close(fd);
  return failed ? NULL : profile_intern(profile, id);
}

void profile_objects_find(struct profile *profile) {
  struct profile_objects *all = &profile->objects;
  size_t kept = 0;
  all->count = 0;
  for (size_t i = 0; i < profile->lines.count; i++)
    add(profile, profile->lines.row[i].at.object);
  for (size_t i = 0; i < profile->sites.count; i++)
    for (unsigned k = 0; k < profile->sites.site[i].callers; k++)
      add(profile, profile->sites.site[i].caller[k].object);
  for (size_t i = 0; i < profile->chains.count; i++)
    for (unsigned k = 0; k < profile->chains.chain[i].frames; k++)
      add(profile, profile->chains.chain[i].frame[k].object);
  if (!all->count) return;
  qsort(all->object, all->count, sizeof *all->object, compare);
  for (size_t i = 0; i < all->count; i++)
    if (!i || compare(&all->object[kept - 1], &all->object[i]))
      all->object[kept++] = all->object[i];
  all->count = kept;
  for (size_t i = 0; i < kept; i++)
    all->object[i].build_id = build_id_of(profile, all->object[i].name);
}

json_t *profile_objects_to_json(const struct profile *profile) {
  json_t *array = json_array();
  for (size_t i = 0; i < profile->objects.count; i++) {
    const struct profile_object *object = &profile->objects.object[i];
    json_t *name = json_string(object->name); /* NULL: it is no UTF-8 */
    if (!name) continue;
    json_array_append_new(array, json_pack("{so ss?}", "name", name, "build_id",
                                           object->build_id));
  }
  return array;
}

int profile_objects_from_json(struct profile *profile, const json_t *array) {
  struct profile_objects *all = &profile->objects;
  size_t i;
  json_t *entry;
  all->count = 0;
  if (!array) return 0;
  if (!json_is_array(array)) return -1;
  json_array_foreach(array, i, entry) {
    const char *name = json_string_value(json_object_get(entry, "name"));
    const json_t *id = json_object_get(entry, "build_id");
    if (!name || (!json_is_string(id) && !json_is_null(id))) return -1;
    *ARRAY_ADD(all->object, all->count) = (struct profile_object){
        profile_intern(profile, name),
        json_is_string(id) ? profile_intern(profile, json_string_value(id))
                           : NULL};
  }
  return 0;
}
