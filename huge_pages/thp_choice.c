/* SPDX-License-Identifier: BSD-2-Clause */
#include "huge_pages/thp_choice.h"

#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "huge_pages/kernel_files.h"
#include "huge_pages/pool_resize.h"

#define DIRECTORY "/sys/kernel/mm/transparent_hugepage"

static const char *const words[HP_THP_CHOICES] = {"always", "inherit",
                                                  "madvise", "never"};

const char *hp_thp_switch_path(size_t page_bytes, char path[HP_THP_PATH]) {
  snprintf(path, HP_THP_PATH, DIRECTORY "/hugepages-%zukB/enabled",
           page_bytes / 1024);
  return path;
}

int hp_thp_switch_open(size_t page_bytes) {
  char path[HP_THP_PATH];
  int fd = hp_kernel_open(hp_thp_switch_path(page_bytes, path), O_RDWR);
  if (fd < 0 && errno == EPERM) errno = EACCES;
  return fd;
}

static int choice_in(const char *text) {
  const char *at = strchr(text, '[');
  for (int i = 0; at && i < HP_THP_CHOICES; i++) {
    size_t length = strlen(words[i]);
    if (!strncmp(at + 1, words[i], length) && at[1 + length] == ']') return i;
  }
  errno = EINVAL;
  return -1;
}

int hp_thp_choice_read(int fd) {
  char text[128];
  ssize_t got = pread(fd, text, sizeof text - 1, 0);
  text[got > 0 ? got : 0] = '\0';
  return choice_in(text);
}

int hp_thp_choice_of(size_t page_bytes) {
  char path[HP_THP_PATH], text[128];
  hp_thp_switch_path(page_bytes, path);
  return hp_kernel_read_text(path, text, sizeof text) ? -1 : choice_in(text);
}

int hp_thp_choice_set(int fd, enum hp_thp_choice choice) {
  ssize_t length = (ssize_t)strlen(words[choice]);
  ssize_t put = pwrite(fd, words[choice], (size_t)length, 0);
  if (put == length) return 0;
  if (put >= 0) errno = EIO;
  return -1;
}

enum hp_thp_choice hp_thp_choice_effective(enum hp_thp_choice choice) {
  char text[128];
  if (choice != HP_THP_INHERIT) return choice;
  if (hp_kernel_read_text(DIRECTORY "/enabled", text, sizeof text))
    return HP_THP_NEVER;
  int all = choice_in(text);
  return all < 0 ? HP_THP_NEVER : (enum hp_thp_choice)all;
}

int hp_thp_claimed(int fd) {
  struct flock lock = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = HP_THP_CHOICES};
  if (fcntl(fd, F_OFD_GETLK, &lock) || lock.l_type == F_UNLCK) return -1;
  return lock.l_type == F_WRLCK ? HP_THP_ALONE : (int)lock.l_start;
}

int hp_thp_claim(int fd, enum hp_thp_choice choice, short type) {
  struct flock lock = {.l_type = type,
                       .l_whence = SEEK_SET,
                       .l_start = (off_t)choice,
                       .l_len = 1};
  return fcntl(fd, F_OFD_SETLK, &lock);
}

int hp_thp_claim_alone(int fd, short type) {
  struct flock lock = {
      .l_type = type, .l_whence = SEEK_SET, .l_len = HP_THP_CHOICES};
  return fcntl(fd, F_OFD_SETLK, &lock);
}

/* By the process: two that wait for each other do not try at the same time. */
int hp_thp_wait(int fd, int *tries) {
  struct timespec time = {.tv_nsec = 20000000 + getpid() % 64 * 100000};
  if (++*tries > 3000) {
    errno = EBUSY;
    return -1;
  }
  hp_pool_unlock(fd);
  nanosleep(&time, NULL);
  return hp_pool_lock(fd);
}
