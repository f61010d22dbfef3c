/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that allocate, resize and free blocks at random, by two sites of
 * which one may be chosen, and check what is in them; blocks cross threads and
 * forks.  malloc_stress SEED STEPS [FORKS]: exits with 0 if all was as it
 * should.  FORKS: while other threads are in the middle of things, 5 if absent;
 * one more follows when they have ended. */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, SLOTS = 64 };

struct block {
  unsigned char *at;
  size_t bytes;
  unsigned char fill;
};
static struct block shared[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long steps;
static unsigned seed;

static void fail(const char *what) {
  dprintf(2, "malloc_stress: %s\n", what);
  _exit(1);
}

static unsigned next(unsigned *x) {
  *x = *x * 1664525u + 1013904223u;
  return *x >> 8;
}

/* Mostly small; some of more than 32 MiB. */
static size_t random_size(unsigned *x) {
  unsigned chance = next(x) % 2000;
  if (chance < 1400) return next(x) % 512;
  if (chance < 1920) return next(x) % (64 << 10);
  if (chance < 1990) return next(x) % (1 << 20);
  return chance < 1999 ? next(x) % (5 << 20) : (32 << 20) + next(x) % (8 << 20);
}

static void check(const struct block *block) {
  size_t step = block->bytes > 4096 ? 511 : 1;
  for (size_t i = 0; i < block->bytes; i += step)
    if (block->at[i] != block->fill) fail("a block has other contents");
  if (block->bytes && block->at[block->bytes - 1] != block->fill)
    fail("a block has another end");
}

static void fill(struct block *block, unsigned *x) {
  block->fill = (unsigned char)next(x);
  memset(block->at, block->fill, block->bytes);
  if (malloc_usable_size(block->at) < block->bytes)
    fail("malloc_usable_size() is too small");
}

__attribute__((noinline)) static void *allocate_plain(size_t bytes) {
  void *at = malloc(bytes);
  __asm__ volatile("" ::"r"(at));
  return at;
}

/* The site that may be chosen. */
__attribute__((noinline)) void *allocate_chosen(size_t bytes, unsigned how,
                                                unsigned lg);
void *allocate_chosen(size_t bytes, unsigned how, unsigned lg) {
  void *at = NULL;
  size_t alignment = (size_t)16 << lg % 10;
  if (how == 0) {
    at = malloc(bytes);
  } else if (how == 1) {
    at = calloc(bytes / 8 + 1, 8);
    for (size_t i = 0; at && i<bytes; i += bytes> 4096 ? 509 : 1)
      if (((unsigned char *)at)[i]) fail("calloc() is not zero");
  } else if (how == 2) {
    if (posix_memalign(&at, alignment, bytes + 1)) at = NULL;
  } else if (how == 3) {
    at = memalign(alignment, bytes + 1);
  } else {
    at = realloc(NULL, bytes);
  }
  if (how == 2 || how == 3)
    if ((uintptr_t)at % alignment) fail("a block is not aligned");
  __asm__ volatile("" ::"r"(at));
  return at;
}

static void renew(struct block *block, unsigned *x) {
  free(block->at);
  block->bytes = random_size(x);
  block->at = next(x) % 2 ? allocate_plain(block->bytes)
                          : allocate_chosen(block->bytes, next(x) % 5, next(x));
  if (!block->at) fail("there is no memory");
  fill(block, x);
}

static void resize(struct block *block, unsigned *x) {
  size_t bytes = random_size(x) + 1;
  unsigned char *at = realloc(block->at, bytes);
  if (!at) fail("realloc() has no memory");
  block->at = at;
  if (block->bytes > bytes) block->bytes = bytes;
  check(block);
  block->bytes = bytes;
  fill(block, x);
}

static void step(struct block *block, unsigned *x) {
  if (block->at) check(block);
  errno = EDOM;
  unsigned what = next(x) % 4;
  if (!block->at || what < 2)
    renew(block, x);
  else if (what == 2)
    resize(block, x);
  else
    free(block->at), block->at = NULL, block->bytes = 0;
  if (errno != EDOM) fail("errno was changed");
}

/* Give one away and take another. */
static void swap(struct block *block, unsigned *x) {
  struct block *other = &shared[next(x) % SLOTS], kept;
  pthread_mutex_lock(&lock);
  kept = *other;
  *other = *block;
  *block = kept;
  pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
  unsigned x = seed * 7919u + (unsigned)(uintptr_t)argument * 104729u;
  struct block own[SLOTS] = {0};
  for (unsigned long i = 0; i < steps; i++) {
    struct block *block = &own[next(&x) % SLOTS];
    step(block, &x);
    if (next(&x) % 8 == 0) swap(block, &x);
  }
  for (int i = 0; i < SLOTS; i++) {
    if (own[i].at) check(&own[i]);
    free(own[i].at);
  }
  return NULL;
}

static void fork_and_work(void) {
  pid_t child = fork();
  if (!child) {
    unsigned x = seed + 5;
    alarm(60); /* nobody else ends it if a lock is left taken */
    struct block own[8] = {0};
    for (int i = 0; i < 200; i++) step(&own[next(&x) % 8], &x);
    _exit(0);
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child || status)
    fail("a forked child failed");
}

int main(int argc, char **argv) {
  pthread_t threads[THREADS];
  seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 20000;
  for (uintptr_t i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, (void *)i)) fail("no thread");
  for (int i = argc > 3 ? atoi(argv[3]) : 5; i > 0; i--) fork_and_work();
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  fork_and_work();
  for (int i = 0; i < SLOTS; i++) {
    if (shared[i].at) check(&shared[i]);
    free(shared[i].at);
  }
  puts("good");
  return 0;
}
