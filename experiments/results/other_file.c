/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/other_file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/json_file.h"

/* By its "record", where it has one, or else by keys that no other has. */
static const struct {
  const char *record, *keys[2], *what, *before, *after; /* its name between */
} others[] = {
    {"plan", .what = FILE_RESULTS, .before = "fix: vat report ",
     .after = " -o DIR"},
    {"compare", .what = "runs of vat compare -o",
     .before = "fix for vat report: --compared FILE of vat compare --json; for "
               "vat profile: --timed ",
     .after = ""},
    {"calibration", .what = FILE_CALIBRATION,
     .before = "fix: vat report --machine ", .after = " RESULTS -o DIR"},
    {"profile", .what = FILE_SAVED, .before = "fix: vat profile --from ",
     .after = " (with --what-if --json for vat report --profiled)"},
    {"doctor", .what = "the output of vat doctor --json",
     .before = "fix: measure with vat run -o FILE"},
    {"summary", .what = "the output of vat run --json or vat report --json",
     .before = "fix: name the file that vat run -o FILE wrote"},
    {.keys = {"command", "means"},
     .what = FILE_COMPARED,
     .before = "fix: vat report --profiled PROFILE.json --compared ",
     .after = " -o DIR"},
    {.keys = {"what_if", "what_if"},
     .what = FILE_WHAT_IF,
     .before = "fix: vat report --compared COMPARED.json --profiled ",
     .after = " -o DIR"},
    {.keys = {"command", "functions"},
     .what = "the output of vat profile --json",
     .before = "fix for vat report --profiled FILE: add --what-if"},
    {.keys = {"algo", "upper_source"},
     .what = "the output of vat predict --json",
     .before = "fix: measure with vat run -o FILE"},
    {.keys = {"policy", "translations"},
     .what = "the output of vat sim --json",
     .before = "fix: measure with vat run -o FILE"},
};
enum { OTHERS = sizeof others / sizeof *others };

static bool is_so(const json_t *object, size_t index) {
  const char *record = json_string_value(json_object_get(object, "record"));
  const char *const *keys = others[index].keys;
  if (others[index].record)
    return record && !strcmp(record, others[index].record);
  return json_object_get(object, keys[0]) && json_object_get(object, keys[1]);
}

/* The record of a comparison is behind that of the machine. */
static size_t look(FILE *file) {
  size_t found = OTHERS;
  for (int value = 0; found == OTHERS && value < 2; value++) {
    json_t *object = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
    for (found = 0; found < OTHERS && !is_so(object, found);) found++;
    json_decref(object);
  }
  return found;
}

void other_file(const char *path, const char *wanted, char *error,
                size_t error_size) {
  struct stat status;
  int code = errno;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  FILE *file = fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) ||
                       status.st_size > JSON_FILE_MOST
                   ? NULL
                   : fdopen(fd, "r");
  size_t i = file ? look(file) : OTHERS;
  if (i < OTHERS && strcmp(others[i].what, wanted))
    snprintf(error, error_size, "%.200s: not %s, but %s; %s%.200s%s", path,
             wanted, others[i].what, others[i].before,
             others[i].after ? path : "",
             others[i].after ? others[i].after : "");
  if (file)
    fclose(file);
  else if (fd >= 0)
    close(fd);
  errno = code;
}
