/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/perf_samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/profile/perf_line.h"

/* Periods that perf adapts to the pace, or draws at random, stand for the mean
 * of some around them. */
enum { AROUND = 16 };

/* A clock counts no further than a double has all whole numbers. */
static const double accesses_most = 0x1p53;

static const char fields[] =
    "perf script -G -F tid,time,period,event,addr,ip,sym,dso";

/* Its symbol, or where it is in which object. */
static const char *function_of(struct perf_samples *samples,
                               const struct perf_line *line) {
  char *name;
  const char *slash = memrchr(line->object, '/', line->object_length);
  const char *object = slash ? slash + 1 : line->object;
  if (line->symbol_length)
    name = memory_format("%.*s", (int)line->symbol_length, line->symbol);
  else
    name = memory_format("%.*s+0x%llx",
                         (int)(line->object + line->object_length - object),
                         object, (unsigned long long)line->ip);
  fail_tame(name);
  const char *kept = profile_texts_keep(&samples->texts, name);
  free(name);
  return kept;
}

static void add(struct perf_samples *samples, const struct perf_line *line) {
  if (line->address >> 63) {
    samples->kernel++;
    return;
  }
  samples->accesses += (double)line->period;
  samples->nowhere += !line->address;
  samples->large += line->large;
  perf_samples_add(samples, line->tid, (double)line->period, line->address,
                   line->ip)
      ->function = line->address ? function_of(samples, line) : NULL;
}

static int refuse(const char *path, size_t number, const char *why) {
  return fail(VAT_USAGE, "%s:%zu: %s; fix: %s >FILE", path, number, why,
              fields);
}

static int read_line(struct perf_samples *samples, const char *text,
                     const char **why) {
  struct perf_line line;
  switch (perf_line_parse(text, &line, why)) {
    case PERF_LINE_BAD:
      return -1;
    case PERF_LINE_EMPTY:
      return 0;
    case PERF_LINE_LOST:
      samples->lost++;
      return 0;
    case PERF_LINE_SAMPLE:
      break;
  }
  add(samples, &line);
  *why = "more accesses than can be counted";
  return samples->accesses > accesses_most ? -1 : 0;
}

static int read_all(struct perf_samples *samples, FILE *file,
                    const char *path) {
  char *text = NULL;
  const char *why = NULL;
  size_t room = 0, number = 0;
  ssize_t length;
  int code = VAT_OK;
  errno = 0;
  while (!code && (length = getline(&text, &room, file)) > 0) {
    number++;
    if (strlen(text) != (size_t)length)
      code = refuse(path, number, "it has a NUL byte, so it is no text");
    else if (text[length - 1] != '\n')
      code = refuse(path, number, "the line is cut short");
    else if (read_line(samples, text, &why))
      code = refuse(path, number, why);
  }
  if (!code && ferror(file))
    code = fail(fail_code(errno), "%s: %s", path, strerror(errno));
  free(text);
  return code;
}

struct perf_sample *perf_samples_add(struct perf_samples *samples, uint64_t tid,
                                     double period, uint64_t address,
                                     uint64_t ip) {
  struct perf_sample *sample = ARRAY_ADD(samples->sample, samples->count);
  *sample = (struct perf_sample){.address = address,
                                 .ip = ip,
                                 .tid = tid,
                                 .order = samples->count,
                                 .at = period};
  return sample;
}

static int by_thread(const void *one, const void *two) {
  const struct perf_sample *a = one, *b = two;
  if (a->tid != b->tid) return a->tid < b->tid ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

/* Periods become times of their threads; samples without an address go. */
static void run_clocks(struct perf_samples *samples) {
  struct perf_sample *to = samples->sample;
  double at = 0;
  uint64_t tid = 0;
  for (size_t i = 0; i < samples->count; i++) {
    struct perf_sample sample = samples->sample[i];
    if (sample.tid != tid) at = 0;
    tid = sample.tid;
    sample.at = at += sample.at;
    if (sample.address) *to++ = sample;
  }
  samples->count = (size_t)(to - samples->sample);
}

size_t perf_samples_thread_end(const struct perf_samples *samples,
                               size_t from) {
  size_t end = from;
  while (end < samples->count &&
         samples->sample[end].tid == samples->sample[from].tid)
    end++;
  return end;
}

static void weigh(struct perf_sample *sample, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t last = i + AROUND < count ? i + AROUND : count - 1;
    size_t first = i > AROUND ? i - AROUND : 0;
    double before = first ? sample[first - 1].at : 0;
    sample[i].stands_for =
        (sample[last].at - before) / (double)(last - first + 1);
  }
}

void perf_samples_finish(struct perf_samples *samples) {
  if (!samples->count) return;
  qsort(samples->sample, samples->count, sizeof *samples->sample, by_thread);
  run_clocks(samples);
  for (size_t from = 0, end; from < samples->count; from = end) {
    end = perf_samples_thread_end(samples, from);
    weigh(samples->sample + from, end - from);
    samples->threads++;
  }
}

int perf_samples_read(struct perf_samples *samples, FILE *file,
                      const char *path) {
  *samples = (struct perf_samples){0};
  int code = read_all(samples, file, path);
  if (!code) perf_samples_finish(samples);
  if (!code && !samples->count)
    code = fail(VAT_USAGE, "%s: no sample has an address; fix: perf record -d",
                path);
  return code;
}

void perf_samples_fini(struct perf_samples *samples) {
  free(samples->sample);
  profile_texts_fini(samples->texts);
  *samples = (struct perf_samples){0};
}
