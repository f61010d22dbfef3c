/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast traces are read and written, and how small they are.
 *
 *   bench_traces [ACCESSES] [TRACE]
 *
 * Each stream (and TRACE, of any format) is written into memory as lackey and
 * vat and read back block by block; the best of nine, one thread, in processor
 * time.  The bar is of reading: MB/s of lackey, millions of accesses/s of vat.
 * Exits with 1 where one is missed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/bench/streams.h"
#include "vat/trace.h"

enum { BLOCK = 4096, REPETITIONS = 9 };

static uint64_t addresses[BLOCK];
static uint32_t sizes[BLOCK];
static uint8_t kinds[BLOCK];
static const struct vat_accesses block = {addresses, sizes, kinds};
static char error[VAT_TRACE_ERROR_SIZE];

static void stop(void) {
  fprintf(stderr, "bench_traces: %s\n", error);
  exit(1);
}

static const uint64_t heap = UINT64_C(0x55d0c0000000);
static const uint64_t stack = UINT64_C(0x7ffd40001000);

static uint64_t next_sequential(uint64_t i) { return heap + 8 * i; }
static uint64_t next_uniform(uint64_t i) {
  (void)i;
  return heap + stream_random(UINT64_C(1) << 32) / 8 * 8;
}
static uint64_t next_search(uint64_t i) { return heap + 8 * stream_search(i); }
static uint64_t next_program(uint64_t i) { /* three arrays and the stack */
  static const uint64_t array[3] = {0, 1 << 26, 5 << 24};
  if (i % 4 == 3) return stack + 8 * stream_random(16);
  return heap + array[i % 4] + i / 4 * 8;
}

static int write_stream(const char *format, uint64_t (*next)(uint64_t i),
                        uint64_t count, const char *path) {
  int fd = memfd_create(format, MFD_CLOEXEC);
  struct vat_trace_writer *writer =
      vat_trace_writer_create(fd, format, format, error);
  struct vat_trace *from = path ? vat_trace_open(path, NULL, error) : NULL;
  ssize_t got = 1;
  if (!writer || (path && !from)) stop();
  for (uint64_t done = 0; path || done < count; done += (uint64_t)got) {
    got = count - done < BLOCK ? (ssize_t)(count - done) : BLOCK;
    for (ssize_t i = 0; !path && i < got; i++) {
      addresses[i] = next(done + (uint64_t)i);
      sizes[i] = 8;
      kinds[i] = i % 4 ? VAT_LOAD : VAT_STORE;
    }
    if (path) got = vat_trace_read(from, &block, BLOCK, error);
    if (got < 0) stop();
    if (!got) break;
    if (vat_trace_writer_write(writer, &block, (size_t)got, error)) stop();
  }
  if (vat_trace_writer_finish(writer, error)) stop();
  vat_trace_writer_destroy(writer);
  vat_trace_close(from);
  return fd;
}

/* Seconds; and the sum of addresses, so that both formats can be compared. */
static double read_once(int fd, uint64_t *count, uint64_t *sum) {
  char path[64];
  ssize_t got;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  double start = bench_seconds();
  struct vat_trace *trace = vat_trace_open(path, NULL, error);
  if (!trace) stop();
  *count = *sum = 0;
  while ((got = vat_trace_read(trace, &block, BLOCK, error)) > 0) {
    *count += (uint64_t)got;
    for (ssize_t i = 0; i < got; i++) *sum += addresses[i];
  }
  if (got < 0) stop();
  vat_trace_close(trace);
  return bench_seconds() - start;
}

struct stream {
  const char *name;
  uint64_t (*next)(uint64_t i);
  const char *path; /* instead of `next` */
};

struct format {
  const char *name;
  double megabytes, accesses; /* bars, millions a second; 0: none */
};

/* Whether the bar holds; and the sum of addresses. */
static bool run(const struct stream *stream, const struct format *format,
                uint64_t accesses, uint64_t *sum) {
  uint64_t count;
  struct stat file;
  double best = 1e9;
  stream_seed = 1;
  double start = bench_seconds();
  int fd = write_stream(format->name, stream->next, accesses, stream->path);
  double write_s = bench_seconds() - start;
  for (int i = 0; i < REPETITIONS; i++) {
    double s = read_once(fd, &count, sum);
    if (s < best) best = s;
  }
  fstat(fd, &file);
  close(fd);
  double megabytes = (double)file.st_size / best * 1e-6;
  double rate = (double)count / best * 1e-6;
  printf("%-12s %-8s %10.3f %10.1f %12.1f %13.1f", stream->name, format->name,
         (double)file.st_size / (double)count, megabytes, rate,
         (double)count / write_s * 1e-6);
  if (stream->path) return bench_verdict(rate, 0);
  return format->megabytes ? bench_verdict(megabytes, format->megabytes)
                           : bench_verdict(rate, format->accesses);
}

int main(int argc, char **argv) {
  static const struct format lackey = {"lackey", 150, 0}, vat = {"vat", 0, 200};
  const struct stream streams[] = {{"sequential", next_sequential, NULL},
                                   {"uniform", next_uniform, NULL},
                                   {"search", next_search, NULL},
                                   {"program", next_program, NULL},
                                   {"file", NULL, argc > 2 ? argv[2] : NULL}};
  uint64_t accesses = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000000;
  bool hold = true;
  printf("%-12s %-8s %10s %10s %12s %13s %6s\n", "stream", "format",
         "bytes/acc", "read MB/s", "read Macc/s", "write Macc/s", "bar");
  for (int i = 0; i < (argc > 2 ? 5 : 4); i++) {
    uint64_t sums[2];
    hold &= run(&streams[i], &lackey, accesses, &sums[0]);
    hold &= run(&streams[i], &vat, accesses, &sums[1]);
    if (sums[0] == sums[1]) continue;
    fprintf(stderr, "bench_traces: %s: the formats differ\n", streams[i].name);
    return 1;
  }
  return !hold;
}
