/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operator new and delete, by their names in objects (Itanium C++ ABI, 5.1.3).
 * What is not chosen goes on to those that there would be without us, as of
 * the C++ library, which know what to do where there is no memory. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "experiments/exec/site.h"

/* No other C library than glibc has it. */
#pragma weak __libc_single_threaded

static bool has_threads(void) {
  return &__libc_single_threaded && !__libc_single_threaded;
}

typedef void *function_new(size_t, size_t, const void *);
typedef void function_delete(void *, size_t, size_t, const void *);

/* All that are interposed. */
#define NAMES(x)                                                             \
  x(_Znwm) x(_Znam) x(_ZnwmRKSt9nothrow_t) x(_ZnamRKSt9nothrow_t)            \
      x(_ZnwmSt11align_val_t) x(_ZnamSt11align_val_t)                        \
          x(_ZnwmSt11align_val_tRKSt9nothrow_t)                              \
              x(_ZnamSt11align_val_tRKSt9nothrow_t) x(_ZdlPv) x(_ZdaPv)      \
                  x(_ZdlPvm) x(_ZdaPvm) x(_ZdlPvRKSt9nothrow_t)              \
                      x(_ZdaPvRKSt9nothrow_t) x(_ZdlPvSt11align_val_t)       \
                          x(_ZdaPvSt11align_val_t) x(_ZdlPvmSt11align_val_t) \
                              x(_ZdaPvmSt11align_val_t)                      \
                                  x(_ZdlPvSt11align_val_tRKSt9nothrow_t)     \
                                      x(_ZdaPvSt11align_val_tRKSt9nothrow_t)
#define NUMBER(name) NUMBER_##name,
#define TEXT(name) #name,
enum { NAMES(NUMBER) COUNT };
static const char *const names[COUNT] = {NAMES(TEXT)};
static void *known[COUNT];
static bool begun;

/* Of the program's, where it has one: a C++ library that only a module loaded
 * is not in the order that RTLD_NEXT follows.  Once there are threads, one may
 * be in dlopen(), and wait for the one that asks: then malloc() has to do. */
static void *next(int number) {
  void *function = __atomic_load_n(&known[number], __ATOMIC_RELAXED);
  if (function || (begun && has_threads())) return function;
  function = dlsym(RTLD_NEXT, names[number]);
  if (!function && begun && !shim.sandboxed) {
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (library) {
      function = dlsym(library, names[number]);
      dlclose(library);
    }
  }
  __atomic_store_n(&known[number], function, __ATOMIC_RELAXED);
  return function;
}

/* While there is memory they do as malloc() and free(), which are called at
 * once: all are those of GCC's C++ library, whose operators call each other, so
 * that one of the program's would count for others, too. */
static bool plain;

static bool is_of_library(int number) {
  Dl_info info;
  const char *name = NULL;
  if (known[number] && dladdr(known[number], &info) && info.dli_fname)
    name = strrchr(info.dli_fname, '/');
  return name && !strncmp(name, "/libstdc++.so", strlen("/libstdc++.so"));
}

static bool is_here(int number) {
  Dl_info first, own;
  void *at = dlsym(RTLD_DEFAULT, names[number]);
  return at && dladdr(at, &first) && dladdr(names, &own) &&
         first.dli_fbase == own.dli_fbase;
}

/* A program that begins without the first has none. */
void site_new_begin(void) {
  for (int i = 0; i < COUNT && (!i || known[0]); i++) next(i);
  bool all = true;
  for (int i = 0; all && i < COUNT; i++) all = is_of_library(i) && is_here(i);
  plain = all;
  begun = true;
}

/* Never inlined, so that the usual way saves no register for it. */
#define RARE __attribute__((noinline)) static

/* The arguments that a function has beyond its own do no harm: they are in
 * registers. */
RARE void *next_new(int number, size_t bytes, size_t alignment, size_t b,
                    const void *c) {
  void *found = next(number), *block;
  function_new *function;
  memcpy(&function, &found, sizeof function);
  if (found) return function(bytes, b, c);
  if (!bytes) bytes = 1;
  block = alignment > 1 ? site_real()->memalign(alignment, bytes)
                        : site_next.malloc(bytes);
  /* There is no C++ library to throw anything. */
  if (!block && !strstr(names[number], "nothrow")) abort();
  return block;
}

static inline void *pass_new(int number, size_t bytes, const void *nothrow) {
  void *block = plain ? site_next.malloc(bytes) : NULL;
  return block ? block : next_new(number, bytes, 1, (size_t)nothrow, NULL);
}

RARE void *take_or_pass(int number, size_t bytes, const void *nothrow,
                        const void *back, const void *frame) {
  void *block = site_take(bytes ? bytes : 1, 1, false, back, frame);
  return block ? block : pass_new(number, bytes, nothrow);
}

#define NEW(name)                                                       \
  void *name(size_t bytes, const void *nothrow);                        \
  SHIM_EXPORT void *name(size_t bytes, const void *nothrow) {           \
    return site_asks(bytes, SITE_BACK)                                  \
               ? take_or_pass(NUMBER_##name, bytes, nothrow, SITE_BACK, \
                              SITE_FRAME)                               \
               : pass_new(NUMBER_##name, bytes, nothrow);               \
  }
#define NEW_ALIGNED(name)                                               \
  void *name(size_t bytes, size_t alignment, const void *nothrow);      \
  SHIM_EXPORT void *name(size_t bytes, size_t alignment,                \
                         const void *nothrow) {                         \
    void *block = SITE_TAKE(bytes, alignment, false);                   \
    return block ? block                                                \
                 : next_new(NUMBER_##name, bytes, alignment, alignment, \
                            nothrow);                                   \
  }

NEW(_Znwm)
NEW(_Znam)
NEW(_ZnwmRKSt9nothrow_t)
NEW(_ZnamRKSt9nothrow_t)
NEW_ALIGNED(_ZnwmSt11align_val_t)
NEW_ALIGNED(_ZnamSt11align_val_t)
NEW_ALIGNED(_ZnwmSt11align_val_tRKSt9nothrow_t)
NEW_ALIGNED(_ZnamSt11align_val_tRKSt9nothrow_t)

RARE void next_delete(int number, void *block, size_t a, size_t b,
                      const void *c) {
  void *found = next(number);
  function_delete *function;
  memcpy(&function, &found, sizeof function);
  if (found)
    function(block, a, b, c);
  else
    site_next.free(block);
}

/* Sizes and alignments are passed on as they came.  What is aligned goes back
 * to the library, which it came from. */
#define DELETE(name, at_once)                                             \
  void name(void *block, size_t a, size_t b, const void *c);              \
  SHIM_EXPORT void name(void *block, size_t a, size_t b, const void *c) { \
    int64_t owner = site_owner(block);                                    \
    if (__builtin_expect(owner != SITE_NOBODY, 0))                        \
      site_block_free(block, owner);                                      \
    else if (at_once)                                                     \
      site_next.free(block);                                              \
    else                                                                  \
      next_delete(NUMBER_##name, block, a, b, c);                         \
  }

DELETE(_ZdlPv, plain)
DELETE(_ZdaPv, plain)
DELETE(_ZdlPvm, plain)
DELETE(_ZdaPvm, plain)
DELETE(_ZdlPvRKSt9nothrow_t, plain)
DELETE(_ZdaPvRKSt9nothrow_t, plain)
DELETE(_ZdlPvSt11align_val_t, false)
DELETE(_ZdaPvSt11align_val_t, false)
DELETE(_ZdlPvmSt11align_val_t, false)
DELETE(_ZdaPvmSt11align_val_t, false)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, false)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, false)
