/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/mounts.h"

#include <config.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

/* "huge=advise" among "rw,size=1024k,huge=advise". */
static void read_huge(const char *options, char huge[16]) {
  static const char key[] = "huge=";
  for (; *options && *options != '\n'; options += *options == ',') {
    size_t length = strcspn(options, ",\n");
    if (length > strlen(key) && !strncmp(options, key, strlen(key)))
      snprintf(huge, 16, "%.*s", (int)(length - strlen(key)),
               options + strlen(key));
    options += length;
  }
}

/* "36 35 98:0 /root /point rw,noatime shared:1 - ext4 /dev/vda rw". */
static bool parse(const char *line, struct file_system *system) {
  unsigned major, minor;
  int point, end, type;
  *system = (struct file_system){0};
  if (sscanf(line, "%*d %*d %u:%u %*s %n%*s%n", &major, &minor, &point, &end) !=
      2)
    return false;
  const char *rest = strstr(line + end, " - ");
  if (!rest || sscanf(rest, " - %31s %*s %n", system->type, &type) != 1)
    return false;
  system->device = (uint64_t)major << 32 | minor;
  read_huge(rest + type, system->huge);
  system->point = memory_format("%.*s", end - point, line + point);
  return true;
}

void mounts_read(struct mounts *mounts, FILE *mountinfo) {
  char *line = NULL;
  size_t room = 0;
  struct file_system system;
  *mounts = (struct mounts){0};
  while (getline(&line, &room, mountinfo) > 0)
    if (parse(line, &system)) *ARRAY_ADD(mounts->at, mounts->count) = system;
  free(line);
}

void mounts_fini(struct mounts *mounts) {
  for (size_t i = 0; i < mounts->count; i++) free(mounts->at[i].point);
  free(mounts->at);
  *mounts = (struct mounts){0};
}

const struct file_system *mounts_find(const struct mounts *mounts,
                                      uint64_t device) {
  for (size_t i = 0; device && i < mounts->count; i++)
    if (mounts->at[i].device == device) return &mounts->at[i];
  return NULL;
}

bool file_system_is_tmpfs(const struct file_system *system) {
  return system && !strcmp(system->type, "tmpfs");
}

int file_system_since(const char *type) {
  /* Those that call mapping_set_large_folios() for regular files. */
  static const struct {
    const char *type;
    int since;
  } known[] = {{"ext4", 6016}, {"xfs", 5018}, {"erofs", 6002}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(type, known[i].type)) return known[i].since;
  return 0;
}
