/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fork handlers that allocate and free: of a library, whose constructor runs
 * before that of a preloaded one.  Compiled with -DLIBRARY, and without. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *make(size_t bytes);

#ifdef LIBRARY
void *make(size_t bytes) {
  void *at = malloc(bytes);
  if (!at) abort();
  return memset(at, 1, bytes);
}

static void allocate(void) {
  for (size_t bytes = 100; bytes < (size_t)4 << 20; bytes *= 30)
    free(make(bytes));
}

__attribute__((constructor)) static void begin(void) {
  pthread_atfork(allocate, allocate, allocate);
}
#else
static void *churn(void *argument) {
  for (volatile int *stop = argument; !*stop;) free(make(100000));
  return NULL;
}

int main(void) {
  static int stop;
  pthread_t thread;
  alarm(20);
  void *block = make(200000);
  pthread_create(&thread, NULL, churn, &stop);
  for (int i = 0; i < 20; i++) {
    int status = 0;
    pid_t child = fork();
    if (!child) {
      alarm(20);
      free(block);
      free(make(300000));
      _exit(3);
    }
    if (waitpid(child, &status, 0) < 0 || status != 3 << 8) return 1;
  }
  stop = 1;
  pthread_join(thread, NULL);
  free(block);
  puts("forked");
  return 0;
}
#endif
