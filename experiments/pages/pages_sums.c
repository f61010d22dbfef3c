/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pages/pages_sums.h"

#include <config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

void pages_on_add(struct pages_on *on, const char *name, size_t bytes,
                  size_t once) {
  size_t i = 0;
  if (!bytes) return;
  while (*on->kinds[i].name && strcmp(on->kinds[i].name, name)) i++;
  if (i >= PAGES_KINDS - 1) return;
  snprintf(on->kinds[i].name, sizeof on->kinds[i].name, "%s", name);
  on->kinds[i].bytes += bytes;
  on->kinds[i].once += once;
}

size_t pages_on_of(const struct pages_on *on, const char *name) {
  for (size_t i = 0; *on->kinds[i].name; i++)
    if (!strcmp(on->kinds[i].name, name)) return on->kinds[i].bytes;
  return 0;
}

void pages_whys_add(struct pages_whys *whys, const struct pages_why *why) {
  size_t i = 0;
  while (i < whys->count && whys->at[i].reason != why->reason) i++;
  if (i == whys->count) {
    struct pages_why *row = ARRAY_ADD(whys->at, whys->count);
    *row = (struct pages_why){.reason = why->reason};
  }
  struct pages_why *row = &whys->at[i];
  row->bytes += why->bytes;
  row->once += why->once;
  row->could += why->could;
  row->more += why->more;
  if (why->most <= row->most) return;
  row->most = why->most;
  memcpy(row->fix, why->fix, sizeof row->fix);
}

static int more_bytes(const void *a, const void *b) {
  const struct pages_why *x = a, *y = b;
  return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

void pages_whys_sort(struct pages_whys *whys) {
  if (whys->count) qsort(whys->at, whys->count, sizeof *whys->at, more_bytes);
}

void pages_whys_fini(struct pages_whys *whys) {
  free(whys->at);
  *whys = (struct pages_whys){0};
}

size_t pages_whys_could(const struct pages_whys *whys) {
  size_t sum = 0;
  for (size_t i = 0; i < whys->count; i++) sum += whys->at[i].could;
  return sum;
}
