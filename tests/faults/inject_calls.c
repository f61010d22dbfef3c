/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of libraries that may fail, each as its manual says. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/faults/inject.h"

/* vat's own code, and that of libraries that crash by themselves where memory
 * is short: hwloc 2.9 asserts what it could not allocate, PAPI 7 and libpfm use
 * it unchecked. */
static struct code { uintptr_t start, end; } own, fragile[8];
static unsigned fragile_count;

static struct code code_of(const struct dl_phdr_info *info) {
  struct code code = {0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    code.start = info->dlpi_addr;
    code.end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
  }
  return code;
}

static int note_code(struct dl_phdr_info *info, size_t size, void *context) {
  static const char *const names[] = {"/libhwloc.", "/libpapi.", "/libpfm.",
                                      "/libudev."};
  (void)size, (void)context;
  if (!own.end) own = code_of(info); /* the program is told of first */
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(info->dlpi_name, names[i]) &&
        fragile_count < sizeof fragile / sizeof *fragile)
      fragile[fragile_count++] = code_of(info);
  return 0;
}

static int is_in(struct code code, const void *at) {
  return (uintptr_t)at >= code.start && (uintptr_t)at < code.end;
}

void fault_note_code(void) { dl_iterate_phdr(note_code, NULL); }

static int is_fragile(void **at, int count) {
  for (int i = 0; i < count; i++)
    for (unsigned k = 0; k < fragile_count; k++)
      if (is_in(fragile[k], at[i])) return 1;
  return 0;
}

static void note_frames(void **at, int count) {
  fault_page->fragile = is_fragile(at, count);
  for (int i = 0; i < count && i < FAULT_FRAMES; i++)
    fault_page->frames[i] =
        is_in(own, at[i]) ? (uintptr_t)at[i] - own.start : 0;
}

/* One allocation of each way through vat and its libraries to it. */
static void note_path(void **at, int count, unsigned call) {
  unsigned long way = 1469598103934665603u;
  for (int i = 0; i < count; i++)
    way = (way ^ ((uintptr_t)at[i] & 0xfffffff)) * 1099511628211u;
  if (!way) way = 1;
  for (unsigned i = 0; i < FAULT_PATHS; i++) {
    unsigned slot = (unsigned)(way + i) % FAULT_PATHS;
    unsigned long found = 0;
    if (atomic_compare_exchange_strong(&fault_page->paths[slot].way, &found,
                                       way)) {
      fault_page->paths[slot].first = call;
      fault_page->paths[slot].fragile = is_fragile(at, count);
      return;
    }
    if (found == way) return;
  }
}

static _Thread_local int looking; /* backtrace() may allocate */

int fault_due(enum fault_kind kind) {
  if (!fault_page || looking) return 0;
  unsigned call = atomic_fetch_add(&fault_page->calls[kind], 1) + 1;
  int due = fault_page->kind == (int)kind && fault_page->nth == call;
  if (!due && !(kind == FAULT_MALLOC && fault_page->counting)) return 0;
  void *at[FAULT_FRAMES];
  looking = 1;
  int count = backtrace(at, FAULT_FRAMES);
  if (due)
    note_frames(at, count);
  else
    note_path(at, count, call);
  if (due) atomic_store(&fault_page->fired, 1);
  looking = 0;
  return due;
}

/* The function that this one stands before. */
#define REAL(name)               \
  static __typeof__(&name) real; \
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)

void *malloc(size_t size) {
  REAL(malloc);
  if (!fault_due(FAULT_MALLOC)) return real(size);
  errno = ENOMEM;
  return NULL;
}

void *calloc(size_t count, size_t size) {
  REAL(calloc);
  if (!fault_due(FAULT_MALLOC)) return real(count, size);
  errno = ENOMEM;
  return NULL;
}

void *realloc(void *old, size_t size) {
  REAL(realloc);
  if (!fault_due(FAULT_MALLOC)) return real(old, size);
  errno = ENOMEM;
  return NULL;
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  REAL(posix_memalign);
  return fault_due(FAULT_MALLOC) ? ENOMEM : real(out, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  REAL(aligned_alloc);
  if (!fault_due(FAULT_MALLOC)) return real(alignment, size);
  errno = ENOMEM;
  return NULL;
}

/* jemalloc's; weak, since a vat without it does not call them. */
void *mallocx(size_t size, int flags);
void *mallocx(size_t size, int flags) {
  REAL(mallocx);
  return fault_due(FAULT_MALLOC) ? NULL : real(size, flags);
}

int mallctl(const char *name, void *old, size_t *old_size, void *new,
            size_t new_size);
int mallctl(const char *name, void *old, size_t *old_size, void *new,
            size_t new_size) {
  REAL(mallctl);
  return fault_due(FAULT_MALLOC) ? EAGAIN
                                 : real(name, old, old_size, new, new_size);
}

/* A function of `kind` that returns `failure` when it fails, if vat calls it:
 * what hwloc makes of its own is not ours.  Only addresses and integers are
 * passed on, up to four as the machine passes them. */
#define FAILING(kind, type, failure, name)                            \
  type name(void *a, void *b, void *c, void *d);                      \
  type name(void *a, void *b, void *c, void *d) {                     \
    REAL(name);                                                       \
    if (!is_in(own, __builtin_return_address(0)) || !fault_due(kind)) \
      return real(a, b, c, d);                                        \
    errno = ENOMEM;                                                   \
    return failure;                                                   \
  }

enum { NO_MEMORY = -2, SYSTEM = -3 }; /* PAPI_ENOMEM, PAPI_ESYS */
FAILING(FAULT_PAPI, int, SYSTEM, PAPI_library_init)
FAILING(FAULT_PAPI, int, NO_MEMORY, PAPI_create_eventset)
FAILING(FAULT_PAPI, int, SYSTEM, PAPI_set_debug)
FAILING(FAULT_PAPI, int, NO_MEMORY, PAPI_event_name_to_code)
FAILING(FAULT_PAPI, int, NO_MEMORY, PAPI_query_event)
FAILING(FAULT_PAPI, int, NO_MEMORY, PAPI_add_event)
FAILING(FAULT_PAPI, int, SYSTEM, PAPI_remove_event)
FAILING(FAULT_PAPI, int, SYSTEM, PAPI_start)
FAILING(FAULT_PAPI, int, SYSTEM, PAPI_stop)
FAILING(FAULT_PAPI, int, SYSTEM, PAPI_cleanup_eventset)
FAILING(FAULT_PAPI, int, SYSTEM, PAPI_destroy_eventset)

FAILING(FAULT_HWLOC, int, -1, hwloc_topology_init)
FAILING(FAULT_HWLOC, int, -1, hwloc_topology_load)
FAILING(FAULT_HWLOC, int, -1, hwloc_topology_set_icache_types_filter)
FAILING(FAULT_HWLOC, void *, NULL, hwloc_bitmap_alloc)
FAILING(FAULT_HWLOC, int, -1, hwloc_bitmap_copy)
FAILING(FAULT_HWLOC, int, -1, hwloc_bitmap_only)
FAILING(FAULT_HWLOC, int, -1, hwloc_get_cpubind)
FAILING(FAULT_HWLOC, int, -1, hwloc_set_cpubind)
FAILING(FAULT_HWLOC, void *, NULL, hwloc_get_obj_by_depth)
