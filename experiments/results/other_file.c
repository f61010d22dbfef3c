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

#define MEASURE "measure with vat run -o FILE"

/* By its "record", where it has one, or else by a key that no other has. */
static const struct {
  const char *sign, *what, *fix; /* its name for the @ */
} others[] = {
    {"means", FILE_COMPARED,
     "vat report --profiled PROFILE.json --compared @ -o DIR"},
    {"what_if", FILE_WHAT_IF,
     "vat report --compared COMPARED.json --profiled @ -o DIR"},
    {"functions", "the output of vat profile --json",
     "add --what-if, then vat report --profiled FILE"},
    {"upper_source", "the output of vat predict --json", MEASURE},
    {"translations", "the output of vat sim --json", MEASURE},
    {"plan", FILE_RESULTS, "vat report @ -o DIR"},
    {"compare", "runs of vat compare -o",
     "vat profile --what-if --timed @ -- PROG; for vat report, save the output "
     "of vat compare --json"},
    {"page-plan", FILE_PLAN, "vat exec --plan @ -- PROG"},
    {"calibration", FILE_CALIBRATION,
     "give --machine @ to vat report, vat validate or vat profile"},
    {"profile", FILE_SAVED,
     "vat profile --from @ (with --what-if --json for vat report --profiled)"},
    {"doctor", "the output of vat doctor --json", MEASURE},
    {"summary", "the output of vat run --json or vat report --json",
     "name the file that vat run -o FILE wrote"},
};
enum { OTHERS = sizeof others / sizeof *others };

static bool is_so(const json_t *object, const char *sign) {
  const char *record = json_string_value(json_object_get(object, "record"));
  return record ? !strcmp(record, sign) : json_object_get(object, sign) != NULL;
}

/* The record of a comparison is behind that of the machine. */
static size_t look(FILE *file) {
  size_t found = OTHERS;
  for (int value = 0; found == OTHERS && value < 2; value++) {
    json_t *object = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
    for (found = 0; found < OTHERS && !is_so(object, others[found].sign);)
      found++;
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
  if (i < OTHERS && strcmp(others[i].what, wanted)) {
    const char *fix = others[i].fix, *at = strchrnul(fix, '@');
    snprintf(error, error_size,
             "%.200s: not %s, but %s; to use it: %.*s%.200s%s", path, wanted,
             others[i].what, (int)(at - fix), fix, *at ? path : "",
             *at ? at + 1 : "");
  }
  if (file)
    fclose(file);
  else if (fd >= 0)
    close(fd);
  errno = code;
}
