/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/machine/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/machine/counter_backend.h"

struct counter {
  size_t known; /* which of those known, by the processor: enum quantity_id */
  struct counter_info info;
  int backend;
  size_t slot;
};

struct counters {
  struct counter_site site;
  struct counter at[COUNTERS_MAX];
  size_t count;
  const struct counter_source *source; /* NULL: the processor */
  void *states[BACKENDS];              /* NULL where not opened */
  size_t slots[BACKENDS];
  size_t hardware; /* events of the slots but software ones */
};

/* "PAPI native: A + B", "perf raw: r0808 + r0849", "perf software: C". */
static void name_source(struct counter_info *info,
                        const struct counter_backend *backend,
                        const struct rung *rung) {
  static const char *const kinds[] = {[RUNG_NATIVE] = "native",
                                      [RUNG_RAW] = "raw",
                                      [RUNG_GENERIC] = "generic",
                                      [RUNG_SOFTWARE] = "software"};
  int used = snprintf(info->source, sizeof info->source, "%s %s", backend->name,
                      kinds[rung->kind]);
  for (size_t i = 0; i < rung->count; i++) {
    const struct counter_event *event = &rung->events[i];
    char code[24];
    snprintf(code, sizeof code, "r%04llx", (unsigned long long)event->config);
    used += snprintf(info->source + used, sizeof info->source - (size_t)used,
                     "%s%s", i ? " + " : ": ",
                     rung->kind == RUNG_RAW ? code : event->name);
    if (used >= (int)sizeof info->source) return;
  }
}

static int stop_backends(struct counters *c,
                         struct counter_reading (*readings)[SLOTS_MAX]) {
  int error = 0;
  for (int i = BACKENDS - 1; i >= 0; i--)
    if (c->states[i] && c->site.backends[i]->stop(c->states[i], readings[i]))
      error = errno;
  errno = error;
  return error ? -1 : 0;
}

/* What a backend starts alone may find no counter free beside the other's. */
static enum counter_missing try_all(struct counters *c) {
  struct counter_reading readings[BACKENDS][SLOTS_MAX] = {0};
  if (counters_start(c) || stop_backends(c, readings)) return MISSING_NOT_FREE;
  for (int i = 0; i < BACKENDS; i++)
    for (size_t slot = 0; slot < c->slots[i]; slot++)
      if (readings[i][slot].lost) return MISSING_NOT_FREE;
  return MISSING_NONE;
}

static enum counter_missing try_rung(struct counters *c,
                                     struct counter *counter,
                                     const struct rung *rung) {
  int number = rung->kind == RUNG_NATIVE ? BACKEND_PAPI : BACKEND_PERF;
  const struct counter_backend *backend = c->site.backends[number];
  size_t hardware = rung->kind == RUNG_SOFTWARE ? 0 : rung->count;
  if (!backend) return MISSING_NO_PAPI;
  if (c->hardware + hardware > c->site.events_at_once) return MISSING_NOT_FREE;
  if (!c->states[number]) c->states[number] = backend->open();
  if (!c->states[number]) return MISSING_REFUSED;
  enum counter_missing missing = backend->add(c->states[number], rung);
  if (missing) return missing;
  c->slots[number]++;
  if ((missing = try_all(c))) {
    backend->drop(c->states[number]);
    c->slots[number]--;
    return missing;
  }
  c->hardware += hardware;
  counter->backend = number;
  counter->slot = c->slots[number] - 1;
  counter->info.present = true;
  name_source(&counter->info, backend, rung);
  return MISSING_NONE;
}

/* What no rung at all means: an event never there, or one not known here. */
static enum counter_missing no_rung(const struct counter_site *site) {
  if (site->arch && site->arch->events) return MISSING_NO_EVENT;
  return site->pmu ? MISSING_UNKNOWN_CPU : MISSING_NO_PMU;
}

static void find_rung(struct counters *c, struct counter *counter) {
  struct rung rungs[RUNGS_MAX];
  size_t count =
      ladder_rungs(c->site.arch, (enum quantity_id)counter->known, rungs);
  enum counter_missing missing = count ? MISSING_NONE : no_rung(&c->site);
  for (size_t i = 0; i < count; i++) {
    /* Without a PMU nothing is tried: initialising PAPI takes time. */
    bool possible = rungs[i].kind == RUNG_SOFTWARE || c->site.pmu;
    enum counter_missing this =
        possible ? try_rung(c, counter, &rungs[i]) : MISSING_NO_PMU;
    if (!this) return;
    if (this == MISSING_PARANOID && (c->site.paranoid < 3 || c->site.may_perf))
      this = MISSING_FORBIDDEN;
    if (this > missing) missing = this;
  }
  counter_explain(&counter->info, missing, &c->site);
}

static int add_known(struct counters *c, const char *name) {
  const struct counter_info *info;
  for (size_t i = 0; (info = counters_known(c->source, i)); i++) {
    if (strcmp(info->name, name)) continue;
    c->at[c->count++] = (struct counter){.known = i, .info = *info};
    return 0;
  }
  return -1;
}

/* NULL with EINVAL: a bad name. */
static struct counters *create(const struct counter_source *source,
                               const char *const *names, size_t count) {
  struct counters *c = memory_zeroed(1, sizeof *c);
  c->source = source;
  for (size_t i = 0; i < count; i++) {
    if (i < COUNTERS_MAX && !add_known(c, names[i])) continue;
    free(c);
    errno = EINVAL;
    return NULL;
  }
  return c;
}

/*
 * A hypervisor may let an event be opened and never count it.  Where 0 cannot
 * be, that is absent.
 */
static void probe(struct counters *c) {
  uint64_t values[COUNTERS_MAX];
  bool hardware = false;
  for (size_t i = 0; i < c->count; i++)
    hardware = hardware || (c->at[i].info.present &&
                            quantities[c->at[i].known].always_counts);
  if (!hardware || counters_start(c)) return;
  c->site.exercise();
  if (counters_stop(c, values)) return;
  for (size_t i = 0; i < c->count; i++)
    if (c->at[i].info.present && !values[i] &&
        quantities[c->at[i].known].always_counts)
      counter_explain(&c->at[i].info, MISSING_SILENT, &c->site);
}

struct counters *counters_open_at(const struct counter_site *site,
                                  const char *const *names, size_t count) {
  const char *all[QUANTITY_COUNT];
  if (!names)
    for (names = all, count = 0; count < QUANTITY_COUNT; count++)
      all[count] = quantities[count].info.name;
  struct counters *c = create(NULL, names, count);
  if (!c) return NULL;
  c->site = *site;
  for (size_t i = 0; i < c->count; i++) find_rung(c, &c->at[i]);
  probe(c);
  return c;
}

static struct counters *open_source(const struct counter_source *source,
                                    const char *const *names, size_t count) {
  if (!names)
    for (names = source->usual, count = 0; names[count]; count++) continue;
  struct counters *c = create(source, names, count);
  if (c && source->why) counters_deny(c, source->why, source->fix);
  return c;
}

struct counters *counters_open(const struct counter_source *source,
                               const char *const *names, size_t count) {
  struct counter_site site;
  if (source) return open_source(source, names, count);
  counter_site_read(&site);
  return counters_open_at(&site, names, count);
}

static void close_backends(struct counters *c) {
  for (int i = 0; i < BACKENDS; i++) {
    if (c->states[i]) c->site.backends[i]->close(c->states[i]);
    c->states[i] = NULL;
  }
}

void counters_close(struct counters *c) {
  if (!c) return;
  close_backends(c);
  free(c);
}

void counters_deny(struct counters *c, const char *why, const char *fix) {
  close_backends(c);
  for (size_t i = 0; i < c->count; i++)
    counter_set_absent(&c->at[i].info, why, fix);
}

size_t counters_count(const struct counters *c) { return c->count; }

const struct counter_info *counters_info(const struct counters *c,
                                         size_t index) {
  return index < c->count ? &c->at[index].info : NULL;
}

/* perf starts last and stops first: PAPI's own page faults are not counted. */
int counters_start(struct counters *c) {
  struct counter_reading unused[BACKENDS][SLOTS_MAX];
  if (c->source && c->source->start) c->source->start();
  for (int i = 0; i < BACKENDS; i++) {
    if (!c->states[i] || !c->site.backends[i]->start(c->states[i])) continue;
    int error = errno;
    stop_backends(c, unused);
    errno = error;
    return -1;
  }
  return 0;
}

int counters_stop(struct counters *c, uint64_t values[COUNTERS_MAX]) {
  struct counter_reading readings[BACKENDS][SLOTS_MAX] = {0};
  if (c->source) {
    uint64_t all[COUNTER_SOURCE_MAX] = {0};
    if (c->source->read) c->source->read(all);
    for (size_t i = 0; i < c->count; i++) values[i] = all[c->at[i].known];
    return 0;
  }
  if (stop_backends(c, readings)) return -1;
  for (size_t i = 0; i < c->count; i++) {
    struct counter *counter = &c->at[i];
    values[i] = 0;
    if (!counter->info.present) continue;
    struct counter_reading reading = readings[counter->backend][counter->slot];
    if (reading.lost)
      counter_explain(&counter->info, MISSING_LOST, &c->site);
    else
      values[i] = reading.value;
  }
  return 0;
}

const struct counter_info *counters_known(const struct counter_source *source,
                                          size_t index) {
  if (source) return source->known(index);
  return index < QUANTITY_COUNT ? &quantities[index].info : NULL;
}
