/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/machine/caches.h -- the caches that the first processor uses. */
#pragma once
#include <stddef.h>

enum { CACHES_MAX = 8 };

struct cache {
  unsigned level;
  const char *type; /* "data", "instruction", "unified" */
  size_t bytes;
  size_t line_bytes;  /* 0: unknown */
  unsigned shared_by; /* processors, this one included */
};

/* Level ascending, data before instruction.  Returns how many; 0: unknown. */
size_t caches_read(struct cache caches[CACHES_MAX]);

/* The two ways: by hwloc (0 where not built in), and by /sys alone. */
size_t caches_read_hwloc(struct cache caches[CACHES_MAX]);
size_t caches_read_sysfs(struct cache caches[CACHES_MAX]);
