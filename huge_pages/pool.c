/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/pool.c -- the ward's side of a reservation. */
#include "huge_pages/pool.h"

#include <config.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "huge_pages/guardian.h"
#include "huge_pages/thp_alone.h"

struct hp_reservation {
  const struct hp_holding *holding;
  size_t page_bytes;
  int guardian; /* socket; -1 when what is wanted was there, and not ours */
  pid_t pid;
  size_t took; /* to give back ourselves if the guardian cannot */
};

static int (*on_wait)(pid_t holder);

void hp_pool_on_wait(int (*call)(pid_t holder)) { on_wait = call; }

/* False when the guardian is gone. */
static bool receive(int socket, struct hp_guardian_report *report) {
  ssize_t got;
  do got = recv(socket, report, sizeof *report, 0);
  while (got < 0 && errno == EINTR);
  return got == sizeof *report;
}

/* A guardian that was killed has closed its end of the socket, but perhaps not
 * yet the file with its claim, which would pass for another reservation's. */
static void await_end(pid_t pid) {
  struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, pid, 0),
                       .events = POLLIN};
  if (end.fd < 0) return; /* it is gone, or this is before 5.3 */
  while (poll(&end, 1, 5000) < 0 && errno == EINTR) continue;
  close(end.fd);
}

/* The guardian is gone (somebody killed it): do its duty. */
static void fix(const struct hp_reservation *it, size_t took) {
  if (took) await_end(it->pid);
  int fd = took ? it->holding->open(it->page_bytes) : -1;
  if (fd < 0) return;
  it->holding->give_back(fd, it->page_bytes, took);
  close(fd);
}

/* Once the socket is closed, the guardian gives back by itself. */
static int give_up(struct hp_reservation *it) {
  close(it->guardian);
  it->guardian = -1;
  if (it->pid) await_end(it->pid);
  errno = EINTR;
  return -1;
}

/* False when it is to be given up. */
static bool await_report(int socket, pid_t holder) {
  struct pollfd event = {.fd = socket, .events = POLLIN};
  while (poll(&event, 1, 100) <= 0)
    if (on_wait && on_wait(holder)) return false;
  return true;
}

/* Follow the reports until the guardian holds it, or does not. */
static int await_holding(struct hp_reservation *it) {
  struct hp_guardian_report report;
  bool taking = false;
  size_t was = 0, most = 0;
  for (pid_t holder = 0;;) {
    if (!await_report(it->guardian, holder)) return give_up(it);
    if (!receive(it->guardian, &report)) break;
    it->pid = report.pid;
    it->took = report.took;
    if (report.stage == HP_GUARDIAN_HOLDS) return 0;
    if (report.stage == HP_GUARDIAN_FAILED) {
      errno = report.error ? report.error : ENOMEM;
      return -1;
    }
    holder = report.holder;
    taking = report.stage == HP_GUARDIAN_TAKES;
    was = report.was;
    most = report.most;
  }
  /* It went while it took, having told nobody how much. */
  if (taking) fix(it, it->holding->half(it->page_bytes, was, most));
  errno = ENOMEM;
  return -1;
}

/* 0, or why not. */
static int may_not_take(const struct hp_reservation *it) {
  int fd = it->holding->open(it->page_bytes);
  if (fd < 0) return errno;
  close(fd);
  return 0;
}

static int start(struct hp_reservation *it, size_t pages) {
  int error = may_not_take(it);
  if (error) {
    if (it->holding->is_there(it->page_bytes, pages)) return 0;
    errno = error;
    return -1;
  }
  it->guardian = hp_guardian_start(it->holding, it->page_bytes, pages);
  if (it->guardian < 0) return -1;
  return await_holding(it);
}

static struct hp_reservation *reserve(const struct hp_holding *holding,
                                      size_t page_bytes, size_t pages) {
  if (!holding) {
    errno = EINVAL;
    return NULL;
  }
  struct hp_reservation *it = calloc(1, sizeof *it);
  if (!it) return NULL;
  it->holding = holding;
  it->page_bytes = page_bytes;
  it->guardian = -1;
  if (!start(it, pages)) return it;
  int error = errno;
  if (it->guardian >= 0) close(it->guardian);
  free(it);
  errno = error;
  return NULL;
}

struct hp_reservation *hp_pool_reserve(const struct hp_kind *kind,
                                       size_t bytes) {
  if (!kind) return reserve(NULL, 0, 0);
  size_t pages = bytes / kind->bytes + (bytes % kind->bytes != 0);
  return reserve(kind->holding, kind->bytes, pages);
}

struct hp_reservation *hp_pool_reserve_alone(const struct hp_kind *kind,
                                             enum hp_thp_asks asks) {
  return reserve(kind->alone, kind->bytes, hp_thp_alone_choice(asks));
}

void hp_pool_release(struct hp_reservation *it) {
  if (!it) return;
  if (it->guardian >= 0) {
    struct hp_guardian_report last;
    send(it->guardian, HP_GUARDIAN_ORDER, sizeof HP_GUARDIAN_ORDER,
         MSG_NOSIGNAL);
    if (!receive(it->guardian, &last)) fix(it, it->took);
    close(it->guardian);
  }
  free(it);
}

pid_t hp_guardian_pid(const struct hp_reservation *reservation) {
  return reservation->pid;
}
