/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/trace.h -- address traces: read any of the known formats, write some.
 *
 * A trace is a sequence of accesses.  It is read block by block into arrays of
 * the caller, in constant memory, from a file or standard input of any length;
 * .gz and .zst are unpacked on the way.  What a format does not record reads
 * as a load of one byte.  An access that both loads and stores (lackey's "M")
 * reads as a load and then a store.  doc/trace-format.md describes the formats.
 * A trace or writer belongs to one thread; different ones are independent.
 *
 *   char error[VAT_TRACE_ERROR_SIZE];
 *   struct vat_trace *trace = vat_trace_open("a.vat", NULL, error);
 *   while (trace && (n = vat_trace_read(trace, &block, 4096, error)) > 0)
 *     use(block.addresses, n);
 *   vat_trace_close(trace);
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum vat_access_kind { VAT_LOAD, VAT_STORE, VAT_FETCH, VAT_ACCESS_KINDS };

/* Accesses as a struct of arrays, all of one length, the caller's. */
struct vat_accesses {
  uint64_t *addresses; /* first byte; not cut to pages */
  uint32_t *sizes;     /* bytes; 0 is possible in drmemtrace's formats */
  uint8_t *kinds;      /* enum vat_access_kind */
};

/* Errors are sentences that begin with FILE, FILE:LINE or FILE: offset N, and
 * end without a newline; N counts unpacked bytes. */
enum { VAT_TRACE_ERROR_SIZE = 512 };

/* One row a format; vat_trace_formats[] ends with a NULL. */
struct vat_trace_format {
  const char *name;
  const char *summary; /* what one record of it looks like */
  bool tells_kinds;    /* loads, stores and fetches differ */
  bool binary;         /* no text */
  const struct trace_reader *reader;
  const struct trace_encoder *encoder; /* NULL: can be read only */
};
extern const struct vat_trace_format *const vat_trace_formats[];
const struct vat_trace_format *vat_trace_format_find(const char *name);

/*
 * Open the trace at `path`, "-" being standard input.  `format` is a name in
 * vat_trace_formats[]; NULL finds it out from the first 16 KiB.  Returns NULL
 * with a sentence in `error` and errno set: EINVAL where the format is unknown,
 * ENOMEM, or what open(2) and read(2) say.
 */
struct vat_trace *vat_trace_open(const char *path, const char *format,
                                 char error[VAT_TRACE_ERROR_SIZE]);
void vat_trace_close(struct vat_trace *trace); /* NULL is fine */

/*
 * Read up to `capacity` (> 0) next accesses into `out`.  Returns how many, at
 * least 1, or 0 at the end.  Returns -1 with a sentence in `error` and errno
 * set: EINVAL for what is damaged, cut off, of another format or, where no
 * trailer says that it is complete, without any access, else what read(2) says.
 * Accesses before a bad place are read first.
 */
ssize_t vat_trace_read(struct vat_trace *trace, const struct vat_accesses *out,
                       size_t capacity, char error[VAT_TRACE_ERROR_SIZE]);

const struct vat_trace_format *vat_trace_format(const struct vat_trace *trace);
/* Accesses in all, as the file claims; 0 where it does not say. */
uint64_t vat_trace_count(const struct vat_trace *trace);
/* Part of the file that is read, 0..1; negative for pipes. */
double vat_trace_progress(const struct vat_trace *trace);

/*
 * The line, from 1, that holds access number `access`, from 0, of a text trace;
 * 0 where there is none.  Reads the trace anew, so that it must be a file.
 */
uint64_t vat_trace_line_of(const char *path, const char *format,
                           uint64_t access);

/*
 * Begin a trace of `format` on descriptor `fd`, which stays the caller's;
 * `name` is what errors call it and must outlive the writer.  Returns NULL with
 * a sentence in `error` and errno set: EINVAL (no such format, or one that is
 * only read) or ENOMEM.
 */
struct vat_trace_writer *vat_trace_writer_create(
    int fd, const char *name, const char *format,
    char error[VAT_TRACE_ERROR_SIZE]);
/* Append.  0, or -1 with `error` and errno set: of an access of no known kind,
 * or after the finish, EINVAL.  After an error all calls but destroy fail. */
int vat_trace_writer_write(struct vat_trace_writer *writer,
                           const struct vat_accesses *accesses, size_t count,
                           char error[VAT_TRACE_ERROR_SIZE]);
/* Write what is still held back and the trailer: without it a `vat` trace is
 * refused as incomplete.  0, or -1 with `error` and errno set.  To call it
 * again changes nothing and returns the same. */
int vat_trace_writer_finish(struct vat_trace_writer *writer,
                            char error[VAT_TRACE_ERROR_SIZE]);
void vat_trace_writer_destroy(struct vat_trace_writer *writer); /* NULL: fine */

#ifdef __cplusplus
}
#endif
