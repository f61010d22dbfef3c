/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of 100 bytes in threads: prints the kB of its memory on huge pages, or
 * with "resident" all of it.
 *
 *   thread_blocks THREADS KIB [resident] [locked]
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static pthread_barrier_t barrier;
static size_t blocks;

static void *work(void *unused) {
  for (size_t i = 0; i < blocks; i++) {
    char *volatile block = malloc(100);
    if (!block) abort();
    memset(block, 1, 100);
  }
  pthread_barrier_wait(&barrier); /* all have it */
  pthread_barrier_wait(&barrier); /* it was looked at */
  return unused;
}

static unsigned long kb_of(const char *key) {
  char line[256];
  unsigned long kb = 0;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, key, strlen(key)))
      kb = strtoul(line + strlen(key), NULL, 10);
  if (file) fclose(file);
  return kb;
}

int main(int words, char **word) {
  pthread_t thread[64];
  pthread_attr_t how;
  int threads = words > 2 ? atoi(word[1]) : 0;
  blocks = threads ? (size_t)atoi(word[2]) * 1024 / 112 : 0;
  if (threads < 1 || threads > 64) return 2;
  if (words > 4 && mlockall(MCL_CURRENT | MCL_FUTURE)) return 77;
  pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
  pthread_attr_init(&how);
  pthread_attr_setstacksize(&how, 64 << 10);
  for (int i = 0; i < threads; i++)
    if (pthread_create(&thread[i], &how, work, NULL)) return 1;
  pthread_barrier_wait(&barrier);
  printf("%lu\n", kb_of(words > 3 ? "Rss:" : "AnonHugePages:"));
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  return 0;
}
