/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/memory.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/progress.h"

enum { CLEAN_UPS_MOST = 8 };

static pid_t owner; /* the process of main(); 0: not known */
static struct clean_up {
  void (*clean)(void *context);
  void *context;
  pid_t process;
} clean_up[CLEAN_UPS_MOST];
static unsigned clean_ups;

void memory_begin(void) {
  owner = getpid();
  json_set_alloc_funcs(memory_get, free);
}

void memory_clean_up(void (*clean)(void *context), void *context) {
  if (!clean && clean_ups) clean_ups--;
  if (!clean) return;
  if (clean_ups == CLEAN_UPS_MOST) abort(); /* make room */
  clean_up[clean_ups++] = (struct clean_up){clean, context, getpid()};
}

/* From here on no signal may end a step of interruptible() by its jump. */
void memory_exhausted(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  progress_clear_line();
  while (clean_ups--)
    if (clean_up[clean_ups].process == getpid())
      clean_up[clean_ups].clean(clean_up[clean_ups].context);
  clean_ups = 0;
  fail(VAT_ABSENT, "out of memory");
  if (owner && owner != getpid()) _exit(VAT_ABSENT);
  exit(VAT_ABSENT);
}

static void *have(void *memory) {
  if (!memory) memory_exhausted();
  return memory;
}

void *memory_get(size_t bytes) { return have(malloc(bytes ? bytes : 1)); }

void *memory_zeroed(size_t count, size_t size) {
  return have(calloc(count ? count : 1, size));
}

void *memory_grow(void *memory, size_t count, size_t size) {
  return have(reallocarray(memory, count ? count : 1, size));
}

char *memory_text(const char *text) { return have(strdup(text)); }

char *memory_format_list(const char *format, va_list args) {
  char *text;
  if (vasprintf(&text, format, args) < 0) memory_exhausted();
  return text;
}

char *memory_format(const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = memory_format_list(format, args);
  va_end(args);
  return text;
}

FILE *memory_stream(char **text, size_t *length) {
  return have(open_memstream(text, length));
}

void memory_stream_close(FILE *stream) {
  int bad = ferror(stream);
  if (fclose(stream) || bad) memory_exhausted();
}

void *memory_need(void *made) {
  if (!made && errno == ENOMEM) memory_exhausted();
  return made;
}

int memory_check(int failed) {
  if (failed && errno == ENOMEM) memory_exhausted();
  return failed;
}

void *array_room(void *items, size_t count, size_t size) {
  if (count & (count - 1)) return items;
  return memory_grow(items, count ? 2 * count : 1, size);
}
