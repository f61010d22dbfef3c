/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/reuse/reuse_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/out_file.h"

enum { ENTRY_MOST = 1 << 24 /* bytes: far more than an entry has */ };

static const char *environment(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* The caller frees it, as what follows; NULL with ENOENT: none is known. */
static char *directory(void) {
  const char *own = environment("VAT_CACHE_DIR"), *home = environment("HOME");
  const char *xdg = environment("XDG_CACHE_HOME");
  if (own) return memory_text(own);
  if (xdg && *xdg == '/') /* others are to be ignored */
    return memory_format("%s/vat", xdg);
  if (home && !access(home, F_OK)) /* whose is not there is to have none */
    return memory_format("%s/.cache/vat", home);
  errno = ENOENT;
  return NULL;
}

/* FNV-1a (Fowler, Noll, Vo; IETF draft-eastlake-fnv) of an object or array;
 * NULL: it is neither. */
static char *hash(const json_t *json) {
  char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  if (!text) return NULL;
  for (const char *c = text; *c; c++)
    hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
  free(text);
  return memory_format("%016" PRIx64, hash);
}

/* The name need only differ mostly, since the key is in the file. */
static char *entry_path(const char *name, const json_t *key) {
  char *where = directory();
  if (!where) return NULL;
  char *sum = hash(key);
  char *path = memory_format("%s/%s-%s.json", where, name, sum);
  free(sum);
  free(where);
  return path;
}

/* An entry holds its value's sum, to see that this is what was kept. */
static json_t *read_entry(const char *path, int fd, const json_t *key) {
  struct stat status;
  bool fits = !fstat(fd, &status) && S_ISREG(status.st_mode) &&
              status.st_size <= ENTRY_MOST;
  json_t *entry = fits ? json_loadfd(fd, 0, NULL) : NULL;
  json_t *value = json_object_get(entry, "value");
  const char *kept = json_string_value(json_object_get(entry, "sum"));
  char *sum = hash(value);
  bool whole = sum && kept && !strcmp(sum, kept);
  if (!whole)
    fprintf(stderr, "vat: note: %s is damaged and is written again\n", path);
  whole = whole && json_equal(json_object_get(entry, "key"), key);
  value = whole ? json_incref(value) : NULL;
  json_decref(entry);
  free(sum);
  return value;
}

json_t *reuse_cache_read(const char *name, const json_t *key) {
  char *path = entry_path(name, key);
  int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  json_t *value = fd < 0 ? NULL : read_entry(path, fd, key);
  if (fd >= 0) close(fd);
  free(path);
  return value;
}

/* Directories are made for their user alone, as that of caches is to be. */
static int write_entry(const char *path, const json_t *entry) {
  const char *name = strrchr(path, '/') + 1;
  char *where = memory_format("%.*s", (int)(name - path), path);
  mode_t mask = umask(077);
  struct out_file file;
  int directory = out_dir_open(where);
  int failed = directory < 0 || out_file_begin(&file, directory, name);
  if (!failed) {
    json_dumpf(entry, file.stream, JSON_COMPACT);
    failed = out_file_commit(&file);
  }
  int why = errno;
  if (directory >= 0) out_dir_close(directory);
  umask(mask);
  free(where);
  errno = why;
  return failed;
}

void reuse_cache_write(const char *name, const json_t *key, json_t *value) {
  static bool said;
  char *sum = hash(value);
  json_t *entry =
      json_pack("{sO sO ss}", "key", key, "value", value, "sum", sum);
  char *path = entry_path(name, key);
  int failed = !path || write_entry(path, entry);
  if (failed && !said)
    fprintf(stderr,
            "vat: note: cannot save the simulated misses for later runs: "
            "%s%s%s; fix: set VAT_CACHE_DIR=DIR in the environment\n",
            path ? path : "", path ? ": " : "", strerror(errno));
  said |= failed != 0;
  json_decref(entry);
  free(sum);
  free(path);
}
