/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/applications/seen.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

bool seen_is_any(const char *text, const char *const patterns[]) {
  for (; *patterns; patterns++)
    if (!fnmatch(*patterns, text, 0)) return true;
  return false;
}

const char *seen_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *seen_object(const struct application_seen *seen,
                        const char *const patterns[]) {
  for (size_t i = 0; i < seen->object_count; i++)
    if (seen_is_any(seen_base(seen->objects[i]), patterns))
      return seen->objects[i];
  return NULL;
}

bool seen_is_program(const struct application_seen *seen,
                     const char *const patterns[]) {
  if (*seen->exe) return seen_is_any(seen_base(seen->exe), patterns);
  return seen_object(seen, patterns);
}

bool seen_has_function(const struct application_seen *seen,
                       const char *const patterns[]) {
  for (size_t i = 0; i < seen->function_count; i++)
    if (seen_is_any(seen->functions[i], patterns)) return true;
  return false;
}

const char *seen_env(const struct application_seen *seen, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < seen->envs; i++)
    if (!strncmp(seen->env[i], name, length) && seen->env[i][length] == '=')
      return seen->env[i] + length + 1;
  return NULL;
}

const char *seen_path(char full[SEEN_PATH], const char *folder,
                      const char *path) {
  if (*path != '/' && !*folder) return NULL;
  int length = *path == '/' ? snprintf(full, SEEN_PATH, "%s", path)
                            : snprintf(full, SEEN_PATH, "%s/%s", folder, path);
  return length < SEEN_PATH ? full : NULL;
}

const char *seen_folder(char folder[SEEN_PATH], const char *path) {
  if (folder != path) snprintf(folder, SEEN_PATH, "%s", path);
  char *slash = strrchr(folder, '/');
  if (slash) *slash = '\0';
  return folder;
}

char *seen_read(const struct application_seen *seen, const char *folder,
                const char *path) {
  char full[SEEN_PATH];
  if (!seen->files || !seen_path(full, folder, path)) return NULL;
  return seen->files->read(seen->context, full);
}

bool seen_find(const struct application_seen *seen, const char *path,
               uint64_t limit, const struct seen_word *word,
               unsigned char after[SEEN_AFTER]) {
  return seen->files && *path == '/' &&
         seen->files->find(seen->context, path, limit, word, after);
}

void seen_tame(char *text) {
  for (; *text; text++)
    if (*text < ' ' || *text > '~') *text = '?';
}

void seen_copy(char *to, size_t size, const char *from) {
  snprintf(to, size, "%s", from);
  seen_tame(to);
}
