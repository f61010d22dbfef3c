/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/guardian.c -- from fork to _exit: only what is safe after fork. */
#include "huge_pages/guardian.h"

#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "huge_pages/kernel_files.h"
#include "huge_pages/pool_resize.h"

/* Whom to guard, and what for. */
struct ward {
  int socket, process; /* a descriptor of each; -1: no process */
  const struct hp_holding *holding;
  size_t page_bytes, pages;
};

static bool close_from_to(int first, int last) {
  return first > last || !syscall(SYS_close_range, first, last, 0);
}

/* Close all but `a` and `b` (b may be -1). */
static void close_others(int a, int b) {
  int low = b < 0 || a < b ? a : b, high = a > b ? a : b;
  if (close_from_to(0, low - 1) && close_from_to(low + 1, high - 1) &&
      close_from_to(high + 1, INT_MAX))
    return;
  for (int fd = 0; fd < 65536; fd++) /* before Linux 5.9 */
    if (fd != a && fd != b) close(fd);
}

/* Or the next file opened would be taken for standard output. */
static void fill_standard_files(void) {
  int fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO) fd = dup(fd);
  if (fd >= 0) close(fd);
}

/*
 * Write `title` over our copy of the ward's command line, which the kernel
 * shows from where it put it: fields 48 and 49 of /proc/self/stat.  Field 2
 * may hold anything, up to the last parenthesis.  Through /proc/self/mem a
 * wrong address would be an error and not a crash.
 */
static void retitle(const char *title) {
  char text[HP_TEXT_SIZE] = "", *field;
  if (hp_kernel_read_text("/proc/self/stat", text, sizeof text)) return;
  field = strrchr(text, ')');
  for (int i = 2; i < 48 && field; i++) field = strchr(field + 1, ' ');
  if (!field) return;
  unsigned long start = strtoul(field, &field, 10);
  unsigned long end = strtoul(field, NULL, 10);
  /* The last byte stays 0, or the environment would be shown after it. */
  size_t room = end > start + 1 ? end - start - 1 : 0;
  if (room > sizeof text) room = sizeof text;
  memset(text, 0, sizeof text);
  memcpy(text, title, strlen(title) < room ? strlen(title) : room);
  int fd = open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
  ssize_t put = fd < 0 ? 0 : pwrite(fd, text, room, (off_t)start);
  (void)put;
  if (fd >= 0) close(fd);
}

/*
 * A name of its own, so that who kills the ward by name does not kill its
 * guardian, and for ps; and no victim for the kernel when memory runs out.
 * Each is a courtesy and may fail.
 */
static void become_somebody(const struct ward *ward) {
  char title[80] = "hp_guardian: ";
  size_t used = strlen(title);
  ward->holding->entitle(title + used, sizeof title - used, ward->page_bytes,
                         ward->pages);
  prctl(PR_SET_NAME, "hp_guardian", 0, 0, 0);
  retitle(title);
  int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  ssize_t put = write(fd, "-1000", 5);
  (void)put;
  close(fd);
}

static void report(int socket, struct hp_guardian_report what) {
  what.pid = getpid();
  send(socket, &what, sizeof what, MSG_NOSIGNAL);
}

/* The next message, whole, or we would take a longer one for the order. */
static bool ordered(int socket) {
  char message[sizeof HP_GUARDIAN_ORDER + 1];
  ssize_t got = recv(socket, message, sizeof message, MSG_DONTWAIT);
  return got == sizeof HP_GUARDIAN_ORDER &&
         !memcmp(message, HP_GUARDIAN_ORDER, sizeof HP_GUARDIAN_ORDER);
}

/*
 * The socket alone would not do: a child of the ward that lives on has the
 * ward's end open, too.  Nor would any message do: a ward that closed its
 * standard error may have got this socket for it.
 */
static bool is_over(const struct ward *ward, int wait_ms) {
  struct pollfd events[] = {{.fd = ward->socket, .events = POLLIN},
                            {.fd = ward->process, .events = POLLIN}};
  if (poll(events, 2, wait_ms) <= 0) return false;
  if (events[0].revents & POLLIN && ordered(ward->socket)) return true;
  return events[0].revents & ~POLLIN || events[1].revents;
}

/* Look, once nobody else's claim is in the way: for a minute, or as long as the
 * ward wants it.  The lock is held afterwards. */
static int look(const struct ward *ward, int fd,
                struct hp_guardian_report *found) {
  pid_t told = 0;
  for (int tries = 0; tries < 3000; tries++) {
    if (hp_pool_lock(fd)) return -1;
    if (!ward->holding->look(fd, ward->page_bytes, ward->pages, found))
      return 0;
    int error = errno;
    hp_pool_unlock(fd);
    errno = error;
    if (error != EAGAIN) return -1;
    if (found->holder != told)
      report(ward->socket,
             (struct hp_guardian_report){.stage = HP_GUARDIAN_WAITS,
                                         .holder = found->holder});
    told = found->holder;
    if (is_over(ward, 20)) break;
  }
  errno = EBUSY;
  return -1;
}

/* Take what is wanted, telling the ward before. */
static int take(const struct ward *ward, int fd, size_t *took) {
  struct hp_guardian_report before = {.stage = HP_GUARDIAN_TAKES};
  if (look(ward, fd, &before)) return -1;
  report(ward->socket, before);
  int failed = ward->holding->take(fd, ward->page_bytes, ward->pages, took);
  int error = errno;
  hp_pool_unlock(fd);
  errno = error;
  return failed;
}

static _Noreturn void guard(const struct ward *ward) {
  const struct hp_holding *holding = ward->holding;
  int socket = ward->socket;
  size_t took = 0;
  close_others(socket, ward->process);
  fill_standard_files();
  become_somebody(ward);
  if (chdir("/")) errno = 0; /* only so as not to keep a file system busy */
  int fd = holding->open(ward->page_bytes);
  if (fd < 0 || take(ward, fd, &took)) {
    report(socket, (struct hp_guardian_report){.stage = HP_GUARDIAN_FAILED,
                                               .error = errno});
    _exit(1);
  }
  report(socket,
         (struct hp_guardian_report){.stage = HP_GUARDIAN_HOLDS, .took = took});
  while (!is_over(ward, -1)) continue;
  struct hp_guardian_report last = {.stage = HP_GUARDIAN_RETURNED};
  if (holding->give_back(fd, ward->page_bytes, took)) {
    last.stage = HP_GUARDIAN_FAILED;
    last.error = errno;
  }
  report(socket, last);
  _exit(0);
}

/* The child in between: its death leaves the guardian to init. */
static int fork_twice(const struct ward *ward) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    setsid();
    pid_t guardian = fork();
    if (guardian == 0) guard(ward);
    _exit(guardian < 0);
  }
  if (child < 0) return -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return 0;
}

/* What is written to a standard file must not land in one of ours. */
static int above_standard_files(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int error = errno;
  close(fd);
  errno = error;
  return moved;
}

static int make_socket(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return -1;
  for (int i = 0; i < 2; i++) {
    ends[i] = above_standard_files(ends[i]);
    if (ends[i] >= 0) continue;
    int error = errno;
    close(ends[!i]);
    errno = error;
    return -1;
  }
  return 0;
}

int hp_guardian_start(const struct hp_holding *holding, size_t page_bytes,
                      size_t pages) {
  int ends[2];
  if (make_socket(ends)) return -1;
  int process = (int)syscall(SYS_pidfd_open, getpid(), 0); /* -1 before 5.3 */
  const struct ward ward = {ends[1], process, holding, page_bytes, pages};
  /*
   * All signals stay blocked in the guardian: a handler of the ward's must not
   * run there, and a pending signal would cut the kernel's growing short.
   */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = fork_twice(&ward);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (process >= 0) close(process);
  if (!failed) return ends[0];
  close(ends[0]);
  errno = error;
  return -1;
}
