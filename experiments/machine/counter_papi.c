/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events by PAPI: libpfm's names, in one event set of the calling thread.
 *
 * Only an event that was added, started and read is there: name_to_code and
 * query say yes to events that this machine cannot count, and the codes of
 * what it cannot differ, so each nonzero one means absent.
 */
#include <errno.h>
#include <papi.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/machine/counter_backend.h"

struct papi {
  int set;
  size_t events; /* in the set, in the order of the slots they belong to */
  const char *names[SLOTS_MAX * RUNG_EVENTS];
  size_t slots;
  size_t slot_events[SLOTS_MAX];
  bool broken; /* its set cannot be started any more: all is lost */
};

/* PAPI is one per process, and stays initialised. */
static int init(void) {
  if (PAPI_is_initialized() == PAPI_NOT_INITED) {
    PAPI_set_debug(PAPI_QUIET);
    if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) return -1;
  }
  return PAPI_set_debug(PAPI_QUIET);
}

static void *papi_open(void) {
  struct papi *papi = memory_zeroed(1, sizeof *papi);
  papi->set = PAPI_NULL;
  if (!init() && !PAPI_create_eventset(&papi->set)) return papi;
  free(papi);
  errno = ENOTSUP;
  return NULL;
}

static void papi_close(void *state) {
  struct papi *papi = state;
  PAPI_cleanup_eventset(papi->set);
  PAPI_destroy_eventset(&papi->set);
  free(papi);
}

static enum counter_missing missing_of(int code) {
  if (code == PAPI_ECNFLCT || code == PAPI_ECOUNT) return MISSING_NOT_FREE;
  return code == PAPI_EPERM ? MISSING_PARANOID : MISSING_REFUSED;
}

static enum counter_missing add_event(struct papi *papi, const char *name) {
  int code;
  if (PAPI_event_name_to_code(name, &code) || PAPI_query_event(code))
    return MISSING_NO_NAME;
  int error = PAPI_add_event(papi->set, code);
  if (error) return missing_of(error);
  papi->names[papi->events++] = name;
  return MISSING_NONE;
}

static void remove_events(struct papi *papi, size_t count) {
  int code;
  while (count-- && papi->events)
    if (!PAPI_event_name_to_code(papi->names[--papi->events], &code))
      PAPI_remove_event(papi->set, code);
}

/*
 * A set that lost its counters cannot be read, so PAPI takes it for running,
 * and would start no other beside it.  Only a new PAPI forgets it, with all
 * sets: there is one at a time in vat.
 */
static void begin_anew(struct papi *papi) {
  size_t events = papi->events;
  PAPI_shutdown();
  papi->set = PAPI_NULL;
  papi->events = 0;
  papi->broken = init() || PAPI_create_eventset(&papi->set);
  for (size_t i = 0; i < events && !papi->broken; i++)
    papi->broken = add_event(papi, papi->names[i]);
}

static bool stop(struct papi *papi, long long *values) {
  int error = PAPI_stop(papi->set, values);
  if (error && error != PAPI_ENOTRUN) begin_anew(papi);
  return !error;
}

static enum counter_missing try_once(struct papi *papi) {
  long long values[SLOTS_MAX * RUNG_EVENTS];
  int error = PAPI_start(papi->set);
  if (error) return missing_of(error);
  return stop(papi, values) ? MISSING_NONE : MISSING_NOT_FREE;
}

static enum counter_missing papi_add(void *state, const struct rung *rung) {
  struct papi *papi = state;
  enum counter_missing missing = papi->broken ? MISSING_LOST : MISSING_NONE;
  size_t added = 0;
  while (!missing && added < rung->count) {
    missing = add_event(papi, rung->events[added].name);
    added += !missing;
  }
  if (!missing) missing = try_once(papi);
  if (!missing)
    papi->slot_events[papi->slots++] = added;
  else
    remove_events(papi, added);
  return missing;
}

static void papi_drop(void *state) {
  struct papi *papi = state;
  remove_events(papi, papi->slot_events[--papi->slots]);
}

static int papi_start(void *state) {
  struct papi *papi = state;
  if (papi->broken || !papi->events || !PAPI_start(papi->set)) return 0;
  errno = EBUSY;
  return -1;
}

static int papi_stop(void *state, struct counter_reading readings[SLOTS_MAX]) {
  struct papi *papi = state;
  long long values[SLOTS_MAX * RUNG_EVENTS] = {0};
  /* PAPI pins its group, and fails to read one that lost its counters. */
  bool lost = papi->broken || (papi->slots && !stop(papi, values));
  size_t event = 0;
  for (size_t i = 0; i < papi->slots; i++) {
    readings[i] = (struct counter_reading){.lost = lost};
    for (size_t k = 0; k < papi->slot_events[i]; k++)
      readings[i].value += (uint64_t)values[event++];
  }
  return 0;
}

const struct counter_backend counter_papi = {
    .name = "PAPI",
    .open = papi_open,
    .close = papi_close,
    .add = papi_add,
    .drop = papi_drop,
    .start = papi_start,
    .stop = papi_stop,
};
