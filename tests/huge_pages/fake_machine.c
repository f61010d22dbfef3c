/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/huge_pages/fake_machine.h"

#include <config.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "huge_pages/kernel_files.h"
#include "tests/check.h"

static char root[256];

void fake_machine_start(void) {
  check_make_folder(root, sizeof root);
  hp_kernel_set_root(root);
}

static void make_directories(char *path) {
  for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    mkdir(path, 0755);
    *slash = '/';
  }
}

void fake_machine_write(const char *path, const char *text) {
  char full[PATH_MAX];
  CU_ASSERT_EQUAL_FATAL(hp_kernel_path(path, full, sizeof full), 0);
  mode_t mask = umask(022); /* other users read the kernel's files, too */
  make_directories(full);
  FILE *file = fopen(full, "w");
  umask(mask);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fputs(text, file);
  CU_ASSERT_EQUAL(fclose(file), 0);
}

void fake_machine_pool(size_t page_kib, size_t total, size_t free,
                       size_t reserved, size_t surplus) {
  const struct {
    const char *file;
    size_t value;
  } files[] = {{"nr_hugepages", total},
               {"free_hugepages", free},
               {"resv_hugepages", reserved},
               {"surplus_hugepages", surplus}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[128], text[32];
    snprintf(path, sizeof path, "/sys/kernel/mm/hugepages/hugepages-%zukB/%s",
             page_kib, files[i].file);
    snprintf(text, sizeof text, "%zu\n", files[i].value);
    fake_machine_write(path, text);
  }
}

void fake_machine_memory(size_t mib) {
  char text[96];
  snprintf(text, sizeof text,
           "MemTotal: 99999999 kB\nMemFree: 1 kB\n"
           "MemAvailable:   %zu kB\n",
           mib * 1024);
  fake_machine_write("/proc/meminfo", text);
}

static int remove_one(const char *path, const struct stat *status, int type,
                      struct FTW *at) {
  (void)status, (void)type, (void)at;
  return remove(path);
}

void fake_machine_stop(void) {
  hp_kernel_set_root(NULL);
  CU_ASSERT_EQUAL(nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}
