/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_malloc SEED STEPS: a program with a malloc() of its own, which maps as
 * jemalloc does.  Threads map memory and unmap all or a part of it at random,
 * some of which was locked, guarded or kept from children, and a child goes on
 * with what there is; what is new is zero and can be written, and the rest is
 * as it was written.  Exits with 0 if all was as it should. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, SLOTS = 4, PAGE = 4096, MOST = 1300 /* pages */ };

extern void *__libc_malloc(size_t bytes);
void *malloc(size_t bytes) { return __libc_malloc(bytes); }

struct slot {
  unsigned char *at; /* NULL: free */
  size_t pages;
  unsigned char fill;
};
struct worker {
  unsigned seed;
  struct slot slot[SLOTS];
};
static unsigned long steps;

static void fail(const char *what) {
  dprintf(2, "own_malloc: %s\n", what);
  _exit(1);
}

/* The ends of each page. */
static void visit(struct slot *slot, unsigned char expected, int write) {
  for (size_t i = 0; i < slot->pages; i++)
    for (int end = 0; end < 2; end++) {
      unsigned char *byte = slot->at + i * PAGE + (end ? PAGE - 1 : 0);
      if (*byte != expected) fail(write ? "it is not zero" : "it changed");
      if (write) *byte = slot->fill;
    }
}

static void map(struct slot *slot, unsigned *seed) {
  slot->pages = (size_t)(512 + rand_r(seed) % (MOST - 512));
  slot->fill = (unsigned char)(1 + rand_r(seed) % 255);
  slot->at = mmap(NULL, slot->pages * PAGE, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (slot->at == MAP_FAILED) fail("mmap() fails");
  visit(slot, 0, 1);
}

/* All, what comes first, or what comes last. */
static void unmap(struct slot *slot, unsigned *seed) {
  size_t pages = slot->pages, which = (size_t)rand_r(seed) % 3;
  if (which) pages = 1 + (size_t)rand_r(seed) % pages;
  unsigned char *from =
      slot->at + (which == 2 ? slot->pages - pages : 0) * PAGE;
  visit(slot, slot->fill, 0);
  switch (rand_r(seed) % 4) {
    case 0:
      mprotect(from + (pages - 1) * PAGE, PAGE, PROT_NONE);
      break;
    case 1:
      mlock(from, PAGE);
      break;
    case 2:
      madvise(from, PAGE, MADV_DONTFORK);
      break;
  }
  if (munmap(from, pages * PAGE)) fail("munmap() fails");
  if (which == 1) slot->at += pages * PAGE;
  slot->pages -= pages;
  if (!slot->pages) slot->at = NULL;
}

static void *work(void *argument) {
  struct worker *own = argument;
  for (unsigned long i = 0; i < steps; i++) {
    struct slot *slot = &own->slot[rand_r(&own->seed) % SLOTS];
    if (slot->at)
      unmap(slot, &own->seed);
    else
      map(slot, &own->seed);
  }
  for (int i = 0; i < SLOTS; i++)
    if (own->slot[i].at) visit(&own->slot[i], own->slot[i].fill, 0);
  return NULL;
}

/* Two at a time, the older one goes. */
static void in_turn(unsigned *seed) {
  struct slot slot[2] = {{0}};
  map(&slot[0], seed);
  for (int i = 1; i < 600; i++) {
    map(&slot[i % 2], seed);
    if (munmap(slot[(i + 1) % 2].at, slot[(i + 1) % 2].pages * PAGE))
      fail("munmap() fails");
  }
}

static void work_all(struct worker *worker) {
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, work, &worker[i])) fail("no thread");
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
}

int main(int argc, char **argv) {
  static struct worker worker[THREADS];
  int status;
  const struct rlimit addresses = {1500 << 20, 1500 << 20};
  if (argc != 3 || setrlimit(RLIMIT_AS, &addresses)) return 2;
  for (int i = 0; i < THREADS; i++)
    worker[i].seed = (unsigned)strtoul(argv[1], NULL, 10) * THREADS + i;
  steps = strtoul(argv[2], NULL, 10);
  in_turn(&worker[0].seed);
  work(&worker[0]); /* alone: what is given back is mapped next */
  work_all(worker);
  pid_t child = fork();
  work_all(worker);
  if (!child) _exit(0);
  if (child < 0 || waitpid(child, &status, 0) < 0 || status)
    fail("the child failed");
  return 0;
}
