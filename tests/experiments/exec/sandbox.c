/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that forbids itself all system calls but those that it, and malloc
 * of glibc, need, and then allocates, frees and forks no more.  sandbox HOW: by
 * prctl, by syscall, or not at all (asks only). */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) static char *make(size_t bytes) {
  char *at = malloc(bytes);
  if (!at) abort();
  memset(at, 1, bytes);
  return at;
}

#define ALLOW(name)                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int enter(const char *how) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(read),
      ALLOW(write),
      ALLOW(exit_group),
      ALLOW(mmap),
      ALLOW(munmap),
      ALLOW(mremap),
      ALLOW(brk),
      ALLOW(futex),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
  if (!strcmp(how, "prctl"))
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  if (!strcmp(how, "syscall"))
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
  return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL);
}

int main(int argc, char **argv) {
  static char text[] = "done\n";
  char *large = make(40 << 20), *middle = make(4 << 20), *small = make(3000);
  if (argc < 2 || enter(argv[1])) return 9;
  void *shared = mmap(NULL, 8 << 20, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED || munmap(shared, 8 << 20)) return 7;
  char *later = make(40 << 20), *last = make(300000);
  for (int i = 0; i < 20; i++) {
    middle = realloc(middle, (size_t)(i % 2 ? 1 : 5) << 20);
    large = realloc(large, (size_t)(i % 2 ? 20 : 70) << 20);
    if (!middle || !large || middle[100] != 1 || large[100] != 1) return 8;
  }
  free(large);
  free(middle);
  free(small);
  free(later);
  free(last);
  return write(1, text, sizeof text - 1) < 0;
}
