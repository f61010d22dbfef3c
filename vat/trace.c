/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vat/trace_lines.h"
#include "vat/trace_unpack.h"

enum { PACKED_SIZE = 128 << 10 };

int vat_trace_fail(char error[VAT_TRACE_ERROR_SIZE], int code,
                   const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(error, VAT_TRACE_ERROR_SIZE, format, args);
  va_end(args);
  errno = code;
  return -1;
}

static int fail_system(const struct trace_input *input,
                       char error[VAT_TRACE_ERROR_SIZE]) {
  int code = errno;
  return vat_trace_fail(error, code, "%s: %s", input->name, strerror(code));
}

/* Read until `count` bytes are there or none come any more. */
static ssize_t read_fully(struct trace_input *input, uint8_t *to,
                          size_t count) {
  size_t done = 0;
  while (done < count) {
    ssize_t got = read(input->fd, to + done, count - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (!got) break;
    done += (size_t)got;
  }
  input->consumed += done;
  return (ssize_t)done;
}

static int fill_plain(struct trace_input *input,
                      char error[VAT_TRACE_ERROR_SIZE]) {
  size_t want = TRACE_WINDOW - input->have;
  ssize_t got = read_fully(input, input->window + input->have, want);
  if (got < 0) return fail_system(input, error);
  input->have += (size_t)got;
  input->ended = (size_t)got < want;
  return 0;
}

static int refill_packed(struct trace_input *input,
                         char error[VAT_TRACE_ERROR_SIZE]) {
  if (input->packed_begin < input->packed_end || input->packed_ended) return 0;
  ssize_t got = read_fully(input, input->packed, PACKED_SIZE);
  if (got < 0) return fail_system(input, error);
  input->packed_begin = 0;
  input->packed_end = (size_t)got;
  input->packed_ended = got < PACKED_SIZE;
  return 0;
}

static int fill_unpacked(struct trace_input *input,
                         char error[VAT_TRACE_ERROR_SIZE]) {
  while (!input->ended && input->have < TRACE_WINDOW) {
    if (refill_packed(input, error)) return -1;
    struct trace_unpacking bytes = {
        .in = input->packed + input->packed_begin,
        .in_count = input->packed_end - input->packed_begin,
        .in_ended = input->packed_ended,
        .out = input->window + input->have,
        .out_count = TRACE_WINDOW - input->have,
    };
    int code = input->unpacker->step(input->unpacker_state, &bytes);
    input->packed_begin = input->packed_end - bytes.in_count;
    input->have = TRACE_WINDOW - bytes.out_count;
    if (code < 0)
      return vat_trace_fail(
          error, bytes.no_memory ? ENOMEM : EINVAL,
          "%s: offset %llu of the packed bytes: %s", input->name,
          (unsigned long long)(input->consumed - bytes.in_count), bytes.error);
    input->ended = code == 0;
  }
  return 0;
}

int vat_trace_input_fill(struct trace_input *input,
                         char error[VAT_TRACE_ERROR_SIZE]) {
  if (input->ended) return 0;
  memmove(input->window, input->data, input->have);
  input->data = input->window;
  return input->unpacker ? fill_unpacked(input, error)
                         : fill_plain(input, error);
}

/* What was read as plain turns out to be packed: move it over. */
static int begin_unpacking(struct trace_input *input,
                           char error[VAT_TRACE_ERROR_SIZE]) {
  const struct trace_unpacker *unpacker = input->unpacker;
  if (unpacker->fix)
    return vat_trace_fail(
        error, EINVAL,
        "%s: packed by %s, which vat does not unpack; pipe it in: `%s FILE | "
        "vat ... -`",
        input->name, unpacker->name, unpacker->fix);
  /* The first window is larger than later ones of packed bytes. */
  uint8_t *packed = malloc(TRACE_WINDOW);
  void *state = unpacker->create();
  if (!packed || !state) {
    free(packed);
    if (state) unpacker->destroy(state);
    return vat_trace_fail(error, ENOMEM, "%s: out of memory", input->name);
  }
  memcpy(packed, input->window, input->have);
  input->packed = packed;
  input->unpacker_state = state;
  input->packed_end = input->have;
  input->packed_ended = input->ended;
  input->have = 0;
  input->ended = false;
  return fill_unpacked(input, error);
}

static int open_fd(struct trace_input *input, const char *path) {
  struct stat file;
  input->fd = STDIN_FILENO;
  if (strcmp(path, "-")) input->fd = open(path, O_RDONLY | O_CLOEXEC);
  if (input->fd < 0 || fstat(input->fd, &file)) return -1;
  if (S_ISREG(file.st_mode)) input->size = (uint64_t)file.st_size;
  return 0;
}

static int open_input(struct trace_input *input, const char *path,
                      char error[VAT_TRACE_ERROR_SIZE]) {
  *input = (struct trace_input){.fd = -1};
  bool is_stdin = !strcmp(path, "-");
  input->name = strdup(is_stdin ? "standard input" : path);
  input->window = calloc(1, TRACE_WINDOW + TRACE_WINDOW_PAD);
  input->data = input->window;
  if (!input->name || !input->window)
    return vat_trace_fail(error, ENOMEM, "out of memory");
  if (open_fd(input, path)) return fail_system(input, error);
  if (vat_trace_input_fill(input, error)) return -1;
  if (!input->have)
    return vat_trace_fail(error, EINVAL, "%s: empty: no trace in it",
                          input->name);
  input->unpacker = vat_trace_unpacker_for(input->data, input->have);
  return input->unpacker ? begin_unpacking(input, error) : 0;
}

static void close_input(struct trace_input *input) {
  if (input->fd > STDIN_FILENO) close(input->fd);
  if (input->unpacker_state) input->unpacker->destroy(input->unpacker_state);
  free(input->packed);
  free(input->window);
  free((char *)(uintptr_t)input->name);
  *input = (struct trace_input){.fd = -1};
}

int vat_trace_lines_window(struct trace_decoding *decoding, const char **end) {
  struct trace_input *input = &decoding->input;
  for (;;) {
    const char *begin = (const char *)input->data, *p = begin + input->have;
    while (p > begin && p[-1] != '\n') p--;
    *end = p;
    if (p > begin) return 1;
    if (input->ended && !input->have) return 0;
    if (input->ended) { /* the last line may have no '\n' */
      input->window[(size_t)(input->data - input->window) + input->have++] =
          '\n';
      continue;
    }
    if (input->have == TRACE_WINDOW)
      return vat_trace_fail(
          decoding->error, EINVAL, "%s:%llu: a line of more than %d bytes",
          input->name, (unsigned long long)decoding->lines + 1, TRACE_WINDOW);
    if (vat_trace_input_fill(input, decoding->error)) return -1;
  }
}

enum { HELD = 64 };

struct vat_trace {
  struct trace_decoding decoding;
  int failed; /* errno of the failure that comes after what is held */
  /* Decoded for a caller with less room than a decoder needs. */
  size_t held_begin, held_end;
  uint64_t held_addresses[HELD];
  uint32_t held_sizes[HELD];
  uint8_t held_kinds[HELD];
};

static int refuse_unknown(const struct trace_input *input, char *error) {
  char names[128];
  if (input->have >= 4 && !memcmp(input->data, "\177ELF", 4))
    return vat_trace_fail(error, EINVAL,
                          "%s: is a program, not a trace of its accesses; vat "
                          "profile --trace FILE -- PROG writes one",
                          input->name);
  bool text = input->data[0] >= ' ' && input->data[0] <= '~';
  vat_trace_format_names(names, sizeof names);
  return vat_trace_fail(error, EINVAL, "%s:%s of no known trace format (%s)",
                        input->name,
                        text ? "1: the line is" : " offset 0: bytes", names);
}

static int find_format(struct vat_trace *trace, const char *name, char *error) {
  struct trace_decoding *decoding = &trace->decoding;
  struct trace_input *input = &decoding->input;
  char names[128];
  if (name) {
    decoding->format = vat_trace_format_find(name);
    if (decoding->format) return 0;
    vat_trace_format_names(names, sizeof names);
    return vat_trace_fail(
        error, EINVAL, "%s: no such trace format; there are %s", name, names);
  }
  bool whole = input->ended && input->have <= TRACE_HEAD;
  size_t count = input->have < TRACE_HEAD ? input->have : TRACE_HEAD;
  if (whole) input->window[count] = '\n'; /* which the last line may not have */
  decoding->format = vat_trace_format_probe(input->data, count, whole);
  return decoding->format ? 0 : refuse_unknown(input, error);
}

/* Does the format, or this trace, say itself that it is complete? */
static bool may_be_empty(const struct trace_decoding *decoding) {
  const struct trace_reader *reader = decoding->format->reader;
  const struct trace_input *input = &decoding->input;
  if (!reader->empty) return reader->ends;
  size_t length = strlen(reader->empty);
  return input->ended && input->have == length &&
         !memcmp(input->data, reader->empty, length);
}

struct vat_trace *vat_trace_open(const char *path, const char *format,
                                 char error[VAT_TRACE_ERROR_SIZE]) {
  struct vat_trace *trace = calloc(1, sizeof *trace);
  if (!trace) {
    vat_trace_fail(error, ENOMEM, "out of memory");
    return NULL;
  }
  struct trace_decoding *decoding = &trace->decoding;
  if (open_input(&decoding->input, path, error) ||
      find_format(trace, format, error))
    goto fail;
  decoding->may_be_empty = may_be_empty(decoding);
  decoding->state = calloc(1, decoding->format->reader->state_bytes + 1);
  if (decoding->state) return trace;
  vat_trace_fail(error, ENOMEM, "out of memory");
fail:;
  int code = errno;
  vat_trace_close(trace);
  errno = code;
  return NULL;
}

void vat_trace_close(struct vat_trace *trace) {
  if (!trace) return;
  struct trace_decoding *decoding = &trace->decoding;
  if (decoding->state && decoding->format->reader->fini)
    decoding->format->reader->fini(decoding->state);
  free(decoding->state);
  close_input(&decoding->input);
  free(trace);
}

/* Decode into `out`; how many.  A failure waits until they were taken. */
static size_t decode(struct vat_trace *trace, struct trace_out *out) {
  struct trace_decoding *decoding = &trace->decoding;
  if (trace->failed) return 0;
  if (decoding->format->reader->decode(decoding, out)) trace->failed = errno;
  decoding->accesses += out->count;
  bool empty = !decoding->accesses && !decoding->may_be_empty;
  if (!empty || trace->failed) return out->count;
  trace->failed = EINVAL;
  vat_trace_fail(decoding->error, EINVAL,
                 "%s: an empty trace: no accesses in it", decoding->input.name);
  return 0;
}

static size_t take_held(struct vat_trace *trace, const struct vat_accesses *out,
                        size_t capacity) {
  size_t begin = trace->held_begin, count = trace->held_end - begin;
  if (count > capacity) count = capacity;
  memcpy(out->addresses, trace->held_addresses + begin,
         count * sizeof *out->addresses);
  memcpy(out->sizes, trace->held_sizes + begin, count * sizeof *out->sizes);
  memcpy(out->kinds, trace->held_kinds + begin, count * sizeof *out->kinds);
  trace->held_begin += count;
  return count;
}

ssize_t vat_trace_read(struct vat_trace *trace, const struct vat_accesses *out,
                       size_t capacity, char error[VAT_TRACE_ERROR_SIZE]) {
  size_t count;
  if (trace->held_begin == trace->held_end && capacity < TRACE_ROOM) {
    struct trace_out held = {trace->held_addresses, trace->held_sizes,
                             trace->held_kinds, 0, HELD};
    trace->held_begin = 0;
    trace->held_end = decode(trace, &held);
  }
  if (trace->held_begin < trace->held_end) {
    count = take_held(trace, out, capacity);
  } else {
    struct trace_out direct = {out->addresses, out->sizes, out->kinds, 0,
                               capacity};
    count = capacity < TRACE_ROOM ? 0 : decode(trace, &direct);
  }
  if (count || !trace->failed) return (ssize_t)count;
  strcpy(error, trace->decoding.error);
  errno = trace->failed;
  return -1;
}

const struct vat_trace_format *vat_trace_format(const struct vat_trace *trace) {
  return trace->decoding.format;
}

uint64_t vat_trace_count(const struct vat_trace *trace) {
  return trace->decoding.claimed;
}

double vat_trace_progress(const struct vat_trace *trace) {
  const struct trace_input *input = &trace->decoding.input;
  if (!input->size) return -1;
  uint64_t waiting =
      input->unpacker ? input->packed_end - input->packed_begin : input->have;
  /* An end supplied to the last line waits, too, but was not consumed. */
  if (waiting > input->consumed) waiting = input->consumed;
  return (double)(input->consumed - waiting) / (double)input->size;
}

/* Decode up to the line of the access: with room for two, line by line. */
static uint64_t line_of(struct vat_trace *trace, uint64_t access) {
  struct trace_decoding *decoding = &trace->decoding;
  const struct trace_reader *reader = decoding->format->reader;
  while (reader->line && decoding->accesses <= access) {
    size_t room = access - decoding->accesses > HELD ? HELD : 2;
    struct trace_out out = {trace->held_addresses, trace->held_sizes,
                            trace->held_kinds, 0, room};
    if (reader->decode(decoding, &out) || !out.count) return 0;
    decoding->accesses += out.count;
  }
  return decoding->lines;
}

uint64_t vat_trace_line_of(const char *path, const char *format,
                           uint64_t access) {
  char error[VAT_TRACE_ERROR_SIZE];
  struct vat_trace *trace = vat_trace_open(path, format, error);
  uint64_t line = trace ? line_of(trace, access) : 0;
  vat_trace_close(trace);
  return line;
}
