/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what calibration_json.c writes.  Nothing in it is trusted. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/probe/calibration.h"
#include "experiments/results/sample_json.h"

/* A calibration is under 1 MiB: what is longer must not fill the memory. */
enum { FILE_LIMIT = 16 << 20 };

/* Numbers beyond this are no times and no sizes. */
static const double number_limit = 1e18;

struct reader {
  struct calibration *cal;
  char *why; /* CALIBRATION_TEXT */
};

static bool refuse(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(struct reader *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(r->why, CALIBRATION_TEXT, format, args);
  va_end(args);
  errno = EINVAL;
  return false;
}

/* From a number, or NAN from null. */
static bool take_number(struct reader *r, const json_t *json, const char *what,
                        double *number) {
  *number = json_is_null(json) ? NAN : json_number_value(json);
  if (json_is_null(json)) return true;
  if (!json_is_number(json) || !(*number >= 0) || *number > number_limit)
    return refuse(r, "\"%s\" must be a number from 0 on, or null", what);
  return true;
}

static bool take(struct reader *r, const json_t *object, const char *key,
                 double *number) {
  return take_number(r, json_object_get(object, key), key, number);
}

static bool take_positive(struct reader *r, const json_t *object,
                          const char *key, double *number) {
  if (!take(r, object, key, number)) return false;
  return *number > 0 || refuse(r, "\"%s\" must be a number above 0", key);
}

static bool take_value(struct reader *r, const json_t *object, const char *key,
                       struct cal_value *value) {
  const json_t *json = json_object_get(object, key);
  if (!json_is_object(json))
    return refuse(r, "\"%s\" must be an object with \"value\"", key);
  if (!take(r, json, "value", &value->value) ||
      !take(r, json, "lo", &value->lo) || !take(r, json, "hi", &value->hi))
    return false;
  return !(value->lo > value->hi) ||
         refuse(r, "\"lo\" of \"%s\" must not be above \"hi\"", key);
}

/* One that is not seen, or above 0. */
static bool take_above(struct reader *r, const json_t *object, const char *key,
                       struct cal_value *value) {
  if (!take_value(r, object, key, value)) return false;
  return value->value != 0 ||
         refuse(r, "the \"value\" of \"%s\" must be above 0, or null", key);
}

/* One that older files lack. */
static bool take_newer(struct reader *r, const json_t *object, const char *key,
                       struct cal_value *value) {
  *value = (struct cal_value){NAN, NAN, NAN};
  return !json_object_get(object, key) || take_value(r, object, key, value);
}

static bool take_name(struct reader *r, const json_t *object, const char *key,
                      char *name, size_t size) {
  if (sample_name_from_json(json_object_get(object, key), name, size))
    return true;
  return refuse(r, "\"%s\" must be a name of 1 to %zu printable characters",
                key, size - 1);
}

/* An array of at most `most` objects. */
static bool take_list(struct reader *r, const json_t *object, const char *key,
                      size_t most, const json_t **list) {
  *list = json_object_get(object, key);
  if (!json_is_array(*list) || json_array_size(*list) > most)
    return refuse(r, "\"%s\" must be an array of at most %zu", key, most);
  return true;
}

static bool take_levels(struct reader *r, const json_t *object) {
  const json_t *list, *json;
  size_t i;
  if (!take_list(r, object, "levels", CALIBRATION_LEVELS, &list)) return false;
  if (!json_array_size(list)) return refuse(r, "\"levels\" must not be empty");
  json_array_foreach(list, i, json) {
    struct cal_level *level = &r->cal->levels[i];
    if (!take_name(r, json, "name", level->name, sizeof level->name) ||
        !take(r, json, "bytes_reported", &level->bytes_reported) ||
        !take_above(r, json, "bytes_usable", &level->bytes_usable) ||
        !take_above(r, json, "ns", &level->ns) ||
        !take_above(r, json, "in_flight", &level->in_flight) ||
        !take_newer(r, json, "read_ns", &level->read_ns) ||
        !take_newer(r, json, "update_ns", &level->update_ns))
      return false;
    if (calibration_level(r->cal, level->name))
      return refuse(r, "level %s is there twice", level->name);
    r->cal->level_count = i + 1;
  }
  return true;
}

static bool take_tlbs(struct reader *r, const json_t *object,
                      struct cal_pages *pages) {
  const json_t *list, *json;
  size_t i;
  if (!take_list(r, object, "tlb", CALIBRATION_TLBS, &list)) return false;
  json_array_foreach(list, i, json) {
    if (!take_value(r, json, "entries", &pages->tlb[i].entries) ||
        !take_value(r, json, "extra_ns", &pages->tlb[i].extra_ns))
      return false;
  }
  pages->tlbs = json_array_size(list);
  return true;
}

static bool take_pages(struct reader *r, const json_t *json,
                       struct cal_pages *pages) {
  const json_t *lines = json_object_get(json, "table_line_ns");
  if (!take_name(r, json, "kind", pages->kind, sizeof pages->kind) ||
      !take_positive(r, json, "page_bytes", &pages->page_bytes) ||
      !take(r, json, "granularity_bytes", &pages->granularity_bytes) ||
      !take_value(r, json, "tau_ns", &pages->tau_ns) ||
      !take_above(r, json, "tc_nodes", &pages->tc_nodes) ||
      !take_tlbs(r, json, pages) ||
      !take_above(r, json, "walks_in_flight", &pages->walks_in_flight))
    return false;
  for (size_t i = 0; i < r->cal->level_count; i++)
    if (!take_value(r, lines, r->cal->levels[i].name, &pages->table_line_ns[i]))
      return false;
  if (calibration_pages(r->cal, pages->kind))
    return refuse(r, "pages %s are there twice", pages->kind);
  return true;
}

static bool take_page_kinds(struct reader *r, const json_t *object) {
  const json_t *list, *json;
  size_t i;
  if (!take_list(r, object, "pages", CALIBRATION_KINDS, &list)) return false;
  json_array_foreach(list, i, json) {
    if (!take_pages(r, json, &r->cal->pages[i])) return false;
    r->cal->page_count = i + 1;
  }
  return true;
}

static bool take_point(struct reader *r, const json_t *json,
                       struct cal_curve *curve) {
  struct cal_point *p = &curve->points[curve->count];
  if (!json_is_array(json) || json_array_size(json) != 4)
    return refuse(r, "a point must be [x, ns, lo, hi]");
  if (!take_number(r, json_array_get(json, 0), "x", &p->x) ||
      !take_number(r, json_array_get(json, 1), "ns", &p->ns) ||
      !take_number(r, json_array_get(json, 2), "lo", &p->lo) ||
      !take_number(r, json_array_get(json, 3), "hi", &p->hi))
    return false;
  if (!(p->ns > 0)) return refuse(r, "\"ns\" of a point must be above 0");
  if (!(p->x > (curve->count ? p[-1].x : 0)))
    return refuse(r, "\"x\" of points must ascend from above 0");
  curve->count++;
  return true;
}

static bool take_curve(struct reader *r, const json_t *json,
                       struct cal_curve *curve) {
  const json_t *list, *point, *chains = json_object_get(json, "chains");
  const char *unit = json_string_value(json_object_get(json, "x_unit"));
  size_t i;
  if (!take_name(r, json, "name", curve->name, sizeof curve->name) ||
      !take_name(r, json, "pages", curve->pages, sizeof curve->pages) ||
      !take_positive(r, json, "step_bytes", &curve->step_bytes) ||
      !take_list(r, json, "points", FILE_LIMIT, &list))
    return false;
  curve->by_pages = unit && !strcmp(unit, "pages");
  if (!unit || (!curve->by_pages && strcmp(unit, "bytes") != 0))
    return refuse(r, "\"x_unit\" must be \"bytes\" or \"pages\"");
  curve->chains = (unsigned)json_integer_value(chains);
  if (!json_is_integer(chains) || json_integer_value(chains) < 0 ||
      json_integer_value(chains) > 1024)
    return refuse(r, "\"chains\" must be an integer from 0 to 1024");
  curve->points =
      memory_zeroed(json_array_size(list) + 1, sizeof *curve->points);
  json_array_foreach(list, i, point) {
    if (!take_point(r, point, curve)) return false;
  }
  return true;
}

static bool take_curves(struct reader *r, const json_t *object) {
  const json_t *list, *json;
  size_t i;
  if (!take_list(r, object, "curves", FILE_LIMIT, &list)) return false;
  r->cal->curves =
      memory_zeroed(json_array_size(list) + 1, sizeof *r->cal->curves);
  json_array_foreach(list, i, json) {
    r->cal->curve_count = i + 1;
    if (!take_curve(r, json, &r->cal->curves[i])) return false;
  }
  return true;
}

static bool take_rest(struct reader *r, const json_t *object) {
  const json_t *streams = json_object_get(object, "stream_ns_per_line");
  const json_t *noise = json_object_get(object, "noise"), *list, *json;
  struct calibration *cal = r->cal;
  size_t i;
  if (!take_value(r, streams, "read", &cal->stream_read) ||
      !take_value(r, streams, "write", &cal->stream_write) ||
      !take_value(r, streams, "copy", &cal->stream_copy) ||
      !take_newer(r, object, "neighbours_bytes_per_ns", &cal->neighbours) ||
      !take(r, noise, "timer_ns", &cal->noise.timer_ns) ||
      !take(r, noise, "canary_ns", &cal->noise.canary_ns) ||
      !take(r, noise, "canary_range", &cal->noise.canary_range) ||
      !take(r, noise, "repeat_range", &cal->noise.repeat_range) ||
      !take(r, noise, "seconds", &cal->noise.seconds) ||
      !take(r, noise, "repetitions", &cal->noise.repetitions) ||
      !take_list(r, object, "warnings", CALIBRATION_WARNINGS, &list))
    return false;
  json_array_foreach(list, i, json) {
    const char *text = json_string_value(json);
    if (!text) return refuse(r, "\"warnings\" must be strings");
    snprintf(cal->warnings[i], CALIBRATION_TEXT, "%s", text);
  }
  cal->warning_count = json_array_size(list);
  return true;
}

static bool take_head(struct reader *r, const json_t *object) {
  const char *record = json_string_value(json_object_get(object, "record"));
  const json_t *schema = json_object_get(object, "schema");
  json_t *machine = json_object_get(object, "machine");
  if (!record || strcmp(record, "calibration") != 0)
    return refuse(r, "not a calibration: make one with vat calibrate -o FILE");
  if (!json_is_integer(schema))
    return refuse(r, "\"schema\" must be an integer");
  if (json_integer_value(schema) != CALIBRATION_SCHEMA)
    return refuse(r, "schema %lld, this vat reads %d: calibrate anew",
                  (long long)json_integer_value(schema), CALIBRATION_SCHEMA);
  if (!json_is_object(machine)) return refuse(r, "\"machine\" is missing");
  r->cal->machine = json_incref(machine);
  return true;
}

int calibration_from_json(struct calibration *cal, const json_t *object,
                          char why[CALIBRATION_TEXT]) {
  struct reader reader = {.cal = cal, .why = why};
  *cal = (struct calibration){0};
  if (take_head(&reader, object) && take_levels(&reader, object) &&
      take_page_kinds(&reader, object) && take_curves(&reader, object) &&
      take_rest(&reader, object))
    return 0;
  int error = errno;
  calibration_fini(cal);
  errno = error;
  return -1;
}

/* The text of a file; NULL with errno: EFBIG, EINVAL (no regular file). */
static char *load(const char *path, size_t *length) {
  struct stat stat;
  char *text = NULL;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return NULL;
  int error = fstat(fd, &stat)            ? errno
              : !S_ISREG(stat.st_mode)    ? EINVAL
              : stat.st_size > FILE_LIMIT ? EFBIG
                                          : 0;
  if (!error) text = memory_get((size_t)stat.st_size + 1);
  ssize_t got = error ? 0 : read(fd, text, (size_t)stat.st_size);
  if (got < 0) error = errno;
  *length = (size_t)got;
  close(fd);
  if (!error) return text;
  free(text);
  errno = error;
  return NULL;
}

/* NULL with `why` and errno. */
static json_t *parse(const char *path, const char *text, size_t length,
                     char *why, size_t why_size) {
  json_error_t syntax;
  json_t *object = json_text_read(text, length, &syntax);
  if (object) return object;
  json_file_explain(path, &syntax, why, why_size);
  errno = EINVAL;
  return NULL;
}

int calibration_read(struct calibration *cal, const char *path, char *why,
                     size_t why_size) {
  char reason[CALIBRATION_TEXT];
  size_t length;
  *cal = (struct calibration){0};
  char *text = load(path, &length);
  if (!text) {
    int error = errno;
    snprintf(why, why_size, "%s: %s", path,
             error == EINVAL ? "not a regular file" : strerror(error));
    errno = error;
    return -1;
  }
  json_t *object = parse(path, text, length, why, why_size);
  int error = errno;
  free(text);
  errno = error;
  if (!object) return -1;
  int failed = calibration_from_json(cal, object, reason);
  error = errno;
  if (failed) snprintf(why, why_size, "%s: %s", path, reason);
  json_decref(object);
  errno = error;
  return failed;
}
