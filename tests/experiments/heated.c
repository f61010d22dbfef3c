/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small programs whose misses are known by the 2 MiB of their memory, for
 * `vat profile`, each by its name.  With an LRU translation cache of few nodes
 * each turn of sweep() misses once a page. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, MIB = 1 << 20, UNIT = 2 * MIB };

static __attribute__((noinline)) unsigned char *make(size_t bytes) {
  unsigned char *memory = malloc(bytes);
  if (!memory) abort();
  return memory;
}

static __attribute__((noinline)) unsigned char *map(size_t bytes) {
  unsigned char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static void sweep(volatile unsigned char *a, size_t bytes, int turns) {
  while (turns--)
    for (size_t at = 0; at < bytes; at += PAGE) a[at]++;
}

/* Not the first page, which malloc() has written to. */
static void sweep_block(unsigned char *a, size_t bytes, int turns) {
  sweep(a + PAGE, bytes - PAGE, turns);
}

/* An eighth is hot: 80 turns more.  Says which units, of those of the block. */
static void eighth(void) {
  unsigned char *a = make(64 * MIB);
  unsigned char *aligned = a + (UNIT - (uintptr_t)a % UNIT) % UNIT;
  unsigned char *hot = aligned + 10 * UNIT;
  sweep(aligned, 62 * MIB, 1);
  sweep(hot, 8 * MIB, 80);
  printf("aligned %d hot %d\n",
         (int)((uintptr_t)aligned / UNIT - (uintptr_t)a / UNIT),
         (int)((uintptr_t)hot / UNIT - (uintptr_t)a / UNIT));
}

/* The third takes the first one's place. */
static void blocks(void) {
  static const int sizes[] = {4 * MIB, 8 * MIB, 6 * MIB};
  unsigned char *block[3];
  for (int i = 0; i < 3; i++) {
    block[i] = make((size_t)sizes[i]);
    sweep_block(block[i], (size_t)sizes[i], 1);
    if (i == 1) free(block[0]);
  }
  sweep_block(block[1], 8 * MIB, 1);
  sweep_block(block[2], 6 * MIB, 1);
}

/* realloc() moves pages, not bytes, and has one block. */
static void grown(void) {
  unsigned char *a = NULL;
  for (size_t bytes = 4 * MIB; bytes <= 16 * MIB; bytes *= 2) {
    a = realloc(a, bytes);
    if (!a) abort();
    sweep_block(a, bytes, 1);
  }
}

/* What is moved is map()'s still, what is added is not. */
static void moved(void) {
  for (int i = 0; i < 3; i++) {
    unsigned char *a = map(4 * MIB), *behind = map(MIB);
    sweep(a, 4 * MIB, 1);
    a = mremap(a, 4 * MIB, 12 * MIB, MREMAP_MAYMOVE);
    if (a == MAP_FAILED) abort();
    sweep(a, 12 * MIB, 1);
    munmap(a, 12 * MIB);
    munmap(behind, MIB);
  }
}

/* What is mapped or given back is faulted in again: of 5 blocks of 1024 pages,
 * and of one of 512 half of them twice; of 10 with 16 pages, which few nodes
 * keep until the next one. */
static void renewed(void) {
  for (int i = 0; i < 16; i++) {
    size_t bytes = i < 5 ? 4 * MIB : i > 5 ? 16 * PAGE : UNIT;
    unsigned char *a = map(bytes);
    sweep(a, bytes, 2);
    if (i == 5) madvise(a, bytes, MADV_DONTNEED), sweep(a, MIB, 2);
    munmap(a, bytes);
  }
}

/* glibc maps large blocks by themselves: two of 2 MiB and more, the end of one
 * of which is its page's; one that is smaller; and one that grows, but stays
 * so. */
static void alone(void) {
  static const int sizes[] = {3 * MIB, 4 * MIB - 16, MIB};
  for (int i = 0; i < 3; i++)
    sweep_block(make((size_t)sizes[i]), (size_t)sizes[i], 1);
  unsigned char *a = NULL;
  for (size_t bytes = MIB; bytes < UNIT; bytes += MIB / 4) {
    a = realloc(a, bytes);
    if (!a) abort();
  }
  sweep_block(a, MIB, 1);
}

/* All pages of the first 4 MiB of a thread's heap have a block. */
static void *allocate(void *unused) {
  for (int i = 0; i < 1024; i++) make(PAGE - 16);
  return unused;
}
static void thread(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, allocate, NULL)) abort();
  pthread_join(other, NULL);
}

/* Of private memory, 512 pages are read before they are written, 256 are never
 * written; 128 are read and written by one instruction, 64 are only written,
 * and 32 of these and others the kernel writes.  Of 512 that are written, 32
 * are written once more after they were given back, and half of these read. */
static void first_read(void) {
  volatile unsigned char sum = 0, *a = map(4 * MIB);
  int zeros = open("/dev/zero", O_RDONLY);
  unsigned char *at = (unsigned char *)a;
  for (int i = 0; i < 512; i++) {
    unsigned char had = a[i * PAGE];
    __asm__ volatile("" : "+r"(had)); /* two instructions */
    a[i * PAGE] = (unsigned char)(had + 1);
  }
  for (int i = 512; i < 768; i++) sum += a[i * PAGE];
  for (int i = 768; i < 896; i++)
    __atomic_fetch_add(&at[i * PAGE], 1, __ATOMIC_RELAXED);
  for (int i = 896; i < 960; i++) a[i * PAGE] = 1;
  if (read(zeros, at + 944 * PAGE, 32 * PAGE) != 32 * PAGE) abort();
  for (int i = 944; i < 976; i++) sum += a[i * PAGE];
  volatile unsigned char *b = map(UNIT);
  for (int i = 0; i < 512; i++) b[i * PAGE] = 1;
  madvise((void *)b, UNIT, MADV_DONTNEED);
  for (int i = 0; i < 16; i++) {
    b[i * PAGE] = 1;
    b[(i + 256) * PAGE] = 1;
    sum += b[i * PAGE];
  }
}

/* Sixteen pages of a file that cannot be written are read. */
static void file(void) {
  int fd = open("read_only", O_RDONLY);
  volatile unsigned char *a =
      mmap(NULL, 16 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
  if (a == MAP_FAILED) abort();
  for (size_t at = 0; at < 16 * PAGE; at += PAGE) (void)a[at];
}

/* A child begins with nothing counted. */
static void forked(void) {
  unsigned char *a = make(8 * MIB);
  sweep_block(a, 8 * MIB, 3);
  if (!fork()) {
    sweep_block(a, 2 * MIB, 5);
    exit(0);
  }
  while (wait(NULL) > 0) continue;
}

/* Small blocks, more than a unit of them. */
static void nodes(void) {
  enum { COUNT = 2000, BYTES = 4096 };
  unsigned char **node = (unsigned char **)make(COUNT * sizeof *node);
  for (int i = 0; i < COUNT; i++) node[i] = make(BYTES);
  for (int turn = 0; turn < 5; turn++)
    for (int i = 0; i < COUNT; i++) node[i][BYTES / 2]++;
}

/* Zeroed data: two units of it at least are whole. */
static unsigned char data[8 * MIB];
static void statics(void) { sweep(data, sizeof data, 2); }

/* 1 + 5 + 25 + 125 ways lead to the allocation. */
static unsigned char *held[200];
static int holds;
#ifdef __clang__ /* it makes no copies */
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noinline, noclone))
#endif

static ALONE void branch(int depth) {
  held[holds++ % 200] = malloc(100);
  if (!depth) return;
  branch(depth - 1);
  __asm__ volatile("" ::: "memory");
  branch(depth - 1);
  __asm__ volatile("" ::: "memory");
  branch(depth - 1);
  __asm__ volatile("" ::: "memory");
  branch(depth - 1);
  __asm__ volatile("" ::: "memory");
  branch(depth - 1);
  __asm__ volatile("" ::: "memory");
}
static void branches(void) {
  branch(3);
  __asm__ volatile("" ::: "memory");
}

/* What the C library wraps: none of its frames is anybody's. */
static __attribute__((noinline)) void wraps(void) {
  held[0] = calloc(1000, 10);
  __asm__ volatile("" ::: "memory");
  held[0] = realloc(held[0], 30000);
  __asm__ volatile("" ::: "memory");
  held[1] = aligned_alloc(4096, 8192);
  if (!held[0] || !held[1]) abort();
  memset(held[0], 1, 30000);
  memset(held[1], 1, 8192);
}

/* Of an allocator, whose next one either of two callers needs. */
static __attribute__((noinline)) unsigned char *arena(void) {
  unsigned char *memory = map(MIB);
  __asm__ volatile("" ::: "memory");
  return memory;
}
static __attribute__((noinline)) unsigned char *for_keys(void) {
  unsigned char *memory = arena();
  __asm__ volatile("" ::: "memory");
  return memory;
}
static __attribute__((noinline)) unsigned char *for_values(void) {
  unsigned char *memory = arena();
  __asm__ volatile("nop" ::: "memory");
  return memory;
}
static void arenas(void) {
  for (int i = 0; i < 12; i++) sweep(i % 3 ? for_keys() : for_values(), MIB, 2);
}

static const struct {
  const char *name;
  void (*run)(void);
} programs[] = {
    {"eighth", eighth},   {"blocks", blocks},         {"grown", grown},
    {"moved", moved},     {"forked", forked},         {"nodes", nodes},
    {"statics", statics}, {"branches", branches},     {"wraps", wraps},
    {"renewed", renewed}, {"alone", alone},           {"file", file},
    {"thread", thread},   {"first_read", first_read}, {"arenas", arenas},
};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    if (argc != 2 || strcmp(argv[1], programs[i].name)) continue;
    programs[i].run();
    return 0;
  }
  return 2;
}
