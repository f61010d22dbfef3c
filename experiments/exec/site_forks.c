/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What jemalloc does around fork(): it holds all of its locks meanwhile.
 *
 * Handlers that run before a fork run in the reverse of the order in which they
 * were registered, those after it in that order.  A handler that allocates must
 * find no lock held, so ours have to be the first that anybody registers: then
 * they run last before a fork and first after it, as those of malloc in glibc
 * do.  Constructors of the program's libraries may run before ours, so that
 * their registering is interposed.
 */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "experiments/exec/site.h"

typedef void handler(void);
typedef int registering(handler *, handler *, handler *, void *);

static struct { handler *before, *in_parent, *in_child; } of_jemalloc;

static void before(void) {
  while (arena_begins()) sched_yield();
  if (of_jemalloc.before) of_jemalloc.before();
}
static void in_parent(void) {
  if (of_jemalloc.in_parent) of_jemalloc.in_parent();
}
static void in_child(void) {
  if (of_jemalloc.in_child) of_jemalloc.in_child();
}

static registering *real(void) {
  static registering *known;
  static bool begun;
  if (known) return known;
  void *found = dlsym(RTLD_NEXT, "__register_atfork");
  if (!found) return NULL;
  registering *function;
  memcpy(&function, &found, sizeof function);
  if (!__atomic_test_and_set(&begun, __ATOMIC_ACQUIRE))
    function(before, in_parent, in_child, NULL);
  return known = function;
}

void site_forks_begin(void) { real(); }

/* pthread_atfork() of glibc calls it. */
int __register_atfork(handler *, handler *, handler *, void *);
SHIM_EXPORT int __register_atfork(handler *prepare, handler *parent,
                                  handler *child, void *object) {
  registering *function = real();
  return function ? function(prepare, parent, child, object) : ENOMEM;
}

/* jemalloc's own. */
int site_je_pthread_atfork(handler *, handler *, handler *);
int site_je_pthread_atfork(handler *prepare, handler *parent, handler *child) {
  of_jemalloc.in_parent = parent;
  of_jemalloc.in_child = child;
  of_jemalloc.before = prepare;
  return real() ? 0 : ENOMEM;
}
