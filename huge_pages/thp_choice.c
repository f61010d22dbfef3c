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
/* Every kernel has it, in the file system of the switches, for root alone.
 * Nothing is written to it. */
#define CLAIMS "/sys/bus/platform/drivers_probe"

static const char *const words[HP_THP_CHOICES] = {"always", "inherit",
                                                  "madvise", "never"};

const char *hp_thp_switch_path(size_t page_bytes, char path[HP_THP_PATH]) {
  snprintf(path, HP_THP_PATH, DIRECTORY "/hugepages-%zukB/enabled",
           page_bytes / 1024);
  return path;
}

static int switch_open(size_t page_bytes) {
  char path[HP_THP_PATH];
  int fd = hp_kernel_open(hp_thp_switch_path(page_bytes, path), O_WRONLY);
  if (fd < 0 && errno == EPERM) errno = EACCES;
  return fd;
}

int hp_thp_claims_open(size_t page_bytes) {
  int fd = switch_open(page_bytes);
  if (fd < 0) return -1;
  close(fd);
  return hp_kernel_open(CLAIMS, O_WRONLY);
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

int hp_thp_choice_of(size_t page_bytes) {
  char path[HP_THP_PATH], text[128];
  hp_thp_switch_path(page_bytes, path);
  return hp_kernel_read_text(path, text, sizeof text) ? -1 : choice_in(text);
}

int hp_thp_choice_set(size_t page_bytes, enum hp_thp_choice choice) {
  size_t length = strlen(words[choice]);
  int fd = switch_open(page_bytes);
  if (fd < 0) return -1;
  ssize_t put = write(fd, words[choice], length);
  int error = put < 0 ? errno : EIO;
  close(fd);
  if (put == (ssize_t)length) return 0;
  errno = error;
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

/* Of a size, the claims are in as many bytes, from as many on. */
static struct flock bytes_of(size_t page_bytes) {
  return (struct flock){.l_type = F_WRLCK,
                        .l_whence = SEEK_SET,
                        .l_start = (off_t)page_bytes,
                        .l_len = (off_t)page_bytes};
}

int hp_thp_claimed(int fd, size_t page_bytes, pid_t *holder) {
  struct flock lock = bytes_of(page_bytes);
  if (fcntl(fd, F_GETLK, &lock) || lock.l_type == F_UNLCK) return -1;
  *holder = lock.l_pid;
  if (lock.l_start < (off_t)page_bytes) return HP_THP_ALONE;
  return (int)((lock.l_start - (off_t)page_bytes) % HP_THP_CHOICES);
}

int hp_thp_claim(int fd, size_t page_bytes, enum hp_thp_choice choice) {
  struct flock lock = bytes_of(page_bytes);
  off_t end = lock.l_start + lock.l_len;
  lock.l_len = 1;
  for (lock.l_start += choice; lock.l_start < end;
       lock.l_start += HP_THP_CHOICES)
    if (!fcntl(fd, F_SETLK, &lock)) return 0;
  return -1;
}

int hp_thp_claim_alone(int fd, pid_t *holder) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (!fcntl(fd, F_SETLK, &lock)) return 0;
  if (errno == EACCES) errno = EAGAIN;
  int error = errno;
  if (!fcntl(fd, F_GETLK, &lock) && lock.l_type != F_UNLCK)
    *holder = lock.l_pid;
  errno = error;
  return -1;
}

void hp_thp_unclaim(int fd) {
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  fcntl(fd, F_SETLK, &lock);
}

int hp_thp_wait(int fd, int *tries) {
  const struct timespec time = {.tv_nsec = 20000000};
  if (++*tries > 3000) {
    errno = EBUSY;
    return -1;
  }
  hp_pool_unlock(fd);
  nanosleep(&time, NULL);
  return hp_pool_lock(fd);
}
