/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A libFuzzer target for the readers of traces; run.sh builds and runs it, once
 * a format.  VAT_FUZZ_FORMAT is the format, or auto for finding out; without
 * it the first byte chooses.  That byte also says how much is read at a time,
 * and if it is odd, vat's own format gets right checksums, so that what they
 * guard is reached.  What is accepted must come through vat's own writer
 * unchanged. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vat/trace.h"
#include "vat/trace_checksum.h"

enum { MOST = 1 << 16 };

static struct {
  uint64_t addresses[MOST];
  uint32_t sizes[MOST];
  uint8_t kinds[MOST];
} first, second;

static void put64(uint8_t *to, uint64_t value) {
  for (int i = 0; i < 8; i++) to[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t get32(const uint8_t *from) {
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
         (uint32_t)from[3] << 24;
}

/* Header, then blocks as far as their lengths can be followed. */
static void fix_checksums(uint8_t *bytes, size_t count) {
  if (count < 32) return;
  put64(bytes + 24, vat_trace_checksum(bytes, 24));
  for (size_t at = 32; at + 48 <= count;) {
    size_t length = 40 + 5 * (size_t)(get32(bytes + at + 16) & 0x1ff) +
                    8 * (size_t)(get32(bytes + at + 36) & 0xff);
    for (int i = 24; i < 36; i += 4) length += get32(bytes + at + i) & 0xffff;
    if (length + 8 > count - at) return;
    put64(bytes + at + length, vat_trace_checksum(bytes + at, length));
    at += length + 8;
  }
}

static int memory_fd(const uint8_t *bytes, size_t count, char path[64]) {
  int fd = memfd_create("trace", MFD_CLOEXEC);
  if (fd < 0 || write(fd, bytes, count) != (ssize_t)count) abort();
  snprintf(path, 64, "/proc/self/fd/%d", fd);
  return fd;
}

/* Accesses read, the first MOST of them kept; -1: refused. */
static ssize_t read_all(const char *path, const char *format, size_t capacity,
                        const struct vat_accesses *kept) {
  char error[VAT_TRACE_ERROR_SIZE] = "";
  struct vat_trace *trace = vat_trace_open(path, format, error);
  size_t count = 0;
  ssize_t got = -1;
  while (trace && count < MOST) {
    const struct vat_accesses out = {kept->addresses + count,
                                     kept->sizes + count, kept->kinds + count};
    size_t room = capacity < MOST - count ? capacity : MOST - count;
    got = vat_trace_read(trace, &out, room, error);
    if (got <= 0) break;
    if ((size_t)got > room) abort();
    count += (size_t)got;
  }
  if (got < 0 && (!*error || strchr(error, '\n'))) abort();
  if (trace && vat_trace_progress(trace) > 1) abort();
  vat_trace_close(trace);
  return got < 0 ? -1 : (ssize_t)count;
}

static void write_and_compare(const struct vat_accesses *from, size_t count) {
  const struct vat_accesses to = {second.addresses, second.sizes, second.kinds};
  char error[VAT_TRACE_ERROR_SIZE], path[64];
  int fd = memory_fd(NULL, 0, path);
  struct vat_trace_writer *writer =
      vat_trace_writer_create(fd, "memory", "vat", error);
  if (!writer || vat_trace_writer_write(writer, from, count, error) ||
      vat_trace_writer_finish(writer, error))
    abort();
  vat_trace_writer_destroy(writer);
  if (read_all(path, NULL, MOST, &to) != (ssize_t)count ||
      memcmp(from->addresses, to.addresses, count * 8) ||
      memcmp(from->sizes, to.sizes, count * 4) ||
      memcmp(from->kinds, to.kinds, count))
    abort();
  close(fd);
}

/* NULL: to be found out. */
static const char *choose_format(unsigned choice) {
  const char *fixed = getenv("VAT_FUZZ_FORMAT");
  size_t formats = 0;
  if (fixed && !strcmp(fixed, "auto")) return NULL;
  if (fixed && !vat_trace_format_find(fixed)) abort();
  if (fixed) return fixed;
  while (vat_trace_formats[formats]) formats++;
  choice %= formats + 1;
  return choice < formats ? vat_trace_formats[choice]->name : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  const struct vat_accesses to = {first.addresses, first.sizes, first.kinds};
  char path[64];
  if (!count) return 0;
  unsigned choice = bytes[0] >> 1;
  const char *format = choose_format(choice);
  uint8_t *copy = malloc(count);
  if (!copy) abort();
  memcpy(copy, bytes + 1, count - 1);
  if (bytes[0] & 1) fix_checksums(copy, count - 1);
  int fd = memory_fd(copy, count - 1, path);
  ssize_t got =
      read_all(path, format, choice < 64 ? 1 + choice / 8 : 1000, &to);
  if (got > 0) write_and_compare(&to, (size_t)got);
  close(fd);
  free(copy);
  return 0;
}
