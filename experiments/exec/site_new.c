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

/* A program that begins without the first has none. */
void site_new_begin(void) {
  for (int i = 0; i < COUNT && (!i || known[0]); i++) next(i);
  begun = true;
}

#define BACK __builtin_return_address(0)
#define FRAME __builtin_frame_address(0)
#define TAKE(bytes, alignment)                                           \
  (site_asks(bytes, BACK)                                                \
       ? site_take((bytes) ? (bytes) : 1, alignment, false, BACK, FRAME) \
       : NULL)

/* The arguments that a function has beyond these do no harm: they are in
 * registers. */
#define NEXT_NEW(name, a, b, c)                 \
  do {                                          \
    void *found = next(NUMBER_##name);          \
    function_new *function;                     \
    memcpy(&function, &found, sizeof function); \
    if (found) return function(a, b, c);        \
  } while (0)

#define NEW(name)                                                   \
  void *name(size_t bytes);                                         \
  SHIM_EXPORT void *name(size_t bytes) {                            \
    void *block = TAKE(bytes, 1);                                   \
    if (block) return block;                                        \
    NEXT_NEW(name, bytes, 0, NULL);                                 \
    if (!(block = site_real()->malloc(bytes ? bytes : 1))) abort(); \
    return block;                                                   \
  }
#define NEW_NOTHROW(name)                                     \
  void *name(size_t bytes, const void *nothrow);              \
  SHIM_EXPORT void *name(size_t bytes, const void *nothrow) { \
    void *block = TAKE(bytes, 1);                             \
    if (block) return block;                                  \
    NEXT_NEW(name, bytes, (size_t)nothrow, NULL);             \
    return site_real()->malloc(bytes ? bytes : 1);            \
  }
#define NEW_ALIGNED(name)                                               \
  void *name(size_t bytes, size_t alignment);                           \
  SHIM_EXPORT void *name(size_t bytes, size_t alignment) {              \
    void *block = TAKE(bytes, alignment);                               \
    if (block) return block;                                            \
    NEXT_NEW(name, bytes, alignment, NULL);                             \
    if (!(block = site_real()->memalign(alignment, bytes ? bytes : 1))) \
      abort();                                                          \
    return block;                                                       \
  }
#define NEW_ALIGNED_NOTHROW(name)                                  \
  void *name(size_t bytes, size_t alignment, const void *nothrow); \
  SHIM_EXPORT void *name(size_t bytes, size_t alignment,           \
                         const void *nothrow) {                    \
    void *block = TAKE(bytes, alignment);                          \
    if (block) return block;                                       \
    NEXT_NEW(name, bytes, alignment, nothrow);                     \
    return site_real()->memalign(alignment, bytes ? bytes : 1);    \
  }

NEW(_Znwm)
NEW(_Znam)
NEW_NOTHROW(_ZnwmRKSt9nothrow_t)
NEW_NOTHROW(_ZnamRKSt9nothrow_t)
NEW_ALIGNED(_ZnwmSt11align_val_t)
NEW_ALIGNED(_ZnamSt11align_val_t)
NEW_ALIGNED_NOTHROW(_ZnwmSt11align_val_tRKSt9nothrow_t)
NEW_ALIGNED_NOTHROW(_ZnamSt11align_val_tRKSt9nothrow_t)

#define DELETE(name)                                                      \
  void name(void *block, size_t a, size_t b, const void *c);              \
  SHIM_EXPORT void name(void *block, size_t a, size_t b, const void *c) { \
    int64_t owner = site_owner(block);                                    \
    if (__builtin_expect(owner != SITE_NOBODY, 0)) {                      \
      site_block_free(block, owner);                                      \
      return;                                                             \
    }                                                                     \
    void *found = next(NUMBER_##name);                                    \
    function_delete *function;                                            \
    memcpy(&function, &found, sizeof function);                           \
    if (found)                                                            \
      function(block, a, b, c);                                           \
    else                                                                  \
      site_real()->free(block);                                           \
  }

/* Sizes and alignments are passed on as they came. */
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm)
DELETE(_ZdaPvm)
DELETE(_ZdlPvRKSt9nothrow_t)
DELETE(_ZdaPvRKSt9nothrow_t)
DELETE(_ZdlPvSt11align_val_t)
DELETE(_ZdaPvSt11align_val_t)
DELETE(_ZdlPvmSt11align_val_t)
DELETE(_ZdaPvmSt11align_val_t)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t)
