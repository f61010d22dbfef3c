/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events by perf_event_open() itself: raw, generic and software ones.
 *
 * Hardware events are pinned: one that cannot stay on a counter all the time
 * goes into an error state instead of sharing, so no value is ever scaled.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/cli/memory.h"
#include "experiments/machine/counter_backend.h"

struct perf_slot {
  int fds[RUNG_EVENTS];
  size_t count;
};

struct perf {
  struct perf_slot slots[SLOTS_MAX];
  size_t count;
};

/* As the kernel writes it for the read_format below. */
struct perf_value {
  uint64_t value, enabled_ns, running_ns;
};

static void *perf_open(void) { return memory_zeroed(1, sizeof(struct perf)); }

static void slot_close(struct perf_slot *slot) {
  while (slot->count) close(slot->fds[--slot->count]);
}

static void perf_drop(void *state) {
  struct perf *perf = state;
  slot_close(&perf->slots[--perf->count]);
}

static void perf_close(void *state) {
  struct perf *perf = state;
  while (perf->count) perf_drop(perf);
  free(perf);
}

int counter_event_open(const struct counter_event *event, pid_t pid) {
  struct perf_event_attr attr = {
      .type = event->type,
      .size = sizeof attr,
      .config = event->config,
      .read_format =
          PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
      .disabled = 1,
      .inherit = pid != 0,
      .pinned = !pid && event->type != PERF_TYPE_SOFTWARE,
      .exclude_kernel = 1,
      .exclude_hv = 1,
      .enable_on_exec = pid != 0,
  };
  return (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1,
                      PERF_FLAG_FD_CLOEXEC);
}

/* A pinned event in its error state reads as end of file. */
int counter_event_read(int fd, struct counter_reading *reading) {
  struct perf_value value = {0};
  ssize_t got = read(fd, &value, sizeof value);
  if (got < 0) return -1;
  reading->value += value.value;
  if (got != sizeof value || value.running_ns < value.enabled_ns)
    reading->lost = true;
  return 0;
}

static int slots_control(const struct perf_slot *slots, size_t count,
                         unsigned long request) {
  for (const struct perf_slot *slot = slots; slot < slots + count; slot++)
    for (size_t i = 0; i < slot->count; i++)
      if (ioctl(slot->fds[i], request, 0)) return -1;
  return 0;
}

static int slots_start(const struct perf_slot *slots, size_t count) {
  if (slots_control(slots, count, PERF_EVENT_IOC_RESET)) return -1;
  return slots_control(slots, count, PERF_EVENT_IOC_ENABLE);
}

static int slot_read(const struct perf_slot *slot,
                     struct counter_reading *reading) {
  *reading = (struct counter_reading){0};
  for (size_t i = 0; i < slot->count; i++)
    if (counter_event_read(slot->fds[i], reading)) return -1;
  return 0;
}

/* The reason for an errno of perf_event_open(). */
static enum counter_missing missing_of(int error) {
  switch (error) {
    case EACCES:
      return MISSING_PARANOID;
    case EPERM: /* seccomp says so; the kernel itself, under lockdown */
      return MISSING_FORBIDDEN;
    case ENOSYS:
      return MISSING_NO_PERF;
    case EBUSY:
    case ENOSPC:
      return MISSING_NOT_FREE;
    default:
      return MISSING_REFUSED;
  }
}

static enum counter_missing slot_open(struct perf_slot *slot,
                                      const struct rung *rung) {
  struct counter_reading reading;
  for (slot->count = 0; slot->count < rung->count; slot->count++) {
    int fd = counter_event_open(&rung->events[slot->count], 0);
    if (fd < 0) return missing_of(errno);
    slot->fds[slot->count] = fd;
  }
  if (slots_start(slot, 1) || slots_control(slot, 1, PERF_EVENT_IOC_DISABLE) ||
      slot_read(slot, &reading))
    return missing_of(errno);
  return reading.lost ? MISSING_NOT_FREE : MISSING_NONE;
}

static enum counter_missing perf_add(void *state, const struct rung *rung) {
  struct perf *perf = state;
  struct perf_slot *slot = &perf->slots[perf->count];
  enum counter_missing missing = slot_open(slot, rung);
  if (missing)
    slot_close(slot);
  else
    perf->count++;
  return missing;
}

static int perf_start(void *state) {
  const struct perf *perf = state;
  return slots_start(perf->slots, perf->count);
}

/* All are stopped before any is read. */
static int perf_stop(void *state, struct counter_reading readings[SLOTS_MAX]) {
  const struct perf *perf = state;
  if (slots_control(perf->slots, perf->count, PERF_EVENT_IOC_DISABLE))
    return -1;
  for (size_t i = 0; i < perf->count; i++)
    if (slot_read(&perf->slots[i], &readings[i])) return -1;
  return 0;
}

const struct counter_backend counter_perf = {
    .name = "perf",
    .open = perf_open,
    .close = perf_close,
    .add = perf_add,
    .drop = perf_drop,
    .start = perf_start,
    .stop = perf_stop,
};
