/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/trace_fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

uint64_t fixture_seed;

uint64_t fixture_random(uint64_t below) { /* splitmix64 */
  uint64_t z = fixture_seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  z ^= z >> 31;
  return below ? z % below : z;
}

static void *get(size_t bytes) {
  void *memory = calloc(1, bytes + 1);
  if (!memory) abort();
  return memory;
}

void accesses_init(struct accesses *accesses, size_t count) {
  *accesses = (struct accesses){.count = count};
  accesses->addresses = get(count * sizeof *accesses->addresses);
  accesses->sizes = get(count * sizeof *accesses->sizes);
  accesses->kinds = get(count);
}

void accesses_fini(struct accesses *accesses) {
  free(accesses->addresses);
  free(accesses->sizes);
  free(accesses->kinds);
}

bool accesses_equal(const struct accesses *a, const struct accesses *b) {
  return a->code == b->code && a->count == b->count &&
         !memcmp(a->addresses, b->addresses, a->count * 8) &&
         !memcmp(a->sizes, b->sizes, a->count * 4) &&
         !memcmp(a->kinds, b->kinds, a->count);
}

void bytes_fini(struct bytes *bytes) { free(bytes->data); }

struct bytes bytes_of_text(const char *text) {
  struct bytes bytes = {strlen(text), get(strlen(text))};
  memcpy(bytes.data, text, bytes.count);
  return bytes;
}

static uint64_t random_address(unsigned style, uint64_t last) {
  static const uint64_t odd[] = {
      0,        UINT64_MAX,          INT64_MAX,
      1u << 31, UINT64_C(1) << 32,   (UINT64_C(1) << 35) - 8,
      1u << 24, (UINT64_C(1) << 34), UINT64_C(0x8000000000000000)};
  switch (style) {
    case 0:
      return last + 8;
    case 1: /* streams that take turns */
      return (fixture_random(20) << 40) + last % 4096 + fixture_random(64);
    case 2:
      return UINT64_C(0x7fff00000000) + fixture_random(UINT64_C(1) << 33);
    case 3:
      return fixture_random(0);
    case 4:
      return last + odd[fixture_random(sizeof odd / sizeof *odd)];
    default:
      return last - odd[fixture_random(sizeof odd / sizeof *odd)] +
             fixture_random(3);
  }
}

void accesses_random(struct accesses *accesses, size_t count) {
  accesses_init(accesses, count);
  unsigned style = 0, sizes = 1, kinds = 1;
  uint64_t last = 0;
  for (size_t i = 0; i < count; i++) {
    if (!fixture_random(500) || !i) {
      style = (unsigned)fixture_random(6);
      sizes = fixture_random(8) ? 1 + (unsigned)fixture_random(6) : 1000;
      kinds = 1 + (unsigned)fixture_random(VAT_ACCESS_KINDS);
    }
    accesses->addresses[i] = last = random_address(style, last);
    accesses->sizes[i] = 1u << fixture_random(sizes % 32);
    if (sizes == 1000) accesses->sizes[i] = (uint32_t)fixture_random(1000);
    if (!fixture_random(9999)) accesses->sizes[i] = UINT32_MAX;
    accesses->kinds[i] = (uint8_t)fixture_random(kinds);
  }
}

void accesses_steps(struct accesses *accesses, size_t count, uint64_t pool,
                    uint64_t other) {
  uint64_t steps[300], address = 0;
  accesses_init(accesses, count);
  for (uint64_t i = 0; i < pool; i++)
    steps[i] = fixture_random(UINT64_MAX) >> fixture_random(64);
  for (size_t i = 0; i < count; i++) {
    address += fixture_random(other)
                   ? steps[fixture_random(pool)]
                   : fixture_random(UINT64_MAX) >> fixture_random(64);
    accesses->addresses[i] = address;
    accesses->sizes[i] = 1 + (uint32_t)fixture_random(3);
    accesses->kinds[i] = (uint8_t)fixture_random(VAT_ACCESS_KINDS);
  }
}

static void append(struct accesses *all, const struct accesses *some,
                   size_t count) {
  size_t total = all->count + count;
  all->addresses = realloc(all->addresses, total * 8 + 1);
  all->sizes = realloc(all->sizes, total * 4 + 1);
  all->kinds = realloc(all->kinds, total + 1);
  if (!all->addresses || !all->sizes || !all->kinds) abort();
  memcpy(all->addresses + all->count, some->addresses, count * 8);
  memcpy(all->sizes + all->count, some->sizes, count * 4);
  memcpy(all->kinds + all->count, some->kinds, count);
  all->count = total;
}

struct accesses read_path(const char *path, const char *format,
                          size_t capacity) {
  enum { MOST = 9000 };
  struct accesses all, some;
  ssize_t got = -1;
  accesses_init(&all, 0);
  accesses_init(&some, MOST);
  const struct vat_accesses out = {some.addresses, some.sizes, some.kinds};
  struct vat_trace *trace = vat_trace_open(path, format, all.error);
  for (; trace; append(&all, &some, (size_t)got)) {
    size_t room = capacity            ? capacity
                  : fixture_random(2) ? 1 + fixture_random(40)
                                      : 1 + fixture_random(MOST);
    got = vat_trace_read(trace, &out, room, all.error);
    CU_ASSERT_FATAL(got <= (ssize_t)room);
    if (got <= 0) break;
  }
  all.code = got < 0 ? errno : 0;
  if (trace) strcpy(all.format, vat_trace_format(trace)->name);
  if (trace && got < 0) { /* and so it stays */
    char again[VAT_TRACE_ERROR_SIZE];
    CU_ASSERT_EQUAL(vat_trace_read(trace, &out, 1, again), -1);
    CU_ASSERT_STRING_EQUAL(again, all.error);
  }
  if (got < 0) CU_ASSERT(*all.error && !strchr(all.error, '\n'));
  vat_trace_close(trace);
  accesses_fini(&some);
  return all;
}

static int memory_fd(struct bytes bytes) {
  int fd = memfd_create("trace", MFD_CLOEXEC);
  if (fd < 0 || write(fd, bytes.data, bytes.count) != (ssize_t)bytes.count)
    abort();
  return fd;
}

struct accesses read_bytes(struct bytes bytes, const char *format) {
  char path[64];
  int fd = memory_fd(bytes);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  struct accesses accesses = read_path(path, format, 0);
  close(fd);
  return accesses;
}

struct accesses read_text(const char *text, const char *format) {
  struct bytes bytes = bytes_of_text(text);
  struct accesses accesses = read_bytes(bytes, format);
  bytes_fini(&bytes);
  return accesses;
}

struct accesses read_pipe(struct bytes bytes, size_t chunk) {
  int ends[2];
  char path[64];
  if (pipe(ends)) abort();
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    close(ends[0]);
    for (size_t i = 0, some; i < bytes.count; i += some) {
      some = bytes.count - i < chunk ? bytes.count - i : chunk;
      if (write(ends[1], bytes.data + i, some) != (ssize_t)some) _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
  struct accesses accesses = read_path(path, NULL, 0);
  close(ends[0]);
  waitpid(child, NULL, 0);
  return accesses;
}

const char *error_of(struct bytes bytes, const char *format) {
  static char error[VAT_TRACE_ERROR_SIZE];
  struct accesses accesses = read_bytes(bytes, format);
  CU_ASSERT_EQUAL(accesses.code, EINVAL);
  strcpy(error, accesses.code ? accesses.error : "");
  accesses_fini(&accesses);
  return error;
}

static void write_all(int fd, const struct accesses *from, const char *format) {
  char error[VAT_TRACE_ERROR_SIZE];
  struct vat_trace_writer *writer =
      vat_trace_writer_create(fd, "memory", format, error);
  CU_ASSERT_PTR_NOT_NULL_FATAL(writer);
  for (size_t i = 0, some; i < from->count; i += some) {
    some = 1 + fixture_random(5000);
    if (some > from->count - i) some = from->count - i;
    const struct vat_accesses part = {from->addresses + i, from->sizes + i,
                                      from->kinds + i};
    CU_ASSERT_EQUAL_FATAL(vat_trace_writer_write(writer, &part, some, error),
                          0);
  }
  CU_ASSERT_EQUAL(vat_trace_writer_finish(writer, error), 0);
  vat_trace_writer_destroy(writer);
}

static struct bytes read_fd(int fd) {
  struct bytes bytes = {0, get(1 << 16)};
  ssize_t got;
  while ((got = read(fd, bytes.data + bytes.count, 1 << 16)) > 0) {
    bytes.count += (size_t)got;
    bytes.data = realloc(bytes.data, bytes.count + (1 << 16));
    if (!bytes.data) abort();
  }
  return bytes;
}

struct bytes write_bytes(const struct accesses *accesses, const char *format,
                         bool piped) {
  int ends[2] = {memfd_create("trace", MFD_CLOEXEC), -1};
  if (!piped) {
    write_all(ends[0], accesses, format);
    lseek(ends[0], 0, SEEK_SET);
  } else {
    close(ends[0]);
    if (pipe(ends)) abort();
    fflush(NULL);
    if (!fork()) {
      close(ends[0]);
      write_all(ends[1], accesses, format);
      _exit(0);
    }
    close(ends[1]);
  }
  struct bytes bytes = read_fd(ends[0]);
  close(ends[0]);
  if (piped) wait(NULL);
  return bytes;
}

struct bytes pack_gzip(struct bytes bytes) {
  z_stream stream = {0};
  struct bytes packed = {0, get(bytes.count + bytes.count / 8 + 256)};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY))
    abort();
  stream.next_in = bytes.data;
  stream.avail_in = (unsigned)bytes.count;
  stream.next_out = packed.data;
  stream.avail_out = (unsigned)(bytes.count + bytes.count / 8 + 256);
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) abort();
  packed.count = stream.total_out;
  deflateEnd(&stream);
  return packed;
}

struct bytes pack_zstd(struct bytes bytes) {
  size_t bound = ZSTD_compressBound(bytes.count);
  struct bytes packed = {0, get(bound)};
  packed.count = ZSTD_compress(packed.data, bound, bytes.data, bytes.count, 1);
  if (ZSTD_isError(packed.count)) abort();
  return packed;
}

struct bytes join(struct bytes a, struct bytes b) {
  a.data = realloc(a.data, a.count + b.count + 1);
  if (!a.data) abort();
  memcpy(a.data + a.count, b.data, b.count);
  a.count += b.count;
  free(b.data);
  return a;
}
