/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library to preload that starts a thread before main(). */
#include <pthread.h>
#include <unistd.h>

static void *rest(void *nothing) {
  pause();
  return nothing;
}

__attribute__((constructor)) static void begin(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, rest, NULL);
}
