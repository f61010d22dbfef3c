/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small programs for `vat profile`, each by its name. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 2000, MIB = 1 << 20 };

static uint64_t state = 7, sum;

static uint64_t next(uint64_t below) {
  state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (state >> 33) % below;
}

static __attribute__((noinline)) unsigned char *make(size_t bytes) {
  unsigned char *memory = malloc(bytes);
  if (!memory) abort();
  return memory;
}

static void nothing(void) {}

static __attribute__((noinline)) void scan(void) {
  unsigned char *a = make(MIB);
  for (size_t i = 0; i < MIB; i += 64) a[i] = (unsigned char)i;
  for (size_t i = 0; i < MIB; i += 8) sum += a[i];
}

static void stride(void) {
  unsigned char *a = make(PAGES * PAGE);
  for (int round = 0; round < 5; round++)
    for (size_t i = 0; i < PAGES; i++) a[i * PAGE]++;
  sum += a[next(PAGES) * PAGE]; /* or the compiler does without all that */
}

static void at_random(void) {
  unsigned char *a = make(PAGES * PAGE);
  for (int i = 0; i < 20000; i++) a[next(PAGES * PAGE)]++;
  sum += a[next(PAGES * PAGE)];
  free(a);
}

/* A tenth of a second of computing beside it: time that can be measured. */
static void compute(void) {
  uint64_t x = 1;
  for (int i = 0; i < 50000000; i++) x = x * 6364136223846793005u + x / 2 + 1;
  sum += x;
  at_random();
}

static int compare(const void *a, const void *b) {
  return memcmp(a, b, sizeof(uint64_t));
}

static void sort(void) {
  uint64_t *a = (uint64_t *)make(20000 * sizeof *a);
  for (int i = 0; i < 20000; i++) a[i] = next(UINT32_MAX);
  qsort(a, 20000, sizeof *a, compare);
  sum += a[7];
}

struct link {
  struct link *next;
  char rest[2000];
};

static void list(void) {
  struct link *first = NULL;
  for (int i = 0; i < 4000; i++) {
    struct link *link = (struct link *)make(sizeof *link);
    link->next = first;
    first = link;
  }
  for (int round = 0; round < 3; round++)
    for (struct link *link = first; link; link = link->next)
      sum += (uintptr_t)link;
}

static void matrix(void) {
  enum { N = 700 };
  uint32_t(*a)[N] = (uint32_t(*)[N])make(N * sizeof *a);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[j][i] = (uint32_t)(i ^ j);
  sum += a[3][5];
}

/* Nodes of a page each, in random order: what is read first of one is not what
 * leads to the next, which is on the same page, and so no miss. */
struct node {
  uint64_t key;
  struct node *next;
  char rest[PAGE - 16];
};

static void linked(void) {
  struct node *node = (struct node *)make(PAGES * PAGE);
  for (size_t i = 0; i < PAGES; i++) node[i].next = &node[i];
  for (size_t i = PAGES - 1; i > 0; i--) { /* Sattolo: one cycle */
    struct node *other = &node[next((unsigned)i)], *kept = other->next;
    other->next = node[i].next;
    node[i].next = kept;
  }
  const struct node *at = node;
  for (int i = 0; i < 20000; i++) {
    sum += at->key;
    at = at->next;
  }
}

static void copy(void) {
  char *a = (char *)make(3 * MIB);
  memset(a, 1, 3 * MIB);
  for (int i = 0; i < 30; i++) memmove(a + i * 5000, a + MIB + i * 3001, 20000);
  sum += (uint64_t)a[MIB];
}

/* Not inlined, and no loop either. */
static uint64_t __attribute__((noinline)) deep(unsigned depth) {
  volatile char frame[100];
  frame[depth % 100] = 1;
  return depth ? deep(depth - 1) + (uint64_t)frame[depth % 100] : 0;
}

static void recursion(void) { sum += deep(5000) + deep(300); }

static jmp_buf back;
static volatile unsigned bottom;

static void __attribute__((noinline)) leap(unsigned depth) {
  volatile char frame[PAGE];
  frame[0] = 1;
  if (depth == bottom) longjmp(back, 1);
  if (depth) leap(depth - 1);
  sum += (uint64_t)frame[0];
}

static void jump(void) {
  for (volatile int i = 0; i < 50; i++)
    if (!setjmp(back)) leap(10);
}

static void map(void) {
  for (int i = 0; i < 5; i++) {
    char *a = mmap(NULL, 3 * MIB, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t at = 0; at < 3 * MIB; at += PAGE) a[at] = 1;
    a = mremap(a, 3 * MIB, 9 * MIB, MREMAP_MAYMOVE);
    for (size_t at = 0; at < 9 * MIB; at += 3 * PAGE) a[at]++;
    munmap(a, 9 * MIB);
  }
}

/* As where a C++ compiler inlines what a container's header defines. */
#line 7 "/usr/include/c++/99/container.h"
static inline __attribute__((always_inline)) unsigned char *container(
    size_t bytes) {
  unsigned char *memory = malloc(bytes);
  if (!memory) abort();
  return memory;
}
#line 149 "profiled.c"

static void containers(void) {
  unsigned char *few = container(MIB);
  unsigned char *many = container(2 * MIB);
  for (int i = 0; i < 10000; i++) few[next(MIB)]++, many[next(2 * MIB)]++;
  sum += few[next(MIB)] + many[next(2 * MIB)];
}

static void heap(void) {
  void *blocks[1000] = {0};
  for (int i = 0; i < 20000; i++) {
    size_t at = next(1000);
    blocks[at] = realloc(blocks[at], 1 + next(3000));
    memset(blocks[at], 0, 1);
    if (next(3)) continue;
    free(blocks[at]);
    blocks[at] = calloc(1, next(200));
  }
}

/* Far apart, so that nodes of all layers are missed. */
static void wide(void) {
  size_t bytes = (size_t)64 << 30;
  char *a = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (a == MAP_FAILED) return;
  for (int i = 0; i < 3000; i++) sum += (uint64_t)a[next(64) << 30 | next(9)];
  for (int i = 0; i < 900; i++) sum += (uint64_t)a[next(bytes)];
}

/* An allocator of its own, on memory that it reserves. */
enum { POOL = 64 * MIB, POOL_PART = MIB };
static unsigned char *pool;
static size_t pool_used, pool_open;

static __attribute__((noinline)) void pool_grow(void) {
  if (!pool)
    pool = mmap(NULL, POOL, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pool == MAP_FAILED || pool_open == POOL ||
      mprotect(pool + pool_open, POOL_PART, PROT_READ | PROT_WRITE))
    abort();
  pool_open += POOL_PART;
}

__attribute__((noinline)) void *pool_get(size_t bytes);
void *pool_get(size_t bytes) {
  if (pool_used + bytes > pool_open) pool_grow();
  pool_used += bytes;
  return pool + pool_used - bytes;
}

static void in_pool(void) {
  struct link *first = NULL;
  for (int i = 0; i < 4000; i++) {
    struct link *link = pool_get(sizeof *link);
    link->next = first;
    first = link;
  }
  for (int round = 0; round < 3; round++)
    for (struct link *link = first; link; link = link->next)
      sum += (uintptr_t)link;
}

/* What one had, and missed, another gets, who hardly uses it. */
static __attribute__((noinline)) unsigned char *make_again(size_t bytes) {
  unsigned char *memory = realloc(NULL, bytes);
  if (!memory) abort();
  return memory;
}

static void handed_on(void) {
  enum { BLOCK = 16 * PAGE };
  volatile unsigned char *a = make(BLOCK);
  for (size_t at = 0; at < BLOCK; at += PAGE) a[at] = 1;
  free((void *)a);
  a = make_again(BLOCK);
  *a = 1;
}

/* Three accesses of one block for each of another: 1.8 million, .6 million. */
static void unequal(void) {
  volatile unsigned char *often = make(100), *seldom = calloc(10, 100);
  for (int i = 0; i < 300000; i++) {
    for (int j = 0; j < 3; j++) often[(i + j) % 100]++;
    seldom[i % 1000]++;
  }
}

static void *work(void *arg) {
  unsigned char *a = make(MIB);
  for (size_t i = 0; i < MIB; i += 512) a[i] = (unsigned char)(uintptr_t)arg;
  for (size_t i = 0; i < MIB; i += 512)
    __atomic_fetch_add(&sum, a[i], __ATOMIC_SEQ_CST);
  return NULL;
}

static void threads(void) {
  pthread_t thread[4];
  for (uintptr_t i = 0; i < 4; i++)
    if (pthread_create(&thread[i], NULL, work, (void *)i)) abort();
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
}

/* Four at once, each in pages of its own that a TC of 1536 nodes holds; there
 * are some turns in Valgrind. */
enum { OWN_PAGES = 1000, ROUNDS = 500 };
static pthread_barrier_t together;

static void *go_round(void *arg) {
  volatile unsigned char *a = arg;
  pthread_barrier_wait(&together);
  for (int round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < OWN_PAGES; i++) a[i * PAGE] = 1;
  pthread_barrier_wait(&together);
  return NULL;
}

static void processors(void) {
  pthread_t thread[4];
  pthread_barrier_init(&together, NULL, 4);
  for (int i = 0; i < 4; i++)
    if (pthread_create(&thread[i], NULL, go_round, make(OWN_PAGES * PAGE)))
      abort();
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
}

static void fork_two(void) {
  at_random();
  for (int i = 0; i < 2; i++) {
    pid_t child = fork();
    if (child) continue;
    stride();
    exit(0);
  }
  while (wait(NULL) > 0) continue;
}

/* What both have, who writes to first copies: 300 pages of the child, which
 * executes another program then, and 200 of the parent; not what is only read.
 */
static __attribute__((noinline)) unsigned char *make_copied(size_t bytes) {
  unsigned char *memory = malloc(bytes);
  if (!memory) abort();
  for (size_t at = 0; at < bytes; at += PAGE) memory[at] = 1;
  return memory;
}

static void copied(void) {
  enum { BLOCK = 1000 * PAGE };
  volatile unsigned char *a = make_copied(BLOCK);
  pid_t child = fork();
  if (!child) {
    for (size_t at = 0; at < 800 * PAGE; at += PAGE)
      if (at < 300 * PAGE)
        a[at] = 2;
      else if (a[at] != 1)
        _exit(1);
    execl("/no/such/program", "none", NULL);
    execl("/bin/true", "true", NULL);
    _exit(1);
  }
  while (wait(NULL) > 0) continue;
  for (size_t at = 0; at < 500 * PAGE; at += PAGE) sum += a[at];
  for (size_t at = 0; at < 200 * PAGE; at += PAGE) a[at] = 3;
}

static void not_copied(void) {
  volatile unsigned char *a = make_copied(1000 * PAGE);
  pid_t child = vfork();
  if (!child) {
    execl("/bin/true", "true", NULL);
    _exit(1);
  }
  while (wait(NULL) > 0) continue;
  for (size_t at = 0; at < 1000 * PAGE; at += PAGE) a[at] = 3;
}

static void on_signal(int number) { sum += (uint64_t)number; }

static void signals(void) {
  signal(SIGUSR1, on_signal);
  for (int i = 0; i < 100; i++) raise(SIGUSR1);
}

static void crash(void) {
  scan();
  raise(SIGSEGV);
}

static void status_3(void) {
  scan();
  exit(3);
}

/* Goes on until it is interrupted, but not forever. */
static void forever(void) {
  puts("here");
  fflush(stdout);
  alarm(120);
  for (;;) at_random();
}

/* Addresses are computed from registers alone, so that a loop that is unrolled
 * knows those of all its turns when the first begins. */
static void gather(void) {
  enum { LG = 20 };
  uint64_t *a = (uint64_t *)make(sizeof *a << LG), x = 1;
  for (int i = 0; i < 20000; i++) {
    x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
    a[x >> (64 - LG)] += x;
    a[i] = x;
  }
  sum += a[x >> (64 - LG)];
  free(a);
}

static void histogram(void) {
  uint32_t *bins = (uint32_t *)make(PAGES * PAGE);
  for (int i = 0; i < 9000; i++) bins[next(PAGES * PAGE / 4)]++;
  sum += bins[next(PAGES * PAGE / 4)];
}

/* On either side of where a page ends, and elsewhere in between: who is the
 * most recent of three that are accessed in one go. */
static void border(void) {
  unsigned char *a = make((PAGES + 1) * PAGE);
  a += -(uintptr_t)a % PAGE;
  for (int i = 0; i < 30000; i++) {
    volatile unsigned char *end = a + (1 + next(PAGES - 2)) * PAGE;
    volatile unsigned char *other = a + next(PAGES) * PAGE + PAGE / 2;
    unsigned char below = end[-8], between = *other, above = end[8];
    end[-16] = (unsigned char)(below + between);
    *other = above;
    end[0] = 1;
    sum += end[16];
  }
}

static void text(void) {
  char *a = (char *)make(200000);
  for (int i = 0; i < 8000; i++) sprintf(a + 20 * i, "%d,", i);
  for (int i = 0; i < 8000; i++) sum += strlen(a + 20 * i);
}

/* Its parent traces it from now on, and stops it at the next signal. */
static void traced(void) {
  sum += (uint64_t)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  signal(SIGUSR1, SIG_IGN);
  raise(SIGUSR1);
  scan();
}

/* The way of a daemon: what was started ends, and a child goes on. */
static void leave_child(void) {
  if (!fork()) sleep(4);
}

static const struct {
  const char *name;
  void (*run)(void);
} programs[] = {
    {"nothing", nothing},
    {"scan", scan},
    {"stride", stride},
    {"random", at_random},
    {"compute", compute},
    {"sort", sort},
    {"list", list},
    {"linked", linked},
    {"matrix", matrix},
    {"copy", copy},
    {"recursion", recursion},
    {"containers", containers},
    {"jump", jump},
    {"leave_child", leave_child},
    {"map", map},
    {"heap", heap},
    {"wide", wide},
    {"threads", threads},
    {"fork", fork_two},
    {"copied", copied},
    {"not_copied", not_copied},
    {"signals", signals},
    {"crash", crash},
    {"status_3", status_3},
    {"forever", forever},
    {"text", text},
    {"gather", gather},
    {"histogram", histogram},
    {"processors", processors},
    {"pool", in_pool},
    {"unequal", unequal},
    {"border", border},
    {"handed_on", handed_on},
    {"traced", traced},
};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    if (argc != 2 || strcmp(argv[1], programs[i].name)) continue;
    programs[i].run();
    printf("sum %llu\n", (unsigned long long)sum);
    return 0;
  }
  return 2;
}
