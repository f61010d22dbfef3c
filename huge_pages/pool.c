/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/pool.c -- the ward's side of a reservation. */
#include "huge_pages/pool.h"

#include <config.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "huge_pages/guardian.h"
#include "huge_pages/pool_resize.h"

struct hp_reservation {
  size_t page_bytes;
  int guardian; /* socket; -1 when the pool was large enough and not ours */
  pid_t pid;
  size_t took; /* pages, to give back ourselves if the guardian cannot */
};

/* False when the guardian is gone. */
static bool receive(int socket, struct hp_guardian_report *report) {
  ssize_t got;
  do got = recv(socket, report, sizeof *report, 0);
  while (got < 0 && errno == EINTR);
  return got == sizeof *report;
}

/* The guardian is gone (somebody killed it): do its duty. */
static void fix(size_t page_bytes, size_t took) {
  int fd = took ? hp_pool_open(page_bytes) : -1;
  if (fd < 0) return;
  hp_pool_shrink(fd, page_bytes, took);
  close(fd);
}

/* It went while it grew the pool from `was`, having told nobody by how much. */
static void fix_half_grown(size_t page_bytes, size_t was, size_t most) {
  struct hp_pool pool;
  if (hp_pool_read(page_bytes, &pool)) return;
  size_t now = hp_pool_persistent(&pool);
  size_t grown = now > was ? now - was : 0;
  fix(page_bytes, grown < most ? grown : most);
}

/* Follow the reports until the guardian holds the pages, or does not. */
static int await_growth(struct hp_reservation *it) {
  struct hp_guardian_report report;
  bool growing = false;
  size_t was = 0, most = 0;
  while (receive(it->guardian, &report)) {
    it->pid = report.pid;
    it->took = report.took;
    if (report.stage == HP_GUARDIAN_HOLDS) return 0;
    if (report.stage == HP_GUARDIAN_FAILED) {
      errno = report.error ? report.error : ENOMEM;
      return -1;
    }
    growing = true;
    was = report.was;
    most = report.most;
  }
  if (growing) fix_half_grown(it->page_bytes, was, most);
  errno = ENOMEM;
  return -1;
}

/* 0, or why not. */
static int may_not_resize(size_t page_bytes) {
  int fd = hp_pool_open(page_bytes);
  if (fd < 0) return errno;
  close(fd);
  return 0;
}

static int start(struct hp_reservation *it, size_t pages) {
  struct hp_pool pool;
  if (hp_pool_read(it->page_bytes, &pool)) return -1;
  int error = may_not_resize(it->page_bytes);
  if (error) {
    if (pages <= hp_pool_spare(&pool)) return 0;
    errno = error;
    return -1;
  }
  it->guardian = hp_guardian_start(it->page_bytes, pages);
  if (it->guardian < 0) return -1;
  return await_growth(it);
}

struct hp_reservation *hp_pool_reserve(const struct hp_kind *kind,
                                       size_t bytes) {
  if (!kind || !kind->pooled) {
    errno = EINVAL;
    return NULL;
  }
  struct hp_reservation *it = calloc(1, sizeof *it);
  if (!it) return NULL;
  it->page_bytes = kind->bytes;
  it->guardian = -1;
  if (!start(it, bytes / kind->bytes + (bytes % kind->bytes != 0))) return it;
  int error = errno;
  if (it->guardian >= 0) close(it->guardian);
  free(it);
  errno = error;
  return NULL;
}

void hp_pool_release(struct hp_reservation *it) {
  if (!it) return;
  if (it->guardian >= 0) {
    struct hp_guardian_report last;
    send(it->guardian, HP_GUARDIAN_ORDER, sizeof HP_GUARDIAN_ORDER,
         MSG_NOSIGNAL);
    if (!receive(it->guardian, &last)) fix(it->page_bytes, it->took);
    close(it->guardian);
  }
  free(it);
}

pid_t hp_guardian_pid(const struct hp_reservation *reservation) {
  return reservation->pid;
}
