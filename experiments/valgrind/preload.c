/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded into the program: tells the tool what malloc() and its like return.
 * They are wrapped, not replaced, so that the heap is laid out as ever.  The
 * names are Valgrind's way to say: such a function, of any library. */
#include <stddef.h>

#include "experiments/valgrind/requests.h"

#define WRAPS(name) __asm__("_vgw00000ZU_Za_" name)

static void tell(void *address, size_t bytes) {
  if (address)
    VALGRIND_DO_CLIENT_REQUEST_STMT(VT_ALLOCATED, address, bytes, 0, 0, 0);
}

static void tell_freed(void *address) {
  if (address) VALGRIND_DO_CLIENT_REQUEST_STMT(VT_FREED, address, 0, 0, 0, 0);
}

void *wrap_malloc(size_t bytes) WRAPS("malloc");
void *wrap_malloc(size_t bytes) {
  OrigFn original;
  void *result;
  VALGRIND_GET_ORIG_FN(original);
  CALL_FN_W_W(result, original, bytes);
  tell(result, bytes);
  return result;
}

void *wrap_calloc(size_t count, size_t bytes) WRAPS("calloc");
void *wrap_calloc(size_t count, size_t bytes) {
  OrigFn original;
  void *result;
  VALGRIND_GET_ORIG_FN(original);
  CALL_FN_W_WW(result, original, count, bytes);
  tell(result, count * bytes);
  return result;
}

void *wrap_realloc(void *old, size_t bytes) WRAPS("realloc");
void *wrap_realloc(void *old, size_t bytes) {
  OrigFn original;
  void *result;
  VALGRIND_GET_ORIG_FN(original);
  CALL_FN_W_WW(result, original, old, bytes);
  if (result || !bytes) tell_freed(old);
  tell(result, bytes);
  return result;
}

void *wrap_memalign(size_t alignment, size_t bytes) WRAPS("memalign");
void *wrap_memalign(size_t alignment, size_t bytes) {
  OrigFn original;
  void *result;
  VALGRIND_GET_ORIG_FN(original);
  CALL_FN_W_WW(result, original, alignment, bytes);
  tell(result, bytes);
  return result;
}

void *wrap_aligned_alloc(size_t alignment, size_t bytes) WRAPS("aligned_alloc");
void *wrap_aligned_alloc(size_t alignment, size_t bytes) {
  OrigFn original;
  void *result;
  VALGRIND_GET_ORIG_FN(original);
  CALL_FN_W_WW(result, original, alignment, bytes);
  tell(result, bytes);
  return result;
}

int wrap_posix_memalign(void **result, size_t alignment, size_t bytes)
    WRAPS("posix_memalign");
int wrap_posix_memalign(void **result, size_t alignment, size_t bytes) {
  OrigFn original;
  int code;
  VALGRIND_GET_ORIG_FN(original);
  CALL_FN_W_WWW(code, original, result, alignment, bytes);
  if (!code) tell(*result, bytes);
  return code;
}

void wrap_free(void *address) WRAPS("free");
void wrap_free(void *address) {
  OrigFn original;
  VALGRIND_GET_ORIG_FN(original);
  tell_freed(address);
  CALL_FN_v_W(original, address);
}
