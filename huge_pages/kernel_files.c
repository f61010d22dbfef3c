/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/kernel_files.c -- reads with plain system calls only. */
#include "huge_pages/kernel_files.h"

#include <config.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *root = "";

void hp_kernel_set_root(const char *new_root) {
  root = new_root ? new_root : "";
}

int hp_kernel_path(const char *path, char *full, size_t size) {
  int length = snprintf(full, size, "%s%s", root, path);
  if (length >= 0 && (size_t)length < size) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

int hp_kernel_open(const char *path, int flags) {
  char full[PATH_MAX];
  if (hp_kernel_path(path, full, sizeof full)) return -1;
  return open(full, flags | O_CLOEXEC);
}

int hp_kernel_read_text(const char *path, char *text, size_t size) {
  int fd = hp_kernel_open(path, O_RDONLY);
  if (fd < 0) return -1;
  size_t used = 0;
  ssize_t got = 0;
  while (used < size - 1) {
    got = read(fd, text + used, size - 1 - used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    used += (size_t)got;
  }
  int error = errno;
  close(fd);
  text[used] = '\0';
  if (used && text[used - 1] == '\n') text[used - 1] = '\0';
  errno = error;
  return got < 0 ? -1 : 0;
}

/* strtoull() alone would take "-1" for a huge number. */
static bool parse_size(const char *text, size_t *value) {
  while (*text == ' ' || *text == '\t') text++;
  if (!isdigit((unsigned char)*text)) return false;
  errno = 0;
  unsigned long long number = strtoull(text, NULL, 10);
  if (errno || number > SIZE_MAX) return false;
  *value = (size_t)number;
  return true;
}

int hp_kernel_read_size(const char *path, size_t *value) {
  char text[32];
  if (hp_kernel_read_text(path, text, sizeof text)) return -1;
  if (parse_size(text, value)) return 0;
  errno = EINVAL;
  return -1;
}

int hp_kernel_write_size(int fd, size_t value) {
  char text[32];
  int length = snprintf(text, sizeof text, "%zu\n", value);
  ssize_t put = pwrite(fd, text, (size_t)length, 0);
  if (put == length) return 0;
  if (put >= 0) errno = EIO;
  return -1;
}

bool hp_kernel_find_size(const char *text, const char *key, size_t *value) {
  size_t length = strlen(key);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (!strncmp(line, key, length)) return parse_size(line + length, value);
  }
  return false;
}
