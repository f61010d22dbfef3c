/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared memory of each kind, and private memory beside it.
 *
 *   shared BYTES [KIND...]
 *
 * Of each KIND, by default of all: map it, touch all of it a page at a time and
 * at random, have a forked child touch it, and print "KIND HUGE THERE": of its
 * kB, those on huge pages and those that are resident, by the smaps of the
 * process; of the child with a '+'.  "sparse", which is to be asked for, is
 * touched at its end only. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own_smaps.h"

enum { RIGHTS = PROT_READ | PROT_WRITE, PAGE = 4096 };

static __attribute__((noinline)) void *map_anonymous(size_t bytes) {
  return mmap(NULL, bytes, RIGHTS, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void *map_file(int fd, size_t bytes, off_t offset) {
  if (fd < 0 || ftruncate(fd, offset + (off_t)bytes)) return MAP_FAILED;
  return mmap(NULL, bytes, RIGHTS, MAP_SHARED, fd, offset);
}

/* Not from the beginning: addresses are to be like offsets. */
static __attribute__((noinline)) void *map_memfd(size_t bytes) {
  int fd = memfd_create("table", MFD_CLOEXEC);
  void *memory = map_file(fd, bytes, 3 * PAGE);
  close(fd);
  return memory;
}

static __attribute__((noinline)) void *map_posix(size_t bytes) {
  char name[40];
  snprintf(name, sizeof name, "/vat-test-%d", (int)getpid());
  int fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  shm_unlink(name);
  void *memory = map_file(fd, bytes, 0);
  close(fd);
  return memory;
}

static __attribute__((noinline)) void *map_sysv(size_t bytes) {
  int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
  void *memory = shmat(id, NULL, 0);
  shmctl(id, IPC_RMID, NULL);
  return memory;
}

static __attribute__((noinline)) void *map_private(size_t bytes) {
  return mmap(NULL, bytes, RIGHTS, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static const struct {
  const char *name;
  void *(*map)(size_t bytes);
} kinds[] = {{"anonymous", map_anonymous}, {"memfd", map_memfd},
             {"posix", map_posix},         {"sysv", map_sysv},
             {"private", map_private},     {"sparse", map_anonymous}};
enum { KINDS = sizeof kinds / sizeof *kinds, SPARSE = KINDS - 1 };

static void touch(int kind, volatile unsigned char *memory, size_t bytes) {
  if (kind == SPARSE) {
    memory[bytes - 1]++;
    return;
  }
  for (size_t at = 0; at < bytes; at += PAGE) memory[at]++;
  uint64_t x = 1;
  for (int i = 0; i < 30000; i++) {
    x = x * 6364136223846793005 + 1442695040888963407;
    memory[(x >> 33) % bytes]++;
  }
}

static void tell(const char *name, const char *mark, const void *memory,
                 size_t bytes) {
  struct own_memory own = own_memory(memory, bytes);
  printf("%s%s %zu %zu\n", name, mark, own.huge_kib, own.resident_kib);
  fflush(stdout);
}

int main(int argc, char **argv) {
  void *memory[KINDS];
  size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 0) : 8 << 20;
  for (int i = 0; i < KINDS; i++) {
    int wanted = argc < 3 && i != SPARSE;
    for (int j = 2; j < argc; j++) wanted |= !strcmp(argv[j], kinds[i].name);
    memory[i] = wanted ? kinds[i].map(bytes) : NULL;
    if (memory[i] == MAP_FAILED) return 2;
    if (memory[i]) touch(i, memory[i], bytes);
  }
  for (int child = 0; child < 2; child++) {
    if (child && fork()) break;
    for (int i = 0; i < KINDS; i++) {
      if (!memory[i]) continue;
      if (child) touch(i, memory[i], bytes);
      tell(kinds[i].name, child ? "+" : "", memory[i], bytes);
    }
  }
  while (wait(NULL) > 0) continue;
  return 0;
}
