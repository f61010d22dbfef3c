/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/reuse/reuse_cache.h"

#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/memory.h"

enum { ENTRY_MOST = 1 << 24 /* bytes: far more than an entry has */ };

static const char *environment(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* 0, or -1 with errno: ENOENT where no directory is known. */
static int directory(char path[PATH_MAX]) {
  const char *own = environment("VAT_CACHE_DIR"), *home = environment("HOME");
  const char *xdg = environment("XDG_CACHE_HOME");
  int length;
  if (own)
    length = snprintf(path, PATH_MAX, "%s", own);
  else if (xdg && *xdg == '/') /* others are to be ignored */
    length = snprintf(path, PATH_MAX, "%s/vat", xdg);
  else if (home && !access(home, F_OK)) /* whose is not there is to have none */
    length = snprintf(path, PATH_MAX, "%s/.cache/vat", home);
  else
    length = (errno = ENOENT, -1);
  if (length < PATH_MAX) return length < 0 ? -1 : 0;
  errno = ENAMETOOLONG;
  return -1;
}

/* FNV-1a (Fowler, Noll, Vo; IETF draft-eastlake-fnv): a file's name need only
 * differ mostly, since the key is in the file. */
static uint64_t hash(const char *text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

static int entry_path(char path[PATH_MAX], const char *name,
                      const json_t *key) {
  char where[PATH_MAX];
  char *text = json_dumps(key, JSON_COMPACT | JSON_SORT_KEYS);
  if (directory(where)) {
    free(text);
    return -1;
  }
  int length = snprintf(path, PATH_MAX, "%s/%s-%016" PRIx64 ".json", where,
                        name, hash(text));
  free(text);
  if (length > 0 && length < PATH_MAX) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

/* What an entry holds beside its value, to see that this is what was kept.
 * NULL where the value is neither an object nor an array. */
static json_t *sum_of(const json_t *value) {
  char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
  if (!text) return NULL;
  json_t *sum = json_sprintf("%016" PRIx64, hash(text));
  free(text);
  return sum;
}

static json_t *load_entry(int fd) {
  struct stat status;
  if (fstat(fd, &status) || !S_ISREG(status.st_mode) ||
      status.st_size > ENTRY_MOST)
    return NULL;
  return json_loadfd(fd, 0, NULL);
}

json_t *reuse_cache_read(const char *name, const json_t *key) {
  char path[PATH_MAX];
  if (entry_path(path, name, key)) return NULL;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return NULL;
  json_t *entry = load_entry(fd);
  json_t *value = json_incref(json_object_get(entry, "value"));
  json_t *sum = value ? sum_of(value) : NULL;
  bool whole = sum && json_equal(json_object_get(entry, "sum"), sum);
  if (!whole)
    fprintf(stderr, "vat: note: %s is damaged; it is made anew\n", path);
  if (!whole || !json_equal(json_object_get(entry, "key"), key)) {
    json_decref(value);
    value = NULL;
  }
  close(fd);
  json_decref(sum);
  json_decref(entry);
  return value;
}

/* The directories above the file `path`. */
static int make_directories(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    int failed = mkdir(path, 0700) && errno != EEXIST;
    *slash = '/';
    if (failed) return -1;
  }
  return 0;
}

static void remove_temporary(void *path) { unlink(path); }

/* To a file of its own first, which then takes the name. */
static int replace(const char *path, const json_t *entry) {
  char temporary[PATH_MAX + sizeof ".XXXXXX"];
  snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
  int fd = mkstemp(temporary);
  if (fd < 0) return -1;
  memory_clean_up(remove_temporary, temporary);
  FILE *out = fdopen(fd, "w"); /* json_dumpfd() writes word by word */
  int failed = !out || json_dumpf(entry, out, JSON_COMPACT) ? -1 : 0;
  int why = errno;
  memory_clean_up(NULL, NULL);
  if ((out ? fclose(out) : close(fd)) && !failed) failed = -1, why = errno;
  if (!failed && rename(temporary, path)) failed = -1, why = errno;
  if (failed) unlink(temporary);
  errno = why;
  return failed ? -1 : 0;
}

void reuse_cache_write(const char *name, const json_t *key, json_t *value) {
  static bool said;
  char path[PATH_MAX] = "";
  json_t *entry =
      json_pack("{sO sO so}", "key", key, "value", value, "sum", sum_of(value));
  int failed = entry_path(path, name, key) || make_directories(path) ||
               replace(path, entry);
  if (failed && !said)
    fprintf(stderr,
            "vat: note: simulated misses are not kept for the next time: "
            "%s%s%s; mend: VAT_CACHE_DIR=DIR in the environment\n",
            path, *path ? ": " : "", strerror(errno));
  said |= failed != 0;
  json_decref(entry);
}
