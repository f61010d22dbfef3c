/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What jemalloc does around fork(): it holds all of its locks meanwhile, as do
 * slabs.
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

/* Who holds it forks, or begins jemalloc: then a signal handler may fork. */
static uint8_t held;
static __thread bool mine __attribute__((tls_model("initial-exec")));

void site_forks_hold(void) {
  while (__atomic_test_and_set(&held, __ATOMIC_ACQUIRE)) sched_yield();
  mine = true;
}

void site_forks_release(void) {
  mine = false;
  __atomic_clear(&held, __ATOMIC_RELEASE);
}

/* What is done before a fork is undone after it, and nothing else. */
static unsigned within; /* forks of a handler, while it is held */
static bool prepared;

static void before(void) {
  if (mine) {
    within++;
    return;
  }
  site_forks_hold();
  prepared = of_jemalloc.before != NULL;
  if (prepared) of_jemalloc.before();
  slabs_hold();
}

static void after(void (*undo)(void)) {
  if (within) {
    within--;
    return;
  }
  slabs_release();
  if (prepared) undo();
  site_forks_release();
}
static void in_parent(void) { after(of_jemalloc.in_parent); }
static void in_child(void) { after(of_jemalloc.in_child); }

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
