/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/trace_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
  if (unpacker->mend)
    return vat_trace_fail(
        error, EINVAL,
        "%s: packed by %s, which vat does not unpack; pipe it in: `%s FILE | "
        "vat ... -`",
        input->name, unpacker->name, unpacker->mend);
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

int vat_trace_input_init(struct trace_input *input, const char *path,
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

void vat_trace_input_fini(struct trace_input *input) {
  if (input->fd > STDIN_FILENO) close(input->fd);
  if (input->unpacker_state) input->unpacker->destroy(input->unpacker_state);
  free(input->packed);
  free(input->window);
  free((char *)(uintptr_t)input->name);
  *input = (struct trace_input){.fd = -1};
}
