/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/profile/saved_tables.h"

#include <stdlib.h>

static const unsigned mib = 1 << 20;

/* What all sites have behind their sizes: a caller, a chain, misses by octave.
 */
struct site {
  const char *function;
  unsigned number, line;
  uint64_t misses;
  int no_huge; /* page can be there */
};

/* All where there can be huge pages, or cannot, and 2^15 misses after the last
 * use. */
static void write_walks(int huge, uint64_t misses, FILE *to) {
  fprintf(to, "walks %d", huge);
  for (int i = 0; i < 32; i++)
    fprintf(to, " %llu", i == 16 ? (unsigned long long)misses : 0);
  fputc('\n', to);
}

static void write_site(const struct saved_tables *how, const struct site *site,
                       FILE *to) {
  fprintf(to,
          "object /opt/tables\nfile tables.c\nfunction %s\n"
          "caller %u 0\n",
          site->function, site->line);
  if (!how->older)
    fprintf(to, "frame 0 %x\nframe 1 1999\n", 0x1000 + site->number * 16);
  fprintf(to, "number %u\n", site->number);
  if (!how->no_walks) write_walks(!site->no_huge, site->misses, to);
}

/* One large block that is evenly hot; a miss of a page of 2 MiB a unit. */
static void write_table(const struct saved_tables *how, const char *function,
                        unsigned number, unsigned size, unsigned misses,
                        FILE *to) {
  unsigned units = size / 2, each = misses / units;
  struct site site = {function, number, 10 * number, (uint64_t)each * units, 0};
  unsigned blocks = number == 1 ? 1 + how->renewed : 1;
  fprintf(to, "site heap %u %u %u %u %u %u %u 0 0 %u 0\n", blocks,
          blocks * size * mib, size * mib, size * 256, units, 10 * misses,
          each * units, units);
  if (!how->older)
    fprintf(to, "sizes %u %u 1 %u\n", size * mib, size * mib, size * mib);
  if (how->renewed)
    fprintf(to, "faulted %u %u 0 0 0 0\n", 256 * blocks * size,
            256 * blocks * size);
  write_site(how, &site, to);
  for (unsigned i = 0; i < units && !how->older; i++)
    fprintf(to, "heat 0 %u 512 %u 1\n", i, each);
}

/* The same misses. */
static void write_arenas(const struct saved_tables *how, FILE *to) {
  struct site site = {"make_hot", 1, 10, 1200000, 1};
  fprintf(to, "site mapping 192 %u %u 49152 96 12000000 1200000 0 0 96 0\n",
          192 * mib, 192 * mib);
  fprintf(to, "sizes %u %u 0 0\n", mib, mib);
  write_site(how, &site, to);
}

/* 10 MiB of blocks of 240 to 400 bytes, and 4 MiB of static data. */
static void write_small(const struct saved_tables *how, FILE *to) {
  const unsigned misses = 40000;
  struct site nodes = {"make_nodes", 4, 40, misses, 0};
  fprintf(to, "site heap 32768 %u %u 2560 6 400000 %u 0 0 6 0\n", 10 * mib,
          10 * mib, misses);
  if (!how->older) fputs("sizes 240 400 0 0\n", to);
  write_site(how, &nodes, to);
  for (unsigned i = 2; i < 7 && !how->older; i++)
    fprintf(to, "heat 1024 %u 512 %u 1\n", i, misses / 5);
  fprintf(to, "site break 0 0 %u 1024 2 10000 2000 0 0 2 0\n", 4 * mib);
  fputs("number 5\n", to);
  if (!how->no_walks) write_walks(1, 2000, to);
  for (unsigned i = 0; i < 2 && !how->older; i++)
    fprintf(to, "heat 1024 %u 512 1000 1\n", i);
}

/* As many sites as was asked for; the first has as many units, of which the
 * second quarter is hot. */
static void write_many(const struct saved_tables *how, FILE *to) {
  for (unsigned i = 0; i < how->sites; i++) {
    char function[32];
    unsigned misses = 1000 + i % 977;
    snprintf(function, sizeof function, "f%u", i);
    struct site site = {function, i & 0xffff, i + 1, misses, 0};
    unsigned units = i ? 2 : how->units;
    unsigned long long bytes = 2ULL * mib * units;
    fprintf(to, "site %s 1 %llu %llu %u %u %u %u 0 0 2 0\n",
            i ? "heap" : "mapping", bytes, bytes, units * 512, units,
            10 * misses, misses);
    fprintf(to, "sizes %llu %llu 1 %llu\n", bytes, bytes, bytes);
    write_site(how, &site, to);
    for (unsigned u = 0; u < units; u++)
      fprintf(to, "heat 0 %u 512 %u 1\n", u,
              i                      ? misses / 2
              : u / (units / 4) == 1 ? 900
                                     : 100);
  }
}

static void write_bursts(const struct saved_tables *how, FILE *to) {
  for (int burst = 0; burst < 20; burst++) {
    fputs("burst 1000 64 640 320 64\n", to);
    for (int i = 0; i < 64; i++)
      fprintf(to, "wait 10 %d 16 %d %d\n", i % 4 != 0,
              how->arenas && i % 8 < 7 ? 0 : 4, i % 8 == 7 ? 2 : 1);
  }
}

static void write_process(const struct saved_tables *how, FILE *to) {
  fputs(
      "vat-profile 1\nprocess 7\nparent 1\nprogram ./tables\n"
      "tree 4k 3 64\ntree 2m 2 64\n",
      to);
  if (!how->older) fprintf(to, "unit %u\n", 2 * mib);
  fputs(
      "threads 1\nsampled 100\nheap told\n"
      "totals 20000000 1482000 0 0 1000 0\n",
      to);
  if (how->sites) {
    write_many(how, to);
  } else {
    if (how->arenas)
      write_arenas(how, to);
    else
      write_table(how, "make_hot", 1, 192, 1200000, to);
    write_table(how, "make_warm", 2, 96, 200000, to);
    write_table(how, "make_cold", 3, 384, 40000, to);
    write_small(how, to);
  }
  if (!how->no_walks) write_bursts(how, to);
  fputs("end\n", to);
}

static const char native[] =
    "\"what_if\":{\"native\":{\"runs\":3,\"user_s\":1.0,\"user_s_least\":0.99,"
    "\"user_s_most\":1.02,\"sys_s\":0.1,\"minor_faults\":176000,"
    "\"peak_bytes\":721420288.0,\"first_touch_s_per_gib\":{\"4k\":{\"as_found\""
    ":0.5,\"again\":0.4},\"2m\":{\"as_found\":0.2,\"again\":0.1}}},"
    "\"calibrations\":[]},";

void saved_tables_write(const struct saved_tables *how, FILE *to) {
  char *text;
  size_t length;
  unsigned processes = how->processes ? how->processes : 1;
  FILE *process = open_memstream(&text, &length);
  if (!process) abort();
  write_process(how, process);
  fclose(process);
  fprintf(to,
          "{\"record\":\"profile\",\"schema\":3,\"command\":[\"./tables\",\"a "
          "b\"],\"policy\":\"islru\",\"lost\":%d,%s\"objects\":[{\"name\":"
          "\"/opt/tables\",\"build_id\":\"0123456789abcdef\"}],\"processes\":[",
          how->lost, how->no_native ? "" : native);
  for (unsigned i = 0; i < processes; i++)
    fprintf(to, "%s%zu", i ? "," : "", length);
  fputs("]}\n", to);
  for (unsigned i = 0; i < processes; i++) fputs(text, to);
  free(text);
}
