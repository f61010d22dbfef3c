/* SPDX-License-Identifier: GPL-3.0-or-later */
/* has_reason MODE [collapse]: be a process whose memory is on base pages for
 * one reason of vat pages, print "START BYTES" of that memory, and wait for
 * standard input to end.  Mode "advised" has none: its memory is on huge pages.
 * With "collapse" it is collapsed at last.  Exits with 77 and says why where
 * this machine cannot have such memory. */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

#define MIB ((size_t)1 << 20)
#define HUGE (2 * MIB)
#define BYTES (8 * MIB)

static _Noreturn void cannot(const char *what) {
  printf("%s: %s\n", what, strerror(errno));
  exit(77);
}

static char *need(void *memory, const char *what) {
  if (memory == MAP_FAILED) cannot(what);
  return memory;
}

/* BYTES of what mmap(2) maps, at a multiple of a huge page, with nothing that
 * it could merge with around it. */
static char *map(int flags, int file) {
  size_t room = BYTES + 2 * HUGE;
  char *at = need(
      mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), "mmap");
  at += HUGE - (uintptr_t)at % HUGE;
  return need(
      mmap(at, BYTES, PROT_READ | PROT_WRITE, flags | MAP_FIXED, file, 0),
      "mmap");
}

static char *map_private(void) { return map(MAP_PRIVATE | MAP_ANONYMOUS, -1); }

static char *touch(char *at, size_t bytes, size_t step) {
  for (size_t i = 0; i < bytes; i += step) *(volatile char *)(at + i) = 1;
  return at;
}

static char *touch_all(char *at) { return touch(at, BYTES, 4096); }

static char *advise(char *at, int advice) {
  if (madvise(at, BYTES, advice)) cannot("madvise");
  return at;
}

static char *advised(void) {
  return touch_all(advise(map_private(), MADV_HUGEPAGE));
}

static char *not_advised(void) { return touch_all(map_private()); }

static char *advised_not(void) {
  return touch_all(advise(map_private(), MADV_NOHUGEPAGE));
}

static char *disabled(void) {
  if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)) cannot("prctl");
  return advised();
}

static char *early(void) { return advise(not_advised(), MADV_HUGEPAGE); }

static size_t shown = BYTES;

static char *too_small(void) {
  char *at = advise(map_private(), MADV_HUGEPAGE);
  shown = MIB;
  mprotect(at + MIB, BYTES - MIB, PROT_NONE);
  return touch(at, MIB, 4096);
}

/* 3 MiB with a multiple of 2 MiB in the middle. */
static char *unaligned(void) {
  char *at = advise(map_private(), MADV_HUGEPAGE) + HUGE / 4;
  shown = 3 * MIB;
  mprotect(at - HUGE / 4, HUGE / 4, PROT_NONE);
  mprotect(at + shown, 2 * MIB, PROT_NONE);
  return touch(at, shown, 4096);
}

static char *partly(void) {
  return advise(touch(map_private(), BYTES, 8 * 4096), MADV_HUGEPAGE);
}

static char *freed(void) {
  char *at = advised();
  for (size_t i = 0; i < BYTES; i += HUGE) madvise(at + i, 4096, MADV_DONTNEED);
  return at;
}

/* The child goes on as this process does, until its input ends. */
static char *forked(void) {
  char *at = early();
  fflush(stdout);
  if (fork() == 0) {
    while (getchar() != EOF) continue;
    _exit(0);
  }
  return at;
}

static int temporary(const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/has_reason-XXXXXX", folder);
  int file = mkstemp(path);
  if (file < 0 || unlink(path) || ftruncate(file, BYTES)) cannot(path);
  return file;
}

static int on_disk(void) {
  const char *folder = getenv("TMPDIR");
  int file = temporary(folder ? folder : "/tmp");
  static char zeros[MIB];
  for (size_t i = 0; i < BYTES; i += MIB)
    if (write(file, zeros, MIB) < 0) cannot("write");
  return file;
}

static char *file(void) { return touch_all(map(MAP_SHARED, on_disk())); }
static char *copied(void) { return touch_all(map(MAP_PRIVATE, on_disk())); }

static char *shm(void) {
  return touch_all(map(MAP_SHARED, temporary("/dev/shm")));
}

static char *shared(void) {
  return touch_all(map(MAP_SHARED | MAP_ANONYMOUS, -1));
}

static char *shared_advised(void) {
  return touch_all(advise(map(MAP_SHARED | MAP_ANONYMOUS, -1), MADV_HUGEPAGE));
}

static char *memfd(void) {
  int file = memfd_create("has_reason", 0);
  if (file < 0 || ftruncate(file, BYTES)) cannot("memfd_create");
  return touch_all(map(MAP_SHARED, file));
}

static char *sysv(void) {
  int id = shmget(IPC_PRIVATE, BYTES, IPC_CREAT | 0600);
  if (id < 0) cannot("shmget");
  char *at = shmat(id, map_private(), SHM_REMAP);
  shmctl(id, IPC_RMID, NULL);
  return touch_all(need(at, "shmat"));
}

static char *locked(void) {
  if (mlockall(MCL_FUTURE)) cannot("mlockall");
  return advise(map_private(), MADV_HUGEPAGE);
}

/* Is the page there, by pagemap? */
static bool is_present(const char *at) {
  uint64_t entry = 0;
  int map = open("/proc/self/pagemap", O_RDONLY);
  off_t place = (off_t)((uintptr_t)at / 4096 * sizeof entry);
  if (map < 0 || pread(map, &entry, sizeof entry, place) < 0) cannot("pagemap");
  close(map);
  return entry >> 63;
}

static char *swapped(void) {
  char *at = early();
  advise(at, MADV_PAGEOUT);
  for (size_t i = 0; i < BYTES; i += HUGE) {
    if (is_present(at + i)) {
      errno = ENOSPC;
      cannot("swap");
    }
    touch(at + i + HUGE / 2, HUGE / 2, 4096);
  }
  return at;
}

static char *faults(void) {
  struct uffdio_api api = {.api = UFFD_API};
  int handler = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
  if (handler < 0 || ioctl(handler, UFFDIO_API, &api)) cannot("userfaultfd");
  char *at = early();
  struct uffdio_register all = {.range = {(uintptr_t)at, BYTES},
                                .mode = UFFDIO_REGISTER_MODE_MISSING};
  if (ioctl(handler, UFFDIO_REGISTER, &all)) cannot("UFFDIO_REGISTER");
  return at;
}

/* malloc is told to take hugetlb pages, and there are none. */
static char *pool(void) {
  static const char name[] = "GLIBC_TUNABLES",
                    value[] = "glibc.malloc.hugetlb=2";
  const char *is = getenv(name);
  if (!is || strcmp(is, value)) {
    setenv(name, value, 1);
    execl("/proc/self/exe", "has_reason", "pool", (char *)NULL);
    cannot("exec");
  }
  char *at = malloc(BYTES + HUGE);
  if (!at) cannot("malloc");
  at += HUGE - (uintptr_t)at % HUGE;
  return touch_all(at);
}

/* It grows to 6 MiB, and stays as it is.  Where its end is. */
static __attribute__((noinline)) uintptr_t grow_stack(size_t deep) {
  volatile char frame[64 << 10];
  for (size_t i = 0; i < sizeof frame; i += 4096) frame[i] = 1;
  uintptr_t end = deep ? grow_stack(deep - sizeof frame) : (uintptr_t)frame;
  return frame[0] ? end : 0;
}

static char *stack(void) {
  shown = 6 * MIB;
  uintptr_t end = grow_stack(shown);
  return (char *)(end + 4096 - end % 4096);
}

static char *vdso(void) {
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  unsigned long start, end;
  if (!maps) cannot("/proc/self/maps");
  while (fgets(line, sizeof line, maps)) {
    if (!strstr(line, "[vdso]")) continue;
    sscanf(line, "%lx-%lx", &start, &end);
    fclose(maps);
    shown = end - start;
    char *at = (char *)start;
    return *(volatile char *)at ? at : NULL;
  }
  errno = ENOENT;
  cannot("[vdso]");
}

static char *thread_stack(void) {
  return touch_all(map(MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1));
}

/* A file of tmpfs, in TMPDIR. */
static char *tmpfs(void) {
  const char *folder = getenv("TMPDIR");
  return touch_all(map(MAP_SHARED, temporary(folder ? folder : "/tmp")));
}

static void collapse(char *at) {
  uintptr_t start = ((uintptr_t)at + HUGE - 1) / HUGE * HUGE;
  uintptr_t end = ((uintptr_t)at + shown) / HUGE * HUGE;
  if (madvise((void *)start, end - start, MADV_COLLAPSE))
    cannot("MADV_COLLAPSE");
}

static const struct {
  const char *name;
  char *(*make)(void);
} modes[] = {{"advised", advised},
             {"not-advised", not_advised},
             {"advised-not", advised_not},
             {"disabled", disabled},
             {"early", early},
             {"too-small", too_small},
             {"unaligned", unaligned},
             {"partly", partly},
             {"freed", freed},
             {"forked", forked},
             {"file", file},
             {"copied", copied},
             {"shm", shm},
             {"tmpfs", tmpfs},
             {"shared", shared},
             {"shared-advised", shared_advised},
             {"memfd", memfd},
             {"sysv", sysv},
             {"locked", locked},
             {"swapped", swapped},
             {"faults", faults},
             {"pool", pool},
             {"stack", stack},
             {"thread-stack", thread_stack},
             {"vdso", vdso}};

int main(int argc, char **argv) {
  for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++) {
    if (strcmp(argv[1], modes[i].name)) continue;
    char *at = modes[i].make();
    if (argc > 2) collapse(at);
    printf("%zu %zu\n", (size_t)at, shown);
    fflush(stdout);
    while (getchar() != EOF) continue;
    wait(NULL);
    return 0;
  }
  fprintf(stderr, "usage: has_reason MODE [collapse]\n");
  return 2;
}
