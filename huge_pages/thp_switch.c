/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/thp_switch.c -- the switch of one size of transparent huge pages,
 * held at "madvise" for a reservation.
 *
 * Several can hold it at once, and only the first finds the choice that is to
 * come back.  So each holder has a claim, a shared open-file-description lock
 * on one byte of the switch's file, and which byte tells that choice.  Who
 * comes next reads it there; the last one to go restores it.  The kernel drops
 * a claim with its holder.  A choice that somebody else made meanwhile stays,
 * unless it is madvise, too.
 */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "huge_pages/guardian.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/pool_resize.h"

/* What a switch can be; a claim is on the byte of that number. */
static const char *const choices[] = {"always", "inherit", "madvise", "never"};
enum { MADVISE = 2, CHOICES = 4 };

static void entitle(char *title, size_t size, size_t page_bytes, size_t pages) {
  (void)pages;
  snprintf(title, size, "holds the switch of %zu kB pages", page_bytes / 1024);
}

static int open_switch(size_t page_bytes) {
  char path[96];
  snprintf(path, sizeof path,
           "/sys/kernel/mm/transparent_hugepage/hugepages-%zukB/enabled",
           page_bytes / 1024);
  int fd = hp_kernel_open(path, O_RDWR);
  if (fd < 0 && errno == EPERM) errno = EACCES;
  return fd;
}

static bool is_on(size_t page_bytes) {
  char path[128];
  return !hp_thp_switched_off(page_bytes, path, sizeof path);
}

static bool is_there(size_t page_bytes, size_t pages) {
  (void)pages;
  return is_on(page_bytes);
}

/* The number of the choice in brackets; -1: EINVAL. */
static int choice_of(int fd) {
  char text[128];
  ssize_t got = pread(fd, text, sizeof text - 1, 0);
  text[got > 0 ? got : 0] = '\0';
  const char *at = strchr(text, '[');
  for (int i = 0; at && i < CHOICES; i++) {
    size_t length = strlen(choices[i]);
    if (!strncmp(at + 1, choices[i], length) && at[1 + length] == ']') return i;
  }
  errno = EINVAL;
  return -1;
}

static int choose(int fd, int choice) {
  ssize_t length = (ssize_t)strlen(choices[choice]);
  ssize_t put = pwrite(fd, choices[choice], (size_t)length, 0);
  if (put == length) return 0;
  if (put >= 0) errno = EIO;
  return -1;
}

/* What the others who hold it are to restore; -1: there are none. */
static int claimed(int fd) {
  struct flock lock = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = CHOICES};
  if (fcntl(fd, F_OFD_GETLK, &lock) || lock.l_type == F_UNLCK) return -1;
  return (int)lock.l_start;
}

static int claim(int fd, int choice, short type) {
  struct flock lock = {
      .l_type = type, .l_whence = SEEK_SET, .l_start = choice, .l_len = 1};
  return fcntl(fd, F_OFD_SETLK, &lock);
}

/* What is to be restored once nobody holds it. */
static int former(int fd) {
  int others = claimed(fd);
  return others < 0 ? choice_of(fd) : others;
}

static int look(int fd, size_t page_bytes, size_t pages,
                struct hp_guardian_report *report) {
  (void)page_bytes, (void)pages;
  int choice = former(fd);
  report->was = (size_t)(choice + 1);
  return choice < 0 ? -1 : 0;
}

/* `took` is the number of the former choice, from 1. */
static int take(int fd, size_t page_bytes, size_t pages, size_t *took) {
  (void)pages;
  *took = 0;
  if (claimed(fd) < 0 && is_on(page_bytes)) return 0;
  int choice = former(fd);
  if (choice < 0 || claim(fd, choice, F_RDLCK)) return -1;
  if (!is_on(page_bytes) && choose(fd, MADVISE)) {
    int error = errno;
    claim(fd, choice, F_UNLCK);
    errno = error;
    return -1;
  }
  *took = (size_t)(choice + 1);
  return 0;
}

static int give_back(int fd, size_t page_bytes, size_t took) {
  (void)page_bytes;
  if (!took) return 0;
  int tries = 0, choice = (int)(took - 1);
  while (hp_pool_lock(fd))
    if (++tries == 10) return -1;
  claim(fd, choice, F_UNLCK); /* under the lock, or two could think they stay */
  int failed = 0;
  if (claimed(fd) < 0 && choice_of(fd) == MADVISE) failed = choose(fd, choice);
  int error = errno;
  hp_pool_unlock(fd);
  errno = error;
  return failed;
}

static size_t half(size_t page_bytes, size_t was, size_t most) {
  (void)page_bytes, (void)most;
  return was;
}

const struct hp_holding hp_thp_switch_holding = {
    .entitle = entitle,
    .open = open_switch,
    .is_there = is_there,
    .look = look,
    .take = take,
    .give_back = give_back,
    .half = half,
};
