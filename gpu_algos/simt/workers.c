/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/workers.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>

#include "gpu_algos/simt/block.h"

static struct {
  pthread_mutex_t lock;
  pthread_cond_t start, done;
  pthread_t threads[SIMT_WORKERS_MAX]; /* threads[0] is not used */
  unsigned count;                      /* the caller included */
  unsigned wanted;                     /* those behind it are to end */
  unsigned running;
  uint64_t round;                  /* counts the calls of simt_workers_run() */
  uint64_t seen[SIMT_WORKERS_MAX]; /* the last round of each */
  void (*work)(unsigned worker);
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .start = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER,
          .count = 1,
          .wanted = 1};

static void *serve(void *number) {
  unsigned me = (unsigned)(uintptr_t)number;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    while (me < pool.wanted && pool.round == pool.seen[me])
      pthread_cond_wait(&pool.start, &pool.lock);
    if (me >= pool.wanted) break;
    pool.seen[me] = pool.round;
    pthread_mutex_unlock(&pool.lock);
    pool.work(me);
    pthread_mutex_lock(&pool.lock);
    if (!--pool.running) pthread_cond_signal(&pool.done);
  }
  pthread_mutex_unlock(&pool.lock);
  simt_block_destroy(simt_block);
  return NULL;
}

static void dismiss(unsigned count) {
  pthread_mutex_lock(&pool.lock);
  pool.wanted = count;
  pthread_cond_broadcast(&pool.start);
  pthread_mutex_unlock(&pool.lock);
  while (pool.count > count) pthread_join(pool.threads[--pool.count], NULL);
}

int simt_workers_set(unsigned count) {
  if (!count || count > SIMT_WORKERS_MAX) {
    errno = EINVAL;
    return -1;
  }
  if (count < pool.count) dismiss(count);
  unsigned before = pool.count;
  for (; pool.count < count; pool.count++) {
    pthread_mutex_lock(&pool.lock);
    pool.wanted = pool.count + 1;
    pool.seen[pool.count] = pool.round;
    int error = pthread_create(&pool.threads[pool.count], NULL, serve,
                               (void *)(uintptr_t)pool.count);
    pthread_mutex_unlock(&pool.lock);
    if (error) {
      dismiss(before);
      errno = error;
      return -1;
    }
  }
  return 0;
}

unsigned simt_workers_count(void) { return pool.count; }

void simt_workers_run(void (*work)(unsigned worker)) {
  pthread_mutex_lock(&pool.lock);
  pool.work = work;
  pool.running = pool.count - 1;
  pool.round++;
  pthread_cond_broadcast(&pool.start);
  pthread_mutex_unlock(&pool.lock);
  work(0);
  pthread_mutex_lock(&pool.lock);
  while (pool.running) pthread_cond_wait(&pool.done, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
}
