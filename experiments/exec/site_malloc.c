/* SPDX-License-Identifier: GPL-3.0-or-later */
/* malloc and its like.  Each looks its caller up; operator new is in
 * site_new.c. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/exec/site.h"

/* glibc's own, by names that nobody interposes: while the next malloc is being
 * looked up.  Another C library, of a program that the program executes, has
 * none of these, and needs no malloc to look one up. */
#define WEAK __attribute__((weak))
extern WEAK void *__libc_malloc(size_t);
extern WEAK void *__libc_calloc(size_t, size_t);
extern WEAK void *__libc_realloc(void *, size_t);
extern WEAK void *__libc_memalign(size_t, size_t);
extern WEAK void __libc_free(void *);

/* Each looks the next malloc up, and goes on to it. */
static void *first_malloc(size_t bytes) {
  site_find();
  return site_next.malloc(bytes);
}

static void *first_calloc(size_t count, size_t size) {
  site_find();
  return site_next.calloc(count, size);
}

static void *first_realloc(void *block, size_t bytes) {
  site_find();
  return site_next.realloc(block, bytes);
}

static void first_free(void *block) {
  site_find();
  site_next.free(block);
}

static size_t first_usable_size(void *block) {
  site_find();
  return site_next.malloc_usable_size ? site_next.malloc_usable_size(block) : 0;
}

struct site_real site_next = {.malloc = first_malloc,
                              .calloc = first_calloc,
                              .realloc = first_realloc,
                              .free = first_free,
                              .malloc_usable_size = first_usable_size};
bool site_found;

void site_find_next(void *function, const char *name) {
  void *next = dlsym(RTLD_NEXT, name);
  if (next) memcpy(function, &next, sizeof next);
}

void site_find(void) {
  static uint8_t finding;
  int error = errno;
  if (__atomic_test_and_set(&finding, __ATOMIC_ACQUIRE)) return;
  struct site_real next = {.malloc = __libc_malloc,
                           .calloc = __libc_calloc,
                           .realloc = __libc_realloc,
                           .memalign = __libc_memalign,
                           .free = __libc_free};
  site_next = next;
  site_find_next(&next.malloc, "malloc");
  site_find_next(&next.calloc, "calloc");
  site_find_next(&next.realloc, "realloc");
  site_find_next(&next.memalign, "memalign");
  site_find_next(&next.aligned_alloc, "aligned_alloc");
  site_find_next(&next.posix_memalign, "posix_memalign");
  site_find_next(&next.valloc, "valloc");
  site_find_next(&next.pvalloc, "pvalloc");
  site_find_next(&next.free, "free");
  site_find_next(&next.malloc_usable_size, "malloc_usable_size");
  site_next = next;
  __atomic_store_n(&site_found, true, __ATOMIC_RELEASE);
  errno = error;
}

/* Never inlined: the way of all other blocks is to save no register. */
__attribute__((noinline)) void *site_take(size_t bytes, size_t alignment,
                                          bool zeroed, const void *back,
                                          const void *frame) {
  const struct site_rule *rule = site_choose(bytes, back, frame);
  if (!rule && !shim.sandboxed) rule = site_heap_rule(bytes);
  if (!rule) return NULL;
  int error = errno;
  void *block = site_block(rule, bytes, alignment, zeroed);
  errno = error;
  return block;
}

/* Never inlined, as site_take(). */
__attribute__((noinline)) static void *take_or_malloc(size_t bytes,
                                                      const void *back,
                                                      const void *frame) {
  void *block = site_take(bytes ? bytes : 1, 1, false, back, frame);
  return block ? block : site_next.malloc(bytes);
}

/* Blocks smaller than any rule's pass by one comparison, those of calls that no
 * rule has by two. */
SHIM_EXPORT void *malloc(size_t bytes) {
  return site_asks(bytes, SITE_BACK)
             ? take_or_malloc(bytes, SITE_BACK, SITE_FRAME)
             : site_next.malloc(bytes);
}

/* By a name that a program's own malloc() does not take the place of. */
static __typeof__(malloc) this_malloc
    __attribute__((alias("malloc"), malloc, nothrow));

/* musl has none. */
extern WEAK int dladdr1(const void *, Dl_info *, void **, int);

/* A program at a fixed address that takes the address of malloc() has a jump to
 * it under that name, which is no definition (System V ABI, AMD64, Function
 * Addresses). */
static bool is_only_named(void *at) {
  Dl_info info;
  void *entry = NULL;
  if (!dladdr1 || !dladdr1(at, &info, &entry, RTLD_DL_SYMENT) || !entry)
    return false;
  return ((const ElfW(Sym) *)entry)->st_shndx == SHN_UNDEF;
}

bool site_is_malloc(void) {
  void *first = dlsym(RTLD_DEFAULT, "malloc");
  void *(*function)(size_t);
  memcpy(&function, &first, sizeof function);
  return function == this_malloc || is_only_named(first);
}

uintptr_t shim_malloc_behind(void) {
  return site_is_malloc() ? (uintptr_t)site_real()->malloc : 0;
}

SHIM_EXPORT void *calloc(size_t count, size_t size) {
  size_t bytes;
  void *block = NULL;
  if (!__builtin_mul_overflow(count, size, &bytes))
    block = SITE_TAKE(bytes, 1, true);
  return block ? block : site_next.calloc(count, size);
}

SHIM_EXPORT void free(void *block) {
  int64_t owner = site_owner(block);
  if (__builtin_expect(owner == SITE_NOBODY, 1))
    site_next.free(block);
  else
    site_block_free(block, owner);
}

/* By copying, to where `taken` says or the program's own malloc. */
static void *copy(void *block, int64_t owner, size_t bytes, void *taken) {
  size_t had = owner == SITE_NOBODY ? site_next.malloc_usable_size(block)
                                    : site_block_size(block, owner);
  void *to = taken ? taken : site_next.malloc(bytes);
  if (!to) return NULL;
  memcpy(to, block, had < bytes ? had : bytes);
  free(block);
  return to;
}

/* Does a block of an arena become one with a mapping of its own? */
static bool is_to_be_apart(void *block, int64_t owner, size_t bytes,
                           const void *back, const void *frame) {
  if (bytes >= SITE_OWN_LEAST) return true;
  if (!site_in_parts || bytes < THP || bytes <= site_block_size(block, owner))
    return false;
  const struct site_rule *rule = site_choose(bytes, back, frame);
  return rule && site_rule_is_part(rule);
}

static void *resize(void *block, size_t bytes, const void *back,
                    const void *frame) {
  int64_t owner = site_owner(block);
  bool other = owner == SITE_NOBODY ||
               (owner < 0 && is_to_be_apart(block, owner, bytes, back, frame));
  void *taken = other && site_asks(bytes, back) && site_next.malloc_usable_size
                    ? site_take(bytes, 1, false, back, frame)
                    : NULL;
  if (taken) return copy(block, owner, bytes, taken);
  if (owner == SITE_NOBODY) return site_next.realloc(block, bytes);
  int error = errno;
  void *to = site_block_resize(block, owner, bytes);
  errno = error;
  return to ? to : copy(block, owner, bytes, NULL);
}

static void *reallocate(void *block, size_t bytes, const void *back,
                        const void *frame) {
  if (block && bytes) return resize(block, bytes, back, frame);
  if (block && site_owner(block) != SITE_NOBODY) {
    free(block);
    return NULL;
  }
  void *taken = !block && site_asks(bytes, back)
                    ? site_take(bytes ? bytes : 1, 1, false, back, frame)
                    : NULL;
  return taken ? taken : site_next.realloc(block, bytes);
}

SHIM_EXPORT void *realloc(void *block, size_t bytes) {
  return reallocate(block, bytes, SITE_BACK, SITE_FRAME);
}

SHIM_EXPORT void *reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return reallocate(block, bytes, SITE_BACK, SITE_FRAME);
}

static bool is_power(size_t alignment) {
  return alignment && !(alignment & (alignment - 1));
}

SHIM_EXPORT void *memalign(size_t alignment, size_t bytes) {
  void *block = is_power(alignment) ? SITE_TAKE(bytes, alignment, false) : NULL;
  return block ? block : site_real()->memalign(alignment, bytes);
}

SHIM_EXPORT void *aligned_alloc(size_t alignment, size_t bytes) {
  void *block = is_power(alignment) ? SITE_TAKE(bytes, alignment, false) : NULL;
  if (block) return block;
  return site_next.aligned_alloc ? site_next.aligned_alloc(alignment, bytes)
                                 : site_real()->memalign(alignment, bytes);
}

SHIM_EXPORT int posix_memalign(void **to, size_t alignment, size_t bytes) {
  bool good = is_power(alignment) && alignment % sizeof(void *) == 0;
  void *block = good ? SITE_TAKE(bytes, alignment, false) : NULL;
  if (!block && site_real()->posix_memalign)
    return site_next.posix_memalign(to, alignment, bytes);
  if (!good) return EINVAL;
  if (!block) block = site_next.memalign(alignment, bytes);
  if (!block) return ENOMEM;
  *to = block;
  return 0;
}

SHIM_EXPORT void *valloc(size_t bytes) {
  void *block = SITE_TAKE(bytes, 4096, false);
  return block ? block : site_real()->memalign(4096, bytes);
}

SHIM_EXPORT void *pvalloc(size_t bytes) {
  size_t whole = (bytes + 4095) & ~(size_t)4095;
  void *block = whole >= bytes ? SITE_TAKE(whole, 4096, false) : NULL;
  return block || !site_real()->pvalloc ? block : site_next.pvalloc(bytes);
}

SHIM_EXPORT size_t malloc_usable_size(void *block) {
  int64_t owner = site_owner(block);
  if (owner != SITE_NOBODY) return site_block_size(block, owner);
  return block && site_next.malloc_usable_size
             ? site_next.malloc_usable_size(block)
             : 0;
}
