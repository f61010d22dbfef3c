/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/faults/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void give(const char *name, const char *value) {
  if (setenv(name, value, 1)) _exit(80);
}

static void give_number(const char *name, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  give(name, text);
}

static void take_file(const char *path, int flags, int as) {
  int fd = open(path, flags, 0666);
  if (fd < 0 || dup2(fd, as) < 0) _exit(81);
  if (fd != as) close(fd);
}

/* In a name space of its own sysfs has counters, if it had none. */
static void show_counters(void) {
  static const char devices[] = "/sys/bus/event_source/devices";
  char cpu[sizeof devices + 4];
  snprintf(cpu, sizeof cpu, "%s/cpu", devices);
  if (!access(cpu, F_OK)) return;
  if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, "") ||
      mount("none", devices, "tmpfs", 0, "") || mkdir(cpu, 0777))
    _exit(85);
}

/* In a session of its own: nothing that vat starts has a terminal. */
static _Noreturn void be_vat(const struct supervised *how, char **argv,
                             int socket) {
  char path[PATH_MAX];
  setsid();
  if (how->pmu) show_counters();
  if (chdir(how->directory)) _exit(82);
  take_file("/dev/null", O_RDONLY, STDIN_FILENO);
  take_file("out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  take_file("err", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, STDERR_FILENO);
  snprintf(path, sizeof path, "%s/tmp", how->directory);
  give("TMPDIR", path);
  snprintf(path, sizeof path, "%s/cache", how->directory);
  give("VAT_CACHE_DIR", how->cache ? how->cache : path);
  give("LD_PRELOAD", how->inject);
  give_number(FAULT_PAGE, how->page_fd);
  give_number(FAULT_SOCKET, socket);
  fcntl(how->page_fd, F_SETFD, 0);
  fcntl(socket, F_SETFD, 0);
  if (chdir("cwd")) _exit(83);
  execv(how->vat, argv);
  _exit(84);
}

/* The filter's file; -1: there is none, or (`*gone`) no vat any more. */
static int receive_filter(int socket, bool *gone) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } control;
  char byte = 0;
  int fd = -1;
  struct iovec data = {&byte, 1};
  struct msghdr message = {.msg_iov = &data,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = sizeof control};
  *gone = recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1;
  if (*gone) return -1;
  if (byte && CMSG_FIRSTHDR(&message))
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  send(socket, &byte, 1, MSG_NOSIGNAL);
  return fd;
}

static enum fault_kind kind_of(int number) {
  switch (number) {
    case SYS_mmap:
      return FAULT_MMAP;
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
      return FAULT_WRITE;
    case SYS_fsync:
    case SYS_fdatasync:
      return FAULT_FSYNC;
    case SYS_clone:
    case SYS_clone3:
      return FAULT_FORK;
#ifdef SYS_fork
    case SYS_fork:
    case SYS_vfork:
      return FAULT_FORK;
#endif
    default:
      return FAULT_RENAME; /* and what gives a nameless file its name */
  }
}

/* Whether `pid` runs vat and not another program by now. */
static bool is_vat(const struct supervised *how, unsigned pid) {
  char link[32], program[PATH_MAX];
  snprintf(link, sizeof link, "/proc/%u/exe", pid);
  ssize_t length = readlink(link, program, sizeof program - 1);
  if (length < 0) return false;
  program[length] = '\0';
  return !strcmp(program, how->vat);
}

static void answer(const struct supervised *how, int filter) {
  static const int errors[FAULT_SYSCALLS] = {
      [FAULT_MMAP] = ENOMEM, [FAULT_WRITE] = ENOSPC, [FAULT_FSYNC] = EIO,
      [FAULT_RENAME] = EIO,  [FAULT_FORK] = EAGAIN,
  };
  struct fault_page *page = how->page;
  struct seccomp_notif call = {0};
  if (ioctl(filter, SECCOMP_IOCTL_NOTIF_RECV, &call)) return;
  struct seccomp_notif_resp reply = {.id = call.id,
                                     .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  enum fault_kind kind = kind_of(call.data.nr);
  if (is_vat(how, call.pid)) {
    unsigned nth = atomic_fetch_add(&page->calls[kind], 1) + 1;
    if (page->kind == (int)kind && page->nth == nth) {
      reply.flags = 0;
      reply.error = -errors[kind];
      page->fd = (int)call.data.args[0];
      page->fired = 1;
    }
  }
  ioctl(filter, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

/* All that is left, which has become our children; more may turn up. */
static void kill_children(void) {
  char path[64];
  pid_t self = getpid();
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", self, self);
  FILE *children = fopen(path, "r");
  for (int pid; children && fscanf(children, "%d", &pid) == 1;)
    kill(pid, SIGKILL);
  if (children) fclose(children);
}

/* Reap what has ended; false when there are no children. */
static bool reap(pid_t vat, bool *ended, int *status) {
  int got;
  pid_t pid;
  while ((pid = waitpid(-1, &got, WNOHANG)) > 0) {
    if (pid != vat) continue;
    *ended = true;
    *status = got;
  }
  return !pid;
}

static void await(const struct supervised *how, pid_t vat, int filter,
                  struct outcome *outcome) {
  double start = now_s(), limit = start + SUPERVISE_S;
  int pidfd = (int)syscall(SYS_pidfd_open, vat, 0);
  struct pollfd events[] = {{.fd = pidfd, .events = POLLIN},
                            {.fd = filter, .events = POLLIN}};
  bool ended = false;
  while (reap(vat, &ended, &outcome->status)) {
    if (ended && events[0].fd >= 0) {
      events[0].fd = -1;
      limit = now_s() + SUPERVISE_AFTER_S;
      outcome->seconds = now_s() - start;
    }
    if (now_s() > limit) {
      outcome->orphans |= ended;
      outcome->hung |= !ended;
      kill_children();
    }
    /* Others that end are seen within 2 ms. */
    poll(events, 2, ended || now_s() > limit ? 2 : 1000);
    if (events[1].revents & POLLIN) answer(how, filter);
    if (events[1].revents & POLLHUP) events[1].fd = -1;
  }
  if (!outcome->seconds) outcome->seconds = now_s() - start;
  close(pidfd);
}

int supervise(const struct supervised *how, char **argv,
              struct outcome *outcome) {
  int ends[2];
  bool gone;
  struct fault_page *page = how->page;
  *outcome = (struct outcome){.status = -1};
  memset(page->calls, 0, sizeof page->calls);
  memset(page->frames, 0, sizeof page->frames);
  if (page->counting) memset(page->paths, 0, sizeof page->paths);
  page->fired = page->fragile = 0;
  page->fd = -1;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return -1;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t vat = fork();
  if (!vat) be_vat(how, argv, ends[1]);
  close(ends[1]);
  int filter = vat < 0 ? -1 : receive_filter(ends[0], &gone);
  close(ends[0]);
  if (vat < 0) return -1;
  outcome->asked = filter >= 0;
  await(how, vat, filter, outcome);
  if (filter >= 0) close(filter);
  return 0;
}
