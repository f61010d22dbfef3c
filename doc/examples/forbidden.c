/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of 64 MiB in a process that forbids huge pages for itself, as some
 * servers do.  It waits until it is ended. */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

char *table;

int main(void) {
  size_t bytes = 64 << 20;
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  table = aligned_alloc(2 << 20, bytes);
  if (!table) return 1;
  memset(table, 1, bytes);
  return pause();
}
