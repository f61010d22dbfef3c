/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small programs of which a plan chooses a part, for `vat profile --plan`, each
 * by its name.  hot() is chosen, cold() is not. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, MIB = 1 << 20, UNIT = 2 * MIB };

static __attribute__((noinline)) unsigned char *hot(size_t bytes) {
  unsigned char *memory = aligned_alloc(UNIT, bytes);
  if (!memory) abort();
  return memory;
}

/* The same code would become one function. */
#define OTHER __asm__ volatile("nop")

static __attribute__((noinline)) unsigned char *cold(size_t bytes) {
  OTHER;
  unsigned char *memory = aligned_alloc(UNIT, bytes);
  if (!memory) abort();
  return memory;
}

static __attribute__((noinline)) unsigned char *hot_at(void *at, size_t bytes,
                                                       int flags) {
  void *memory = mmap(at, bytes, PROT_READ | PROT_WRITE,
                      flags | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static __attribute__((noinline)) unsigned char *cold_at(void *at,
                                                        size_t bytes) {
  OTHER;
  void *memory = mmap(at, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static void sweep(volatile unsigned char *a, size_t bytes, int turns) {
  while (turns--)
    for (size_t at = 0; at < bytes; at += PAGE) a[at]++;
}

/* Addresses that nothing else has, from a multiple of 2 MiB on. */
static unsigned char *room(void) {
  unsigned char *at =
      mmap(NULL, 34 * MIB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) abort();
  return at + (UNIT - (uintptr_t)at % UNIT) % UNIT;
}

/* Ten times each, in turns. */
static void turns(void) {
  unsigned char *a = hot(8 * MIB), *b = cold(8 * MIB);
  for (int i = 0; i < 10; i++) {
    sweep(a, 8 * MIB, 1);
    sweep(b, 8 * MIB, 1);
  }
}

static void reads(volatile unsigned char *a, size_t a_bytes,
                  volatile unsigned char *b, size_t b_bytes) {
  uint64_t x = 1;
  for (int i = 0; i < 100000; i++) {
    x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
    a[(x >> 33) % a_bytes]++;
    if (i % 3) b[(x >> 33) % b_bytes]++;
  }
}

static void random_reads(void) {
  unsigned char *a = hot(16 * MIB), *b = cold(12 * MIB), *c = hot(4 * MIB);
  reads(a, 16 * MIB, b, 12 * MIB);
  reads(b, 12 * MIB, c, 4 * MIB);
}

/* What is not chosen takes the place of what was, and the other way round. */
static void places(void) {
  unsigned char *at = room();
  for (int i = 0; i < 3; i++) {
    sweep(hot_at(at, 8 * MIB, MAP_PRIVATE), 8 * MIB, 2);
    munmap(at, 8 * MIB);
    cold_at(at, 8 * MIB)[8 * MIB - PAGE]++; /* the page of the last access */
    sweep(at, 8 * MIB, 2);
    munmap(at, 8 * MIB);
  }
}

/* A page of each of 16 units: other ones of 256, as these are. */
static void *touch(void *at) {
  volatile unsigned char *a = at;
  for (int i = 0; i < 16; i++) a[i * (UNIT + PAGE)]++;
  return NULL;
}

static void touch_here(unsigned char *at) { touch(at); }

/* Who follows a thread that has ended runs on the same processor. */
static void touch_elsewhere(unsigned char *at) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, touch, at)) abort();
  pthread_join(thread, NULL);
}

/* Half of the pages of each, and right afterwards the others. */
static void change(void (*touch_all)(unsigned char *at)) {
  unsigned char *at = room();
  cold_at(at, 16 * MIB);
  hot_at(at + 16 * MIB, 16 * MIB, MAP_PRIVATE);
  touch_all(at);
  hot_at(at, 16 * MIB, MAP_PRIVATE);
  cold_at(at + 16 * MIB, 16 * MIB);
  touch_all(at);
}

static void changes(void) { change(touch_here); }
static void changes_elsewhere(void) { change(touch_elsewhere); }

/* A mapping that processes share, and one that moves. */
static void mappings(void) {
  unsigned char *at = room();
  sweep(hot_at(at, 4 * MIB, MAP_SHARED), 4 * MIB, 2);
  unsigned char *b = hot_at(at + 8 * MIB, 4 * MIB, MAP_PRIVATE);
  sweep(b, 4 * MIB, 2);
  b = mremap(b, 4 * MIB, 4 * MIB, MREMAP_MAYMOVE | MREMAP_FIXED, at + 16 * MIB);
  if (b == MAP_FAILED) abort();
  sweep(b, 4 * MIB, 2);
  sweep(cold_at(at + 24 * MIB, 4 * MIB), 4 * MIB, 2);
}

/* Small blocks of both. */
static __attribute__((noinline)) unsigned char *hot_node(void) {
  unsigned char *memory = malloc(PAGE);
  __asm__ volatile("" ::: "memory");
  return memory;
}

static __attribute__((noinline)) unsigned char *cold_node(void) {
  OTHER;
  unsigned char *memory = malloc(PAGE);
  __asm__ volatile("" ::: "memory");
  return memory;
}

static void nodes(void) {
  enum { COUNT = 1000 };
  static unsigned char *a[COUNT], *b[COUNT];
  for (int i = 0; i < COUNT; i++) a[i] = hot_node();
  for (int i = 0; i < COUNT; i++) b[i] = cold_node();
  for (int turn = 0; turn < 10; turn++) {
    for (int i = 0; i < COUNT; i++) a[i][PAGE / 2]++;
    for (int i = 0; i < COUNT; i++) b[i][PAGE / 2]++;
  }
}

/* Zeroed static data, of which some units are whole. */
static unsigned char data[8 * MIB];
static void statics(void) { sweep(data, sizeof data, 5); }

/* Of a block of 1 GiB, the first part. */
static void giant(void) { sweep(hot(1024 * (size_t)MIB), 8 * MIB, 3); }

/* A mapping of 4 MiB, five times. */
static void again(void) {
  unsigned char *at = room();
  for (int i = 0; i < 5; i++) {
    hot_at(at, 4 * MIB, MAP_PRIVATE);
    sweep(at, 4 * MIB, 1);
    munmap(at, 4 * MIB);
  }
}

static void forked(void) {
  unsigned char *a = hot(8 * MIB), *b = cold(8 * MIB);
  sweep(a, 8 * MIB, 3);
  if (!fork()) {
    reads(a, 8 * MIB, b, 8 * MIB);
    exit(0);
  }
  while (wait(NULL) > 0) continue;
}

static const struct {
  const char *name;
  void (*run)(void);
} programs[] = {{"turns", turns},
                {"random", random_reads},
                {"places", places},
                {"mappings", mappings},
                {"nodes", nodes},
                {"statics", statics},
                {"forked", forked},
                {"giant", giant},
                {"again", again},
                {"changes", changes},
                {"changes-elsewhere", changes_elsewhere}};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    if (argc != 2 || strcmp(argv[1], programs[i].name)) continue;
    programs[i].run();
    return 0;
  }
  return 2;
}
