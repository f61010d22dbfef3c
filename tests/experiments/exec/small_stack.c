/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much stack malloc and free take, each on a fresh stack that is painted
 * before: prints the most, in bytes, and of which call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 64 << 10 };
static _Alignas(4096) char stack[STACK];
static ucontext_t here, there;
static size_t bytes;
static void *block;

__attribute__((noinline)) static void *make(size_t size) {
  void *volatile at = malloc(size);
  return at;
}
__attribute__((noinline)) static void *resize(void *at, size_t size) {
  void *volatile to = realloc(at, size);
  return to;
}

static void allocate(void) { block = make(bytes); }
static void reallocate(void) { block = resize(block, bytes * 3); }
static void release(void) { free(block); }

static size_t used_by(void (*call)(void)) {
  size_t left = 0;
  memset(stack, 0x5a, sizeof stack);
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  there.uc_link = &here;
  makecontext(&there, call, 0);
  swapcontext(&here, &there);
  while (left < sizeof stack && stack[left] == 0x5a) left++;
  return sizeof stack - left;
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {100, 5000, 100000, 3 << 20, 40 << 20};
  static void (*const calls[])(void) = {allocate, reallocate, release};
  static const char *const names[] = {"malloc", "realloc", "free"};
  size_t most = 0, of = 0, by = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t j = 0; j < sizeof calls / sizeof *calls; j++) {
      bytes = sizes[i];
      size_t used = used_by(calls[j]);
      if (argc > 1) printf("%s %zu: %zu\n", names[j], bytes, used);
      if (used > most) {
        most = used;
        of = bytes;
        by = j;
      }
    }
  printf("%zu %s %zu\n", most, names[by], of);
  return argv[0] == NULL;
}
