/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/results_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/results/other_file.h"

#define C struct results_canary
const struct field canary_fields[] = {
    {"record", &field_constant, .text = "canary"},
    {"pass", &field_whole, MEMBER(C, pass), .optional = true},
    {"ns_per_op", &field_real, MEMBER(C, ns_per_op), .positive = true},
    {"chase_pages", &field_name, OPTIONAL_TEXT(C, pages)},
    {"chase_bytes", &field_real, OPTIONAL(C, bytes), .positive = true},
    {"chase_ns", &field_real, OPTIONAL(C, ns), .positive = true},
    {"line_chase_bytes", &field_real, OPTIONAL(C, line_bytes),
     .positive = true},
    {"line_chase_ns", &field_real, OPTIONAL(C, line_ns), .positive = true},
    {0}};
#undef C

#define S struct simulated
#define COUNT(member, ...) \
  { #member, &field_whole, MEMBER(S, member), .most = INT64_MAX, __VA_ARGS__ }
const struct field simulated_cache_fields[] = {
    {"policy", &field_name, MEMBER(S, policy)},
    COUNT(tc_nodes, .least = 1),
    COUNT(page_bits),
    COUNT(index_bits, .least = 1),
    COUNT(levels, .least = 1),
    COUNT(accesses),
    COUNT(misses),
    {0}};

const struct field simulated_fields[] = {
    {"record", &field_constant, .text = "simulated"},
    {"algo", &field_name, MEMBER(S, algo)},
    {"device", &field_name, MEMBER(S, device)},
    COUNT(n),
    {"pages", &field_name, MEMBER(S, pages)},
    {"seed", &field_whole, MEMBER(S, seed)},
    {NULL, &field_object, .of = simulated_cache_fields},
    {0}};
#undef S

int results_scan_refuse(struct results_scan *scan, int code, long number,
                        const char *format, ...) {
  char what[RESULTS_ERROR_SIZE], line[32] = "";
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  if (number) snprintf(line, sizeof line, ":%ld", number);
  snprintf(scan->error, RESULTS_ERROR_SIZE, "%.200s%s: %.260s", scan->path,
           line, what);
  fail_tame(scan->error);
  other_file(scan->path, FILE_RESULTS, scan->error, RESULTS_ERROR_SIZE);
  errno = code;
  return -1;
}

/* 1: a whole line, without its newline; 0: no more whole lines; -1: error. */
static int next_line(struct results_scan *scan) {
  int c;
  scan->length = 0;
  scan->number++;
  while ((c = getc_unlocked(scan->file)) != EOF && c != '\n') {
    if (scan->length == RESULTS_LINE_MOST)
      return results_scan_refuse(
          scan, EINVAL, scan->number,
          "line longer than %d bytes, so this is not a results file",
          RESULTS_LINE_MOST);
    scan->line[scan->length++] = (char)c;
  }
  if (ferror(scan->file))
    return results_scan_refuse(scan, errno, 0, "%s", strerror(errno));
  if (c == '\n') {
    scan->good += (long)scan->length + 1;
    return 1;
  }
  scan->cut = scan->length > 0;
  return 0;
}

static int read_machine(struct results_scan *scan, char why[SAMPLE_WHY_SIZE]) {
  const json_t *schema = json_object_get(scan->json, "schema");
  if (!json_is_integer(schema)) {
    snprintf(why, SAMPLE_WHY_SIZE, "\"schema\" must be an integer");
    return -1;
  }
  if (json_integer_value(schema) != RESULTS_SCHEMA)
    return results_scan_refuse(scan, EINVAL, scan->number,
                               "has schema %lld, but this vat reads %d; use "
                               "the vat that wrote it, or measure again",
                               (long long)json_integer_value(schema),
                               RESULTS_SCHEMA);
  scan->begun = true;
  return 0;
}

static int read_sample(struct results_scan *scan, char why[SAMPLE_WHY_SIZE]) {
  struct sample *sample = &scan->sample;
  int failed = sample_from_json(sample, scan->json, why);
  sample->line = scan->number;
  return failed;
}

static int read_simulated(struct results_scan *scan,
                          char why[SAMPLE_WHY_SIZE]) {
  struct simulated *simulated = &scan->simulated;
  *simulated = (struct simulated){.n = 0};
  return record_from_json(simulated_fields, scan->json, simulated, why,
                          SAMPLE_WHY_SIZE);
}

/* A chase may be missing, but not a part of it. */
static int read_canary(struct results_scan *scan, char why[SAMPLE_WHY_SIZE]) {
  struct results_canary *canary = &scan->canary;
  struct record_reader reader = {why, SAMPLE_WHY_SIZE, canary};
  *canary = (struct results_canary){.pass = 0};
  if (record_from_json(canary_fields, scan->json, canary, why, SAMPLE_WHY_SIZE))
    return -1;
  bool settled = *canary->pages, line = canary->line_ns > 0;
  if (settled != (canary->bytes > 0) || settled != (canary->ns > 0))
    return record_refuse(&reader,
                         "\"chase_pages\", \"chase_bytes\" and \"chase_ns\" "
                         "must come together");
  if (line != (canary->line_bytes > 0) || line > settled)
    return record_refuse(
        &reader,
        "\"line_chase_bytes\" and \"line_chase_ns\" must come together, and "
        "with \"chase_pages\"");
  return 0;
}

static const struct {
  const char *name;
  int (*read)(struct results_scan *scan, char why[SAMPLE_WHY_SIZE]);
} kinds[] = {
    [RESULTS_MACHINE] = {"machine", read_machine},
    [RESULTS_PLAN] = {"plan", NULL}, /* by who resumes it */
    [RESULTS_SAMPLE] = {"sample", read_sample},
    [RESULTS_SIMULATED] = {"simulated", read_simulated},
    [RESULTS_CANARY] = {"canary", read_canary},
};

static int read_record(struct results_scan *scan) {
  const char *name = json_string_value(json_object_get(scan->json, "record"));
  char why[SAMPLE_WHY_SIZE] = "";
  size_t kind = 0;
  if (!name)
    return results_scan_refuse(scan, EINVAL, scan->number,
                               "not an object with a \"record\" name");
  while (kind < RESULTS_OTHER && strcmp(kinds[kind].name, name)) kind++;
  scan->kind = (enum results_kind)kind;
  if (scan->kind != RESULTS_MACHINE && !scan->begun)
    return results_scan_refuse(scan, EINVAL, scan->number,
                               "not a results file (the first record is not "
                               "the machine); name one that vat run -o wrote");
  if (kind == RESULTS_OTHER || !kinds[kind].read ||
      !kinds[kind].read(scan, why))
    return 0;
  return *why ? results_scan_refuse(scan, EINVAL, scan->number, "%s: %s", name,
                                    why)
              : -1;
}

int results_scan_next(struct results_scan *scan) {
  json_error_t why;
  scan->offset = scan->good;
  json_decref(scan->json);
  scan->json = NULL;
  int more = next_line(scan);
  if (more <= 0) return more;
  scan->json = json_text_read(scan->line, scan->length, &why);
  if (!scan->json && scan->begun)
    return results_scan_refuse(
        scan, EINVAL, scan->number,
        "not JSON (%s); the file is damaged; to drop this line: sed -i %ldd %s",
        why.text, scan->number, scan->path);
  if (!scan->json)
    return results_scan_refuse(scan, EINVAL, scan->number,
                               "not JSON (%s); not a results file", why.text);
  return read_record(scan) ? -1 : 1;
}

int results_scan_seek(struct results_scan *scan, long offset, long number) {
  if (fseek(scan->file, offset, SEEK_SET))
    return results_scan_refuse(scan, errno, scan->number, "%s",
                               strerror(errno));
  scan->good = offset;
  scan->number = number - 1;
  scan->begun = true;
  return 0;
}

/* A file without a whole line is ours when what it has begins as ours do: only
 * then may it be started anew. */
int results_scan_refuse_empty(struct results_scan *scan) {
  static const char begin[] = "{\"record\":\"machine\"";
  size_t known = sizeof begin - 1;
  if (known > scan->length) known = scan->length;
  int code = memcmp(scan->line, begin, known) ? EINVAL : ENODATA;
  if (code == EINVAL)
    return results_scan_refuse(scan, code, 0,
                               "not a results file: it does not begin with a "
                               "machine; name one that vat run wrote");
  return results_scan_refuse(
      scan, code, 0, "%s: nothing to read; measure with vat run -o FILE",
      scan->cut ? "no whole line" : "empty");
}

/* Without waiting for the writer of a FIFO. */
static int open_regular(struct results_scan *scan) {
  struct stat status;
  if (!*scan->path) {
    scan->path = "\"\"";
    return results_scan_refuse(
        scan, EINVAL, scan->number,
        "the name of a results file is empty; name a file");
  }
  if (!stat(scan->path, &status) && !S_ISREG(status.st_mode))
    return results_scan_refuse(
        scan, S_ISDIR(status.st_mode) ? EISDIR : EINVAL, scan->number,
        S_ISDIR(status.st_mode)
            ? "is a folder; name the results file in it"
            : "not a regular file; results can only be read from a file");
  int fd = open(scan->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  scan->file = fd < 0 || fstat(fd, &status) ? NULL : fdopen(fd, "r");
  if (!scan->file) {
    results_scan_refuse(
        scan, errno, scan->number, "%s%s", strerror(errno),
        errno == ENOENT ? "; vat run -o FILE writes a results file" : "");
    if (fd >= 0) close(fd);
    return -1;
  }
  if (S_ISREG(status.st_mode)) return 0;
  return results_scan_refuse(scan, EINVAL, scan->number,
                             "no longer a regular file");
}

struct results_scan *results_scan_open(const char *path,
                                       char error[RESULTS_ERROR_SIZE]) {
  struct results_scan *scan = memory_zeroed(1, sizeof *scan);
  *error = '\0';
  scan->line = memory_get(RESULTS_LINE_MOST);
  scan->path = path;
  scan->error = error;
  if (!open_regular(scan)) return scan;
  results_scan_close(scan);
  return NULL;
}

void results_scan_close(struct results_scan *scan) {
  if (!scan) return;
  int code = errno;
  json_decref(scan->json);
  if (scan->file) fclose(scan->file);
  free(scan->line);
  free(scan);
  errno = code;
}
