/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/huge_pages/thp_switches.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "huge_pages/kernel_files.h"
#include "tests/check.h"
#include "tests/huge_pages/fake_machine.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

const char *thp_switch_path(size_t bytes, char path[96]) {
  snprintf(path, 96, THP_SWITCHES "/hugepages-%zukB/enabled", bytes / KIB);
  return path;
}

const char *thp_switch_choice(size_t bytes) {
  static char text[128], path[96];
  if (hp_kernel_read_text(thp_switch_path(bytes, path), text, sizeof text))
    return "";
  char *start = strchr(text, '[');
  if (!start) return "";
  start[strcspn(start, "]")] = '\0';
  return start + 1;
}

void thp_switches_fake(void) {
  fake_machine_start();
  fake_machine_memory(8192);
  fake_machine_pool(2048, 0, 0, 0, 0);
  fake_machine_write(THP_SWITCHES "/hpage_pmd_size", "2097152\n");
  fake_machine_write(THP_SWITCHES "/enabled", "always [madvise] never\n");
  fake_machine_write(THP_SWITCHES "/hugepages-8kB/shmem_enabled", "[never]\n");
  static const size_t sizes[] = {16, 64, 1024, 2048};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char path[96];
    fake_machine_write(thp_switch_path(sizes[i] * KIB, path),
                       sizes[i] == 64 ? "always [inherit] madvise never\n"
                                      : "always inherit madvise [never]\n");
  }
}

void thp_switch_set(size_t bytes, const char *word) {
  char path[96];
  int fd = hp_kernel_open(thp_switch_path(bytes, path), O_WRONLY);
  CU_ASSERT_FATAL(fd >= 0);
  CU_ASSERT_EQUAL(write(fd, word, strlen(word)), (ssize_t)strlen(word));
  close(fd);
}

bool thp_switch_comes_to(size_t bytes, const char *word) {
  const struct timespec time = {.tv_nsec = 5000000};
  for (int tries = 0; tries < 2000; tries++) {
    if (!strcmp(thp_switch_choice(bytes), word)) return true;
    nanosleep(&time, NULL);
  }
  return false;
}

const struct hp_kind *thp_switch_smallest(void) {
  for (size_t i = 0; i < hp_kind_count(); i++)
    if (hp_kind_at(i)->named) return hp_kind_at(i);
  return NULL;
}

const char *thp_switches_skip(void) {
  const struct hp_kind *kind = thp_switch_smallest();
  char path[96];
  if (!kind) return "this kernel has no sizes between; fix: Linux 6.8";
  if (access(thp_switch_path(kind->bytes, path), W_OK) || geteuid())
    return "the switches may not be set here; fix: sudo make check";
  for (size_t i = 0; i < hp_kind_count(); i++)
    if (hp_kind_at(i)->named &&
        strcmp(thp_switch_choice(hp_kind_at(i)->bytes), "never"))
      return "the switches of sizes between are in use; fix: set them to never";
  struct hp_missing missing;
  if (hp_kind_explain(hp_kind_find("thp"), 64 * MIB, &missing))
    return "transparent huge pages are off";
  return NULL;
}
