/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/shares.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct share {
  void (*work)(void *context, uint32_t first, uint32_t end);
  void *context;
  uint32_t first, end;
};

static void *work_on(void *of) {
  const struct share *share = of;
  share->work(share->context, share->first, share->end);
  return NULL;
}

static void *wait_for(void *of) {
  pthread_mutex_t *mutex = of;
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return NULL;
}

int cpu_shares_probe(unsigned threads) {
  pthread_t thread[CPU_SHARES_MAX];
  pthread_mutex_t all_there = PTHREAD_MUTEX_INITIALIZER;
  unsigned started = 0;
  int error = threads > CPU_SHARES_MAX ? EINVAL : 0;
  pthread_mutex_lock(&all_there);
  while (!error && started + 1 < threads) {
    error = pthread_create(&thread[started], NULL, wait_for, &all_there);
    started += !error;
  }
  pthread_mutex_unlock(&all_there);
  while (started) pthread_join(thread[--started], NULL);
  errno = error;
  return error ? -1 : 0;
}

/* A share that gets no thread is done here. */
void cpu_shares_run(unsigned threads, uint32_t count,
                    void (*work)(void *context, uint32_t first, uint32_t end),
                    void *context) {
  pthread_t thread[CPU_SHARES_MAX];
  struct share share[CPU_SHARES_MAX];
  bool started[CPU_SHARES_MAX] = {false};
  for (unsigned t = 0; t < threads; t++) {
    share[t] =
        (struct share){work, context, (uint32_t)((uint64_t)count * t / threads),
                       (uint32_t)((uint64_t)count * (t + 1) / threads)};
    if (t) started[t] = !pthread_create(&thread[t], NULL, work_on, &share[t]);
  }
  for (unsigned t = 0; t < threads; t++)
    if (!started[t]) work_on(&share[t]);
  for (unsigned t = 0; t < threads; t++)
    if (started[t]) pthread_join(thread[t], NULL);
}
