/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded into vat: arms what is to fail just before main() is called, so
 * that the loader and the constructors of libraries are left in peace. */
#include "tests/faults/inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct fault_page *fault_page;

#define NUMBER \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)

static const int asked[] = {
    SYS_mmap,      SYS_write,  SYS_pwrite64,  SYS_writev, SYS_fsync,
    SYS_clone,     SYS_clone3, SYS_fdatasync, SYS_linkat, SYS_renameat,
#ifdef SYS_fork
    SYS_rename,    SYS_fork,   SYS_vfork,     SYS_link,
#endif
    SYS_renameat2,
};
enum { ASKED = sizeof asked / sizeof *asked };

static int install(const struct sock_fprog *program) {
  /* Or a signal that comes while the driver decides has the call counted
   * twice; kernels before 5.19 know no better. */
  unsigned kill_only = SECCOMP_FILTER_FLAG_NEW_LISTENER | (1u << 5);
  int fd =
      (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kill_only, program);
  if (fd >= 0 || errno != EINVAL) return fd;
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                      SECCOMP_FILTER_FLAG_NEW_LISTENER, program);
}

/* A filter whose file to answer by is returned, or -1. */
static int ask_for_calls(void) {
  struct sock_filter code[2 * ASKED + 4] = {NUMBER};
  unsigned short count = 1;
  for (int i = 0; i < ASKED; i++) {
    code[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                 (unsigned)asked[i], 0, 1);
    code[count++] = (struct sock_filter)RETURN(SECCOMP_RET_USER_NOTIF);
  }
  code[count++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
  struct sock_fprog program = {.len = count, .filter = code};
  if (geteuid()) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return install(&program);
}

static void refuse_perf(void) {
  struct sock_filter code[] = {
      NUMBER,
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
      RETURN(SECCOMP_RET_ERRNO | EPERM),
      RETURN(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  if (geteuid()) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)) _exit(70);
}

/* Hand the driver `fd` (-1: there is none), and wait until it listens. */
static void hand_over(int socket, int fd) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof fd)];
  } control = {0};
  char byte = fd >= 0;
  struct iovec data = {&byte, 1};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
  if (fd >= 0) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof fd),
                                      .cmsg_level = SOL_SOCKET,
                                      .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
  }
  if (sendmsg(socket, &message, 0) != 1 || recv(socket, &byte, 1, 0) != 1)
    _exit(71);
  if (fd >= 0) close(fd);
}

static int number_from(const char *name) {
  const char *text = getenv(name);
  int number = text ? atoi(text) : -1;
  unsetenv(name);
  return number;
}

static void arm(void) {
  int fd = number_from(FAULT_PAGE), socket = number_from(FAULT_SOCKET);
  unsetenv("LD_PRELOAD"); /* what vat runs is left in peace */
  if (fd < 0 || socket < 0) return;
  struct fault_page *page =
      mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page == MAP_FAILED) _exit(72);
  close(fd);
  if (page->no_perf) refuse_perf();
  int ask = page->counting || (page->kind >= 0 && page->kind < FAULT_SYSCALLS);
  hand_over(socket, ask ? ask_for_calls() : -1);
  close(socket);
  struct rlimit room = {page->room, page->room};
  if (page->room && setrlimit(RLIMIT_AS, &room)) _exit(73);
  fault_note_code();
  fault_page = page;
}

static int (*vat_main)(int, char **, char **);

static int armed_main(int argc, char **argv, char **environment) {
  arm();
  return vat_main(argc, argv, environment);
}

/* glibc's, which no header has. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end);

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end) {
  __typeof__(&__libc_start_main) start;
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  vat_main = main;
  return start(armed_main, argc, argv, init, fini, loader_fini, stack_end);
}

/* An hour ahead and back, in turns. */
static time_t step(void) {
  if (!fault_page || !fault_page->clock) return 0;
  return atomic_fetch_add(&fault_page->steps, 1) % 2 ? -3600 : 3600;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
  int failed = real(clock, now);
  if (!failed && clock == CLOCK_REALTIME) now->tv_sec += step();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  static int (*real)(struct timeval *, void *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "gettimeofday");
  int failed = real(now, zone);
  if (!failed) now->tv_sec += step();
  return failed;
}

time_t time(time_t *where) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (where) *where = now.tv_sec;
  return now.tv_sec;
}
