/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vat/stream_end.h"
#include "vat/trace_format.h"

struct vat_trace_writer {
  struct trace_encoding encoding;
  const struct trace_encoder *encoder;
  const char *empty; /* what is written in place of no accesses, or NULL */
  struct stream_end end;
};

int vat_trace_encoding_flush(struct trace_encoding *encoding) {
  size_t done = 0;
  while (done < encoding->used) {
    ssize_t put =
        write(encoding->fd, encoding->buffer + done, encoding->used - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      int code = errno;
      return vat_trace_fail(encoding->error, code, "%s: %s", encoding->name,
                            strerror(code));
    }
    done += (size_t)put;
  }
  encoding->written += done;
  encoding->used = 0;
  return 0;
}

uint8_t *vat_trace_encoding_room(struct trace_encoding *encoding,
                                 size_t count) {
  if (encoding->used + count > TRACE_WINDOW &&
      vat_trace_encoding_flush(encoding))
    return NULL;
  return encoding->buffer + encoding->used;
}

static int find_encoder(struct vat_trace_writer *writer, const char *name,
                        char *error) {
  const struct vat_trace_format *format = vat_trace_format_find(name);
  if (!format)
    return vat_trace_fail(error, EINVAL, "%s: no such trace format", name);
  writer->encoder = format->encoder;
  writer->empty = format->reader->empty;
  if (writer->encoder) return 0;
  return vat_trace_fail(
      error, EINVAL, "%s: traces of this format are read, not written", name);
}

struct vat_trace_writer *vat_trace_writer_create(
    int fd, const char *name, const char *format,
    char error[VAT_TRACE_ERROR_SIZE]) {
  struct vat_trace_writer *writer = calloc(1, sizeof *writer);
  if (!writer) {
    vat_trace_fail(error, ENOMEM, "out of memory");
    return NULL;
  }
  struct trace_encoding *encoding = &writer->encoding;
  *encoding = (struct trace_encoding){.fd = fd, .name = name, .error = error};
  if (find_encoder(writer, format, error)) goto fail;
  encoding->buffer = malloc(TRACE_WINDOW);
  encoding->state = calloc(1, writer->encoder->state_bytes + 1);
  if (!encoding->buffer || !encoding->state) {
    vat_trace_fail(error, ENOMEM, "out of memory");
    goto fail;
  }
  if (!writer->encoder->begin || !writer->encoder->begin(encoding))
    return writer;
fail:;
  int code = errno;
  vat_trace_writer_destroy(writer);
  errno = code;
  return NULL;
}

static int check_kinds(const struct trace_encoding *encoding,
                       const struct vat_accesses *accesses, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (accesses->kinds[i] >= VAT_ACCESS_KINDS)
      return vat_trace_fail(encoding->error, EINVAL,
                            "%s: an access of no known kind (%u)",
                            encoding->name, accesses->kinds[i]);
  return 0;
}

/* Say why nothing more is written. */
static int refuse(const struct vat_trace_writer *writer) {
  const struct trace_encoding *encoding = &writer->encoding;
  if (!writer->end.error)
    return vat_trace_fail(encoding->error, EINVAL,
                          "%s: accesses after the end of the trace",
                          encoding->name);
  return vat_trace_fail(encoding->error, writer->end.error,
                        "%s: not written on after an error: %s", encoding->name,
                        strerror(writer->end.error));
}

int vat_trace_writer_write(struct vat_trace_writer *writer,
                           const struct vat_accesses *accesses, size_t count,
                           char error[VAT_TRACE_ERROR_SIZE]) {
  struct trace_encoding *encoding = &writer->encoding;
  encoding->error = error;
  if (writer->end.ended) return refuse(writer);
  if (check_kinds(encoding, accesses, count) ||
      writer->encoder->write(encoding, accesses, count))
    return vat_stream_end_fail(&writer->end);
  return 0;
}

static int finish(void *state) {
  struct vat_trace_writer *writer = state;
  struct trace_encoding *encoding = &writer->encoding;
  if (writer->encoder->finish) return writer->encoder->finish(encoding);
  if (writer->empty && !encoding->written && !encoding->used) {
    encoding->used = strlen(writer->empty);
    memcpy(encoding->buffer, writer->empty, encoding->used);
  }
  return vat_trace_encoding_flush(encoding);
}

int vat_trace_writer_finish(struct vat_trace_writer *writer,
                            char error[VAT_TRACE_ERROR_SIZE]) {
  writer->encoding.error = error;
  if (writer->end.error) return refuse(writer);
  return vat_stream_end_finish(&writer->end, finish, writer);
}

void vat_trace_writer_destroy(struct vat_trace_writer *writer) {
  if (!writer) return;
  if (writer->encoding.state && writer->encoder->fini)
    writer->encoder->fini(writer->encoding.state);
  free(writer->encoding.state);
  free(writer->encoding.buffer);
  free(writer);
}
