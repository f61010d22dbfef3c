/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glibc's heaps of other threads (malloc/arena.c).
 *
 * glibc asks for no huge pages there: a heap of 64 MiB is addresses only, and
 * becomes memory a page at a time.  So when a thread begins, all of its heap
 * becomes memory here, and is advised.  Its first 2 MiB, which have been
 * written to already, stay on base pages, so a thread that allocates little has
 * no huge page.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/shim.h"

#ifndef MADV_COLD
#define MADV_COLD 20 /* Linux 5.4 */
#endif

#define WEAK __attribute__((weak))
extern WEAK void *__libc_malloc(size_t);
extern WEAK void __libc_free(void *);
extern WEAK void *dlsym(void *, const char *);

/* A heap is aligned to its most bytes, and begins with this; so it has for
 * years, and a heap that looks otherwise stays as it is. */
struct heap {
  uintptr_t arena; /* behind this, in the first heap of a thread */
  struct heap *before;
  size_t bytes, writable;
};
enum { HEAP_MOST = 64 << 20, PAGE = 4096, OTHER_THREADS = 4 };

static bool wanted;

/* Where memory that nobody uses counts as well (vm.overcommit_memory=2). */
static bool counts_all(void) {
  char mode = '2';
  int fd = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return true;
  if (read(fd, &mode, 1) != 1) mode = '2';
  close(fd);
  return mode == '2';
}

/* Another malloc() in a library leaves glibc's heaps empty. */
static bool is_glibcs(void) {
  void *found = dlsym(RTLD_NEXT, "malloc"), *glibcs;
  void *(*own)(size_t) = __libc_malloc;
  memcpy(&glibcs, &own, sizeof glibcs);
  return found == glibcs;
}

void shim_threads_begin(void) {
  struct rlimit limit;
  if (!__libc_malloc || !__libc_free || !dlsym || counts_all() || !is_glibcs())
    return;
  wanted = !getrlimit(RLIMIT_DATA, &limit) && limit.rlim_cur == RLIM_INFINITY;
}

/* Of the thread that asks; NULL: it has the program's first. */
static struct heap *find_heap(void) {
  size_t head; /* before each block: its size, and of which heaps it is */
  char *block = __libc_malloc(1);
  if (!block) return NULL;
  memcpy(&head, block - sizeof head, sizeof head);
  __libc_free(block);
  if (!(head & OTHER_THREADS)) return NULL;
  return (struct heap *)((uintptr_t)block & -(uintptr_t)HEAP_MOST);
}

static bool is_whole(size_t bytes) {
  return bytes && bytes <= HEAP_MOST && bytes % PAGE == 0;
}

static bool looks_as_known(const struct heap *heap) {
  uintptr_t start = (uintptr_t)heap;
  return !heap->before && heap->arena > start && heap->arena < start + PAGE &&
         is_whole(heap->bytes) && is_whole(heap->writable) &&
         heap->bytes <= heap->writable;
}

/* What is locked would have all of its memory at once, and is not MADV_COLD. */
static void open_heap(const struct heap *heap) {
  uintptr_t start = (uintptr_t)heap, end = start + HEAP_MOST;
  uintptr_t from = start + heap->writable;
  if (from < end &&
      (syscall(SYS_madvise, end - PAGE, (size_t)PAGE, MADV_COLD) ||
       syscall(SYS_mprotect, from, end - from, RIGHTS)))
    return;
  shim_advise(start + THP, HEAP_MOST - THP);
}

struct begun {
  void *(*start)(void *);
  void *argument;
};

static void *begin(void *own) {
  struct begun begun = *(struct begun *)own;
  int error = errno;
  const struct heap *heap = shim.sandboxed ? NULL : find_heap();
  __libc_free(own); /* the next block may be this one, of another heap */
  if (heap && looks_as_known(heap)) open_heap(heap);
  errno = error;
  return begun.start(begun.argument);
}

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                   void *);

/* Of the version that glibc has since dlsym() is in the same library (2.34,
 * shim_versions.map); for older programs it is not there. */
SHIM_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *how,
                               void *(*start)(void *), void *argument) {
  static create *next;
  create *real = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (!real) {
    void *found = dlsym ? dlsym(RTLD_NEXT, "pthread_create") : NULL;
    if (!found) return EAGAIN;
    memcpy(&real, &found, sizeof real);
    __atomic_store_n(&next, real, __ATOMIC_RELAXED);
  }
  struct begun *own = wanted ? __libc_malloc(sizeof *own) : NULL;
  if (!own) return real(thread, how, start, argument);
  *own = (struct begun){start, argument};
  int error = real(thread, how, begin, own);
  if (error) __libc_free(own);
  return error;
}
