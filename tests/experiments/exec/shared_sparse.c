/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared memory of which little is touched.
 *
 *   shared_sparse BYTES remap        shmat(id, NULL, SHM_REMAP), an error
 *   shared_sparse BYTES anonymous
 *   shared_sparse BYTES noreserve    with MAP_NORESERVE
 *   shared_sparse BYTES sparse FILE  FILE is made, of BYTES, and mapped
 *   shared_sparse BYTES dense FILE   all of it is written before
 *
 * It is touched at both ends.  Then its resident kB are printed and those on
 * huge pages, by its smaps. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "own_smaps.h"

static int remap(size_t bytes) {
  int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
  int refused = shmat(id, NULL, SHM_REMAP) == (void *)-1 && errno == EINVAL;
  shmctl(id, IPC_RMID, NULL);
  puts(refused ? "EINVAL" : "mapped");
  return 0;
}

static int make_file(const char *path, size_t bytes, int dense) {
  static char part[1 << 16];
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || ftruncate(fd, (off_t)bytes)) return -1;
  memset(part, 1, sizeof part);
  for (size_t at = 0; dense && at < bytes; at += sizeof part)
    if (write(fd, part, sizeof part) != (ssize_t)sizeof part) return -1;
  return fd;
}

int main(int argc, char **argv) {
  int flags = MAP_SHARED, fd = -1;
  if (argc < 3) return 2;
  size_t bytes = strtoul(argv[1], NULL, 0);
  if (!strcmp(argv[2], "remap")) return remap(bytes);
  if (argc > 3)
    fd = make_file(argv[3], bytes, !strcmp(argv[2], "dense"));
  else
    flags |= MAP_ANONYMOUS;
  if (!strcmp(argv[2], "noreserve")) flags |= MAP_NORESERVE;
  volatile char *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
  if (memory == MAP_FAILED) return 3;
  memory[0]++;
  memory[bytes - 1]++;
  struct own_memory own = own_memory(memory, bytes);
  printf("%zu %zu\n", own.resident_kib, own.huge_kib);
  return 0;
}
