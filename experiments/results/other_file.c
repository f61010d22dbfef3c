/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/other_file.h"

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
  const char *record, *keys[2], *what;
} others[] = {
    {.record = "plan", /* the first, as not everybody wants it */
     .what = "results of vat run -o; fix: vat report FILE -o DIR"},
    {.record = "compare",
     .what = "written by vat compare -o, run by run: vat profile --timed FILE "
             "takes it; vat report takes what vat compare --json prints, by "
             "--compared FILE"},
    {.record = "calibration",
     .what = "written by vat calibrate -o; fix: vat report --machine FILE "
             "RESULTS"},
    {.record = "profile",
     .what = "written by vat profile --save; fix: vat profile --from FILE, "
             "and with --what-if --json for vat report --profiled"},
    {.record = "doctor",
     .what = "printed by vat doctor --json, which nothing draws; vat report "
             "takes results, as vat run -o FILE writes them"},
    {.record = "summary",
     .what = "printed by vat run --json or vat report --json; fix: name the "
             "results file that the rows are from (vat run -o FILE)"},
    {.keys = {"command", "means"},
     .what = "printed by vat compare --json; fix: vat report --compared FILE "
             "--profiled PROFILE.json"},
    {.keys = {"what_if", "what_if"},
     .what = "printed by vat profile --what-if --json; fix: vat report "
             "--profiled FILE --compared COMPARE.json"},
    {.keys = {"command", "functions"},
     .what = "printed by vat profile --json; with --what-if, vat report "
             "--profiled FILE takes it"},
    {.keys = {"algo", "upper_source"},
     .what = "printed by vat predict --json, which nothing draws: vat report "
             "simulates by itself what vat run -o FILE measured"},
    {.keys = {"policy", "translations"},
     .what = "printed by vat sim --json, which nothing draws: vat report "
             "simulates by itself what vat run -o FILE measured"},
};

static bool is_so(const json_t *object, size_t index) {
  const char *record = json_string_value(json_object_get(object, "record"));
  const char *const *keys = others[index].keys;
  if (others[index].record)
    return record && !strcmp(record, others[index].record);
  return json_object_get(object, keys[0]) && json_object_get(object, keys[1]);
}

/* The record of a comparison is behind that of the machine. */
static const char *look(FILE *file, size_t first) {
  const char *found = NULL;
  for (int value = 0; !found && value < 2; value++) {
    json_t *object = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL);
    for (size_t i = first; !found && i < sizeof others / sizeof *others; i++)
      if (is_so(object, i)) found = others[i].what;
    json_decref(object);
  }
  return found;
}

const char *other_file(const char *path, bool results) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  FILE *file = fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) ||
                       status.st_size > JSON_FILE_MOST
                   ? NULL
                   : fdopen(fd, "r");
  if (!file) {
    if (fd >= 0) close(fd);
    return NULL;
  }
  const char *what = look(file, !results);
  fclose(file);
  return what;
}
