/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast traces are read and written, and how small they are.
 *
 *   bench_traces [ACCESSES] [TRACE]
 *
 * Each stream (and TRACE, of any format) is written into memory as lackey and
 * vat and read back block by block; the best of nine, one thread, in processor
 * time, so that others who want the processor do not count. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t seed;
static uint64_t random_below(uint64_t most) { /* splitmix64 */
  uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint64_t)((unsigned __int128)(z ^ z >> 31) * most >> 64);
}

static const uint64_t heap = UINT64_C(0x55d0c0000000);
static const uint64_t stack = UINT64_C(0x7ffd40001000);

static uint64_t next_sequential(uint64_t i) { return heap + 8 * i; }
static uint64_t next_uniform(uint64_t i) {
  (void)i;
  return heap + random_below(UINT64_C(1) << 32) / 8 * 8;
}
static uint64_t next_search(uint64_t i) { /* binary, 2^26 elements */
  static uint64_t low, high, key;
  if (i == 0 || low >= high) {
    low = 0;
    high = UINT64_C(1) << 26;
    key = random_below(high);
  }
  uint64_t middle = low + (high - low) / 2;
  if (middle < key)
    low = middle + 1;
  else
    high = middle;
  return heap + 8 * middle;
}
static uint64_t next_program(uint64_t i) { /* three arrays and the stack */
  static const uint64_t array[3] = {0, 1 << 26, 5 << 24};
  if (i % 4 == 3) return stack + 8 * random_below(16);
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
  double start = now_s();
  struct vat_trace *trace = vat_trace_open(path, NULL, error);
  if (!trace) stop();
  *count = *sum = 0;
  while ((got = vat_trace_read(trace, &block, BLOCK, error)) > 0) {
    *count += (uint64_t)got;
    for (ssize_t i = 0; i < got; i++) *sum += addresses[i];
  }
  if (got < 0) stop();
  vat_trace_close(trace);
  return now_s() - start;
}

static uint64_t run(const char *stream, const char *format,
                    uint64_t (*next)(uint64_t i), uint64_t accesses,
                    const char *path) {
  uint64_t count, sum;
  struct stat file;
  double best = 1e9;
  seed = 1;
  double start = now_s();
  int fd = write_stream(format, next, accesses, path);
  double write_s = now_s() - start;
  for (int i = 0; i < REPETITIONS; i++) {
    double s = read_once(fd, &count, &sum);
    if (s < best) best = s;
  }
  fstat(fd, &file);
  close(fd);
  printf("%-12s %-8s %10.3f %10.1f %12.1f %13.1f\n", stream, format,
         (double)file.st_size / (double)count,
         (double)file.st_size / best * 1e-6, (double)count / best * 1e-6,
         (double)count / write_s * 1e-6);
  return sum;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    uint64_t (*next)(uint64_t i);
  } streams[] = {{"sequential", next_sequential},
                 {"uniform", next_uniform},
                 {"search", next_search},
                 {"program", next_program}};
  uint64_t accesses = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000000;
  printf("%-12s %-8s %10s %10s %12s %13s\n", "stream", "format", "bytes/acc",
         "read MB/s", "read Macc/s", "write Macc/s");
  for (size_t i = 0; i < 5; i++) {
    const char *path = i == 4 ? argv[2] : NULL;
    if (i == 4 && argc < 3) break;
    uint64_t (*next)(uint64_t) = path ? NULL : streams[i].next;
    const char *name = path ? "file" : streams[i].name;
    if (run(name, "lackey", next, accesses, path) !=
        run(name, "vat", next, accesses, path)) {
      fprintf(stderr, "bench_traces: %s: the formats differ\n", name);
      return 1;
    }
  }
  return 0;
}
