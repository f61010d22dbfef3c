/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse [-p] fill MIB | every MIB KIB | random MIB TOUCHES | none MIB: a
 * program whose page faults and peak memory follow from the addresses that it
 * writes to, whatever the size of its pages.
 *
 *   fill    a byte of each 4 KiB, in order: all memory, once
 *   every   a byte of each KIB KiB
 *   random  bytes at TOUCHES random places
 *   none    nothing: what the program itself takes
 *
 * It prints how long the first touch of all takes at the pace of the quickest
 * quarter of its 64 parts.  Neighbours on the host slow down a part or many,
 * and seldom all.
 *
 * -p touches nothing and prints, for each page size from 4 KiB to 2 MiB, a line
 * "KIB PAGES": the pages of this size that have such an address.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { BASE = 4096, LARGEST = 2 << 20, PARTS = 64 };

/* Bytes at `at(pattern, i)` for i below `count`. */
struct pattern {
  uint64_t (*at)(const struct pattern *pattern, uint64_t i);
  uint64_t bytes, count, step;
};

static uint64_t at_step(const struct pattern *pattern, uint64_t i) {
  return i * pattern->step;
}

/* splitmix64, of which number i is had without those before. */
static uint64_t at_random(const struct pattern *pattern, uint64_t i) {
  uint64_t x = (i + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (uint64_t)(((unsigned __int128)(x ^ (x >> 31)) * pattern->bytes) >>
                    64);
}

static bool parse(int argc, char **argv, struct pattern *pattern) {
  if (argc < 2) return false;
  uint64_t bytes = strtoull(argv[1], NULL, 10) << 20;
  uint64_t argument = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
  *pattern = (struct pattern){at_step, bytes, 0, BASE};
  if (!strcmp(argv[0], "none")) return bytes && argc == 2;
  if (!strcmp(argv[0], "every")) pattern->step = argument << 10;
  if (!pattern->step || bytes % LARGEST) return false;
  pattern->count = bytes / pattern->step;
  if (!strcmp(argv[0], "fill")) return bytes && argc == 2;
  if (!strcmp(argv[0], "every")) return bytes;
  pattern->at = at_random;
  pattern->count = argument;
  return bytes && argument && !strcmp(argv[0], "random");
}

static bool predict(const struct pattern *pattern) {
  bool *seen = malloc(pattern->bytes / BASE);
  for (uint64_t size = BASE; seen && size <= LARGEST; size *= 2) {
    uint64_t pages = 0;
    memset(seen, 0, pattern->bytes / BASE);
    for (uint64_t i = 0; i < pattern->count; i++) {
      bool *page = &seen[pattern->at(pattern, i) / size];
      pages += !*page;
      *page = true;
    }
    printf("%llu %llu\n", (unsigned long long)(size >> 10),
           (unsigned long long)pages);
  }
  bool done = seen != NULL;
  free(seen);
  return done;
}

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_length(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* From a multiple of the largest page on, so that no page is cut.  The end is a
 * wait in which vat compare sees what is there. */
static bool touch(const struct pattern *pattern) {
  static const struct timespec wait = {.tv_nsec = 50000000};
  unsigned char *memory =
      mmap(NULL, pattern->bytes + LARGEST, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  volatile unsigned char *start = memory + (-(uintptr_t)memory) % LARGEST;
  double took[PARTS], begun = now_s();
  uint64_t i = 0;
  for (unsigned part = 0; part < PARTS; part++) {
    for (uint64_t end = pattern->count * (part + 1) / PARTS; i < end; i++)
      start[pattern->at(pattern, i)] = 1;
    double now = now_s();
    took[part] = now - begun;
    begun = now;
  }
  qsort(took, PARTS, sizeof *took, by_length);
  printf("first touch: %.6f s\n", PARTS * took[PARTS / 4]);
  nanosleep(&wait, NULL);
  return true;
}

int main(int argc, char **argv) {
  struct pattern pattern;
  bool predicts = argc > 1 && !strcmp(argv[1], "-p");
  if (!parse(argc - 1 - predicts, argv + 1 + predicts, &pattern)) {
    fputs(
        "usage: sparse [-p] fill MIB | every MIB KIB | random MIB TOUCHES |"
        " none MIB\n",
        stderr);
    return 2;
  }
  bool done = predicts ? predict(&pattern) : touch(&pattern);
  return !done;
}
