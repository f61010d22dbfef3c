/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/shares.h"

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
