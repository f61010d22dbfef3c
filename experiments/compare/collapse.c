/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/collapse.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "experiments/machine/process.h"
#include "huge_pages/smaps_mapping.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

enum { HUGE = 2 << 20, CAP_SYS_NICE = 23 };

static long collapse(int pidfd, void *start, size_t bytes) {
  struct iovec range = {start, bytes};
  return syscall(SYS_process_madvise, pidfd, &range, 1UL, MADV_COLLAPSE, 0);
}

/* Whether the kernel can is tried on a page of our own. */
bool collapse_possible(void) {
  size_t bytes = 2 * (size_t)HUGE;
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  char *page = memory + (HUGE - (uintptr_t)memory % HUGE) % HUGE;
  *page = 1;
  bool able = !madvise(page, HUGE, MADV_COLLAPSE);
  munmap(memory, bytes);
  return able && rights_have(CAP_SYS_NICE);
}

static bool is_ours_to_ask(const struct hp_mapping *mapping) {
  return !strncmp(mapping->rights, "rw-p", 4) && !mapping->hugetlb &&
         (!*mapping->name || !strcmp(mapping->name, "[heap]") ||
          !strncmp(mapping->name, "[anon", 5));
}

static void collapse_process(pid_t pid) {
  struct hp_mapping_reader reader;
  struct hp_mapping mapping;
  char path[40];
  snprintf(path, sizeof path, "/proc/%d/smaps", (int)pid);
  FILE *smaps = fopen(path, "re");
  int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
  if (smaps) {
    hp_mapping_reader_init(&reader, smaps);
    while (pidfd >= 0 && hp_mapping_next(&reader, &mapping)) {
      uintptr_t start = (mapping.start + HUGE - 1) / HUGE * HUGE;
      uintptr_t end = mapping.end / HUGE * HUGE;
      /* Only where something is left to do: a range without memory would be
       * given some. */
      if (end > start && is_ours_to_ask(&mapping) &&
          mapping.rss >
              mapping.thp + (mapping.end - mapping.start - (end - start)))
        collapse(pidfd, (void *)start, end - start);
    }
    fclose(smaps);
  }
  if (pidfd >= 0) close(pidfd);
}

void collapse_processes(const pid_t *pids, size_t count) {
  for (size_t i = 0; i < count; i++) collapse_process(pids[i]);
}
