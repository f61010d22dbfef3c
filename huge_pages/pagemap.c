/* SPDX-License-Identifier: BSD-2-Clause */
#include "huge_pages/pagemap.h"

#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/pagemap_scan.h"

int hp_pagemap_open(struct hp_pagemap *map, pid_t pid) {
  char path[64];
  size_t base = hp_base_page_bytes(), most = hp_thp_page_bytes() / base;
  if (!most) most = 1;
  *map = (struct hp_pagemap){
      .entries = -1, .flags = -1, .page_bytes = base, .most = most};
  map->page = calloc(most, sizeof *map->page);
  map->words = calloc(most + 1, sizeof *map->words);
  map->regions = calloc(most, sizeof(struct hp_scan_region));
  snprintf(path, sizeof path, "/proc/%d/pagemap", (int)pid);
  if (map->page && map->words && map->regions)
    map->entries = hp_kernel_open(path, O_RDONLY);
  if (map->entries < 0) {
    int error = errno;
    hp_pagemap_close(map);
    errno = error;
    return -1;
  }
  map->flags = hp_kernel_open("/proc/kpageflags", O_RDONLY);
  return 0;
}

void hp_pagemap_close(struct hp_pagemap *map) {
  if (map->entries >= 0) close(map->entries);
  if (map->flags >= 0) close(map->flags);
  free(map->page);
  free(map->words);
  free(map->regions);
  *map = (struct hp_pagemap){.entries = -1, .flags = -1};
}
