/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads results files.  Nothing in them is trusted: lines are bounded, every
 * key is checked, and text that ends up in a message is made printable. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/memory_lack.h"
#include "experiments/results/results.h"
#include "experiments/results/sample_json.h"

/* A sample is under 1 KiB and a machine under 16 KiB: what is longer than this
 * is not ours, and must not fill the memory. */
enum { LINE_LIMIT = 1 << 20 };

struct reader {
  struct results *results;
  const char *path;
  char *error;
  FILE *file;
  char *line; /* LINE_LIMIT bytes */
  size_t length;
  long number; /* of the line, from 1 */
  size_t room; /* entries samples have */
};

/* Control characters from a file must not reach a terminal. */
static void make_printable(char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == 127) *text = '?';
}

static int refuse(struct reader *reader, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int refuse(struct reader *reader, int code, const char *format, ...) {
  char what[RESULTS_ERROR_SIZE], line[32] = "";
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  if (reader->number) snprintf(line, sizeof line, ":%ld", reader->number);
  snprintf(reader->error, RESULTS_ERROR_SIZE, "%.200s%s: %.260s", reader->path,
           line, what);
  make_printable(reader->error);
  errno = code;
  return -1;
}

/* 1: a whole line, without its newline; 0: no more whole lines; -1: error. */
static int next_line(struct reader *reader) {
  int c;
  reader->length = 0;
  reader->number++;
  while ((c = getc_unlocked(reader->file)) != EOF && c != '\n') {
    if (reader->length == LINE_LIMIT)
      return refuse(reader, EINVAL,
                    "line longer than %d bytes: not a results file",
                    LINE_LIMIT);
    reader->line[reader->length++] = (char)c;
  }
  if (ferror(reader->file)) {
    reader->number = 0;
    return refuse(reader, errno, "%s", strerror(errno));
  }
  if (c == '\n') {
    reader->results->good_bytes += (long)reader->length + 1;
    return 1;
  }
  reader->results->cut = reader->length > 0;
  return 0;
}

static int make_room(struct reader *reader) {
  struct results *results = reader->results;
  if (results->count < reader->room) return 0;
  size_t room = reader->room ? 2 * reader->room : 64;
  struct sample *samples =
      reallocarray(results->samples, room, sizeof *samples);
  if (!samples) return refuse(reader, ENOMEM, "%s", strerror(ENOMEM));
  results->samples = samples;
  reader->room = room;
  return 0;
}

static int take_sample(struct reader *reader, json_t *record) {
  char why[SAMPLE_WHY_SIZE];
  struct results *results = reader->results;
  if (make_room(reader)) return -1;
  struct sample *sample = &results->samples[results->count];
  if (sample_from_json(sample, record, why))
    return refuse(reader, EINVAL, "sample: %s", why);
  sample->line = reader->number;
  results->count++;
  return 0;
}

static int take_simulated(struct reader *reader, const json_t *record) {
  char why[SAMPLE_WHY_SIZE];
  struct results *results = reader->results;
  struct simulated simulated;
  if (simulated_from_json(&simulated, record, why))
    return refuse(reader, EINVAL, "simulated: %s", why);
  if (simulated_append(&results->simulated, &results->simulated_count,
                       &simulated))
    return refuse(reader, ENOMEM, "%s", strerror(ENOMEM));
  return 0;
}

static bool is_positive(const json_t *number) {
  return json_is_number(number) && json_number_value(number) > 0;
}

static int take_canary(struct reader *reader, const json_t *record) {
  struct results *results = reader->results;
  const json_t *loop = json_object_get(record, "ns_per_op");
  const json_t *pages = json_object_get(record, "chase_pages");
  const json_t *bytes = json_object_get(record, "chase_bytes");
  const json_t *ns = json_object_get(record, "chase_ns");
  if (!is_positive(loop))
    return refuse(reader, EINVAL, "canary: \"ns_per_op\" must be positive");
  struct results_canary canary = {.ns_per_op = json_number_value(loop)};
  if (pages) {
    if (!sample_name_from_json(pages, canary.pages, sizeof canary.pages) ||
        !is_positive(bytes) || !is_positive(ns))
      return refuse(reader, EINVAL,
                    "canary: \"chase_pages\" must be a name, \"chase_bytes\" "
                    "and \"chase_ns\" positive");
    canary.bytes = json_number_value(bytes);
    canary.ns = json_number_value(ns);
  }
  const json_t *line_bytes = json_object_get(record, "line_chase_bytes");
  const json_t *line_ns = json_object_get(record, "line_chase_ns");
  if (line_bytes || line_ns) {
    if (!pages || !is_positive(line_bytes) || !is_positive(line_ns))
      return refuse(reader, EINVAL,
                    "canary: \"line_chase_bytes\" and \"line_chase_ns\" must "
                    "be positive, and come with \"chase_pages\"");
    canary.line_bytes = json_number_value(line_bytes);
    canary.line_ns = json_number_value(line_ns);
  }
  struct results_canary *grown =
      reallocarray(results->canary, results->canary_count + 1, sizeof *grown);
  if (!grown) return refuse(reader, ENOMEM, "%s", strerror(ENOMEM));
  results->canary = grown;
  results->canary[results->canary_count++] = canary;
  return 0;
}

static int take_machine(struct reader *reader, json_t *record) {
  const json_t *schema = json_object_get(record, "schema");
  if (!json_is_integer(schema))
    return refuse(reader, EINVAL, "machine: \"schema\" must be an integer");
  if (json_integer_value(schema) != RESULTS_SCHEMA)
    return refuse(reader, EINVAL,
                  "schema %lld, this vat reads %d: read it with the vat that "
                  "wrote it, or measure anew",
                  (long long)json_integer_value(schema), RESULTS_SCHEMA);
  if (reader->results->machine)
    return refuse(reader, EINVAL,
                  "a second machine record: one file holds one machine; keep "
                  "the files apart");
  reader->results->machine = json_incref(record);
  return 0;
}

static int take_record(struct reader *reader, json_t *record) {
  const char *kind = json_string_value(json_object_get(record, "record"));
  if (!kind)
    return refuse(reader, EINVAL, "not an object with a \"record\" name");
  if (!strcmp(kind, "machine")) return take_machine(reader, record);
  if (!reader->results->machine)
    return refuse(reader, EINVAL,
                  "not a results file: the first record must be the machine");
  if (!strcmp(kind, "sample")) return take_sample(reader, record);
  if (!strcmp(kind, "simulated")) return take_simulated(reader, record);
  if (!strcmp(kind, "canary")) return take_canary(reader, record);
  if (!strcmp(kind, "plan") && !reader->results->plan)
    reader->results->plan = json_incref(record);
  return 0; /* kinds added later do not change what samples mean */
}

static int take_line(struct reader *reader) {
  json_error_t why;
  json_t *record =
      json_loadb(reader->line, reader->length, JSON_REJECT_DUPLICATES, &why);
  if (memory_lacks()) {
    json_decref(record);
    return refuse(reader, ENOMEM, "%s", strerror(ENOMEM));
  }
  if (!record)
    return refuse(reader, EINVAL,
                  "not JSON: %s: not a results file, or damaged", why.text);
  int failed = take_record(reader, record);
  json_decref(record);
  return failed;
}

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_identity(const struct sample *a, const struct sample *b) {
  int order = strcmp(a->algo, b->algo);
  if (!order) order = strcmp(a->device, b->device);
  if (!order) order = compare_u64(a->n, b->n);
  if (!order) order = strcmp(a->pages_asked, b->pages_asked);
  if (!order) order = sample_variant_compare(&a->variant, &b->variant);
  if (!order) order = compare_u64(a->rep, b->rep);
  return order ? order : compare_u64(a->seed, b->seed);
}

static int compare(const void *a, const void *b) {
  const struct sample *x = *(const struct sample *const *)a;
  const struct sample *y = *(const struct sample *const *)b;
  int order = compare_identity(x, y);
  return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int refuse_duplicates(struct reader *reader) {
  const struct results *results = reader->results;
  if (results->count < 2) return 0;
  const struct sample **all = reallocarray(NULL, results->count, sizeof *all);
  if (!all) return refuse(reader, ENOMEM, "%s", strerror(ENOMEM));
  for (size_t i = 0; i < results->count; i++) all[i] = &results->samples[i];
  qsort(all, results->count, sizeof *all, compare);
  size_t i = 1;
  while (i < results->count && compare_identity(all[i - 1], all[i])) i++;
  if (i == results->count) {
    free(all);
    return 0;
  }
  reader->number = all[i]->line;
  refuse(reader, EINVAL,
         "the same sample as line %ld (algo, device, alloc, n, pages_asked, "
         "generator, input, rep, seed): delete one of the two",
         all[i - 1]->line);
  free(all);
  return -1;
}

/* A file without a whole line is ours when what it has begins as ours do: only
 * then may it be started anew. */
static int refuse_no_line(struct reader *reader) {
  static const char begin[] = "{\"record\":\"machine\"";
  size_t known = sizeof begin - 1;
  if (known > reader->length) known = reader->length;
  int code = memcmp(reader->line, begin, known) ? EINVAL : ENODATA;
  return refuse(reader, code, "%s: nothing to read; delete it",
                reader->results->cut ? "no whole line" : "empty");
}

static int read_all(struct reader *reader) {
  int more;
  while ((more = next_line(reader)) > 0)
    if (take_line(reader)) return -1;
  if (more < 0) return -1;
  const struct results *results = reader->results;
  if (results->machine && (results->count || results->plan))
    return refuse_duplicates(reader);
  reader->number = 0;
  if (!results->machine) return refuse_no_line(reader);
  return refuse(reader, ENODATA, "no plan and no sample; delete it");
}

/* Without waiting for the writer of a FIFO; NULL: refused. */
static FILE *open_regular(struct reader *reader) {
  struct stat status;
  int fd = -1;
  if (!*reader->path) {
    reader->path = "\"\"";
    refuse(reader, EINVAL, "an empty name of a results file");
    return NULL;
  }
  if (!stat(reader->path, &status) && !S_ISREG(status.st_mode)) {
    refuse(reader, S_ISDIR(status.st_mode) ? EISDIR : EINVAL,
           "not a regular file: results are read from files only");
    return NULL;
  }
  fd = open(reader->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  FILE *file = fd < 0 || fstat(fd, &status) ? NULL : fdopen(fd, "r");
  if (!file)
    refuse(reader, errno, "%s%s", strerror(errno),
           errno == ENOENT ? "; vat run -o FILE writes results" : "");
  if (!file && fd >= 0) close(fd);
  if (!file || S_ISREG(status.st_mode)) return file;
  fclose(file);
  refuse(reader, EINVAL, "not a regular file any more");
  return NULL;
}

int results_read(struct results *results, const char *path,
                 char error[RESULTS_ERROR_SIZE]) {
  struct reader reader = {.results = results, .path = path, .error = error};
  int failed = -1;
  memset(results, 0, sizeof *results);
  *error = '\0';
  reader.file = open_regular(&reader);
  if (!reader.file) return -1;
  reader.line = malloc(LINE_LIMIT);
  if (reader.line)
    failed = read_all(&reader);
  else
    refuse(&reader, ENOMEM, "%s", strerror(ENOMEM));
  int code = errno;
  free(reader.line);
  fclose(reader.file);
  errno = code;
  return failed;
}

void results_fini(struct results *results) {
  json_decref(results->machine);
  json_decref(results->plan);
  free(results->samples);
  free(results->simulated);
  free(results->canary);
  memset(results, 0, sizeof *results);
}
