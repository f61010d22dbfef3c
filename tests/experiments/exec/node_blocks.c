/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of 400 bytes to 5 KiB of one site, make().
 *
 *   node_blocks sets     are their begins in most of the sets of 64 lines?
 *   node_blocks back     64 MiB of them are freed, three times: what is left?
 *   node_blocks few      do few take as much as a huge page, and many one?
 *   node_blocks threads  eight threads make, resize and free each other's, and
 *                        fork meanwhile
 *
 * Prints "good", or what is wrong. */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own_smaps.h"

static void fail(const char *what) {
  puts(what);
  exit(1);
}

__attribute__((noinline)) void *make(size_t bytes, int zeroed);
void *make(size_t bytes, int zeroed) {
  void *volatile block = zeroed ? calloc(1, bytes) : malloc(bytes);
  if (!block) fail("there is no memory");
  return block;
}

static void sets(void) {
  static const size_t sizes[] = {449, 512, 640, 1000, 1024, 2048, 3000, 4096};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint64_t seen = 0;
    for (int k = 0; k < 2000; k++)
      seen |= UINT64_C(1) << ((uintptr_t)make(sizes[i], 0) / 64 % 64);
    if (__builtin_popcountll(seen) < 48)
      fail("blocks of a size share few sets");
  }
}

static void back(void) {
  enum { COUNT = 64 << 10, EACH = 1000 };
  static char *block[COUNT];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < COUNT; i++) {
      block[i] = make(EACH, i % 2);
      for (int k = 0; i % 2 && k < EACH; k++)
        if (block[i][k]) fail("calloc() is not zero");
      memset(block[i], i, EACH);
    }
    for (int i = 0; i < COUNT; i++)
      if (block[i][0] != (char)i || block[i][EACH - 1] != (char)i)
        fail("a block has other contents");
    for (int i = 0; i < COUNT; i++)
      free(block[round == 1 ? COUNT - 1 - i : (i * 5 + 1) % COUNT]);
    if (own_memory(NULL, SIZE_MAX).resident_kib > 16 << 10)
      fail("what was freed is still there");
  }
}

static void few(void) {
  char *first = NULL;
  for (int i = 0; i < 1500; i++) {
    char *block = make(1000, 0);
    memset(block, 1, 1000);
    if (!first) first = block;
    if (i == 10 && own_memory(first, 1000).resident_kib > 256)
      fail("few blocks take much memory");
  }
  if (own_memory(first, 1000).huge_kib < 2048)
    fail("many blocks are on base pages");
}

enum { THREADS = 8, SLOTS = 200, STEPS = 40000 };
static struct {
  pthread_mutex_t lock;
  unsigned char *at, fill;
  size_t bytes;
} slot[SLOTS];

static void check(const unsigned char *at, size_t bytes, unsigned char fill) {
  for (size_t i = 0; i < bytes; i++)
    if (at[i] != fill) fail("a block has other contents");
}

static void renew(int i, unsigned random) {
  size_t bytes = 400 + random / 8 % 4700;
  check(slot[i].at, slot[i].bytes, slot[i].fill);
  if (slot[i].at && random % 4 == 0) {
    slot[i].at = realloc(slot[i].at, bytes);
    if (!slot[i].at) fail("there is no memory");
    check(slot[i].at, bytes < slot[i].bytes ? bytes : slot[i].bytes,
          slot[i].fill);
  } else {
    free(slot[i].at);
    slot[i].at = make(bytes, random % 4 == 1);
    if (random % 4 == 1) check(slot[i].at, bytes, 0);
  }
  if ((uintptr_t)slot[i].at % 16 || malloc_usable_size(slot[i].at) < bytes)
    fail("a block is not as malloc() has it");
  slot[i].bytes = bytes;
  slot[i].fill = (unsigned char)random;
  memset(slot[i].at, slot[i].fill, bytes);
}

static void *work(void *seed) {
  unsigned random = (unsigned)(uintptr_t)seed;
  for (int step = 0; step < STEPS; step++) {
    random = random * 1664525u + 1013904223u;
    int i = (int)(random >> 20) % SLOTS;
    pthread_mutex_lock(&slot[i].lock);
    renew(i, random >> 4);
    pthread_mutex_unlock(&slot[i].lock);
  }
  return NULL;
}

static void forks(void) {
  for (int i = 0; i < 5; i++) {
    pid_t child = fork();
    if (!child) {
      for (int k = 0; k < 3000; k++) free(make((size_t)(400 + k), 0));
      _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status)
      fail("a child has no memory");
  }
}

static void threads(void) {
  pthread_t thread[THREADS];
  for (int i = 0; i < SLOTS; i++) pthread_mutex_init(&slot[i].lock, NULL);
  for (uintptr_t i = 0; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, work, (void *)(i + 1)))
      fail("no thread");
  forks();
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
}

int main(int words, char **word) {
  if (words != 2) return 2;
  if (!strcmp(word[1], "sets")) sets();
  if (!strcmp(word[1], "back")) back();
  if (!strcmp(word[1], "few")) few();
  if (!strcmp(word[1], "threads")) threads();
  puts("good");
  return 0;
}
