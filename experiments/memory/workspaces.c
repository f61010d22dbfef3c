/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/memory/workspaces.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/option_row.h"
#include "experiments/cli/spelling.h"
#include "huge_pages/available_memory.h"
#include "huge_pages/thp_alone.h"

/* SIZE_MAX on overflow. */
static size_t round_up(size_t bytes, size_t unit) {
  size_t all, units = bytes / unit + (bytes % unit != 0);
  return __builtin_mul_overflow(units, unit, &all) ? SIZE_MAX : all;
}

/* Free pages of `kind`'s pool in bytes; false where it has no pool. */
static bool pool_free_bytes(const struct hp_kind *kind, size_t *bytes) {
  struct hp_pool pool;
  if (!kind->pooled || hp_pool_read(kind->bytes, &pool)) return false;
  *bytes = pool.free > pool.reserved
               ? (pool.free - pool.reserved) * pool.page_bytes
               : 0;
  return true;
}

size_t workspace_cost(const struct hp_kind *kind, size_t bytes) {
  size_t need = round_up(bytes, kind->bytes), have;
  if (need == SIZE_MAX || !pool_free_bytes(kind, &have)) return need;
  return need > have ? need - have : 0;
}

/* Is there something that a reservation can take for it? */
static bool can_reserve(const struct hp_kind *kind) {
  size_t have;
  return kind->holding && (!kind->pooled || pool_free_bytes(kind, &have));
}

/* May `kind` be had here, growing its pool if `reserve`?  If not, `missing`. */
static bool is_possible(const struct hp_kind *kind, size_t bytes, bool reserve,
                        struct hp_missing *missing) {
  if (reserve && can_reserve(kind)) return true; /* will be tried */
  return !hp_kind_explain(kind, bytes, missing);
}

/* The same without "sudo " where that is not needed. */
static void drop_sudo(char *fix) {
  static const char sudo[] = "sudo ";
  size_t length = strlen(sudo);
  if (geteuid()) return;
  for (char *at; (at = strstr(fix, sudo));)
    memmove(at, at + length, strlen(at + length) + 1);
}

int workspace_missing(const struct hp_kind *kind,
                      const struct hp_missing *missing, bool optional) {
  char fix[sizeof missing->fix];
  snprintf(fix, sizeof fix, "%s", missing->fix);
  drop_sudo(fix);
  /* A pool can be grown, and a switch set, for the run alone. */
  bool grow = kind->holding && !strncmp(missing->fix, "echo ", 5);
  return fail(VAT_ABSENT, "%s%s pages: %s%s%s%s", optional ? "note: no " : "",
              kind->name, missing->why, *fix ? "; fix: " : "",
              grow ? "--reserve (as root), or " : "", fix);
}

static void explain_reservation(const struct hp_kind *kind, size_t bytes,
                                int error, struct hp_missing *missing) {
  if (error == EACCES) {
    snprintf(missing->why, sizeof missing->why,
             kind->pooled ? "only root can grow the pool of these pages"
                          : "only root can switch these pages on");
    snprintf(missing->fix, sizeof missing->fix, "run this with sudo");
  } else if (error == EROFS) {
    snprintf(missing->why, sizeof missing->why, "/sys is mounted read-only");
    snprintf(missing->fix, sizeof missing->fix,
             "sudo mount -o remount,rw /sys");
  } else if (error == EBUSY) {
    snprintf(missing->why, sizeof missing->why,
             "another vat has held what is needed for a minute");
    snprintf(missing->fix, sizeof missing->fix, "wait until it has ended");
  } else if (error == ENOMEM) {
    snprintf(missing->why, sizeof missing->why,
             "the kernel did not find %zu MiB of free, unfragmented memory",
             round_up(bytes, kind->bytes) >> 20);
    snprintf(missing->fix, sizeof missing->fix,
             "choose a smaller size, or reserve the pages at boot");
  } else if (error == EMFILE || error == ENFILE) {
    snprintf(missing->why, sizeof missing->why, "%s", strerror(error));
    snprintf(missing->fix, sizeof missing->fix,
             "raise the limit of open files (ulimit -n)");
  } else if (!kind->pooled || !hp_kind_explain(kind, bytes, missing)) {
    snprintf(missing->why, sizeof missing->why, "%s", strerror(error));
  }
}

/* Trying would take all memory from others before it fails. */
static bool machine_has(const struct hp_kind *kind, size_t bytes,
                        struct hp_missing *missing) {
  size_t need = workspace_cost(kind, bytes), have = hp_machine_available();
  if (!kind->pooled || need <= have) return true;
  snprintf(missing->why, sizeof missing->why,
           "--reserve needs %zu MiB of memory, and the machine has %zu MiB "
           "available",
           need >> 20, have >> 20);
  snprintf(missing->fix, sizeof missing->fix,
           "a smaller size, or end programs that use memory");
  return false;
}

/* Say whom it waits for, and end with a signal. */
static int on_wait(pid_t holder) {
  static pid_t told;
  if (holder && holder != told)
    fprintf(stderr,
            "vat: note: waits until another vat has restored the switches of "
            "transparent huge pages (its guardian is process %d)\n",
            (int)holder);
  if (holder) told = holder;
  return interrupt_pending();
}

int workspace_reserve(const struct hp_kind *kind, size_t bytes, bool optional,
                      struct hp_reservation **reservation) {
  struct hp_missing missing = {0};
  if (!machine_has(kind, bytes, &missing))
    return workspace_missing(kind, &missing, optional);
  hp_pool_on_wait(on_wait);
  *reservation = hp_pool_reserve(kind, bytes);
  if (*reservation) return VAT_OK;
  if (errno == EINTR) return VAT_FAILED;
  explain_reservation(kind, bytes, errno, &missing);
  return workspace_missing(kind, &missing, optional);
}

int workspace_alone(const struct hp_kind *kind, enum hp_thp_asks asks,
                    bool reserve, struct hp_reservation **reservation) {
  struct hp_missing missing = {0};
  *reservation = NULL;
  if (hp_thp_disabled_explain(&missing))
    return workspace_missing(kind, &missing, false);
  if (!reserve)
    return hp_thp_alone_explain(kind, asks, &missing)
               ? workspace_missing(kind, &missing, false)
               : VAT_OK;
  hp_pool_on_wait(on_wait);
  *reservation = hp_pool_reserve_alone(kind, asks);
  if (*reservation) return VAT_OK;
  if (errno == EINTR) return VAT_FAILED;
  explain_reservation(kind, kind->bytes, errno, &missing);
  return workspace_missing(kind, &missing, false);
}

bool page_set_is_named(const char *list) {
  return list && strcmp(list, "all") != 0;
}

static bool has_kind(const struct page_set *pages, const struct hp_kind *kind) {
  for (size_t i = 0; i < pages->count; i++)
    if (pages->kinds[i] == kind) return true;
  return false;
}

static int add_named(void *at, const char *option, const char *name) {
  struct page_set *pages = at;
  const struct hp_kind *kind = hp_kind_find(name);
  struct spelling spelling = {.typed = name};
  for (size_t i = 0; hp_kind_at(i); i++)
    spelling_offer(&spelling, hp_kind_at(i)->name);
  if (!kind)
    return hp_kind_is_between(name)
               ? fail(VAT_ABSENT,
                      "--%s %s: this kernel has no such pages; see `vat list "
                      "pages`",
                      option, name)
               : fail(VAT_USAGE,
                      "--%s %s: unknown page kind; %ssee `vat list pages`",
                      option, name, spelling_hint(&spelling));
  if (has_kind(pages, kind))
    return fail(VAT_USAGE, "--%s: %s is named twice", option, name);
  pages->kinds[pages->count++] = kind;
  return VAT_OK;
}

int page_set_add(struct page_set *pages, const char *list, bool reserve) {
  struct hp_missing missing;
  if (page_set_is_named(list))
    return option_items(pages, "pages", list, add_named);
  for (size_t i = 0; i < hp_kind_count() && pages->count < PAGE_SET_MAX; i++)
    if (!hp_kind_at(i)->named &&
        is_possible(hp_kind_at(i), 1, reserve, &missing))
      pages->kinds[pages->count++] = hp_kind_at(i);
  if (pages->count) return VAT_OK;
  return fail(VAT_ABSENT, "no page kind is available; vat doctor shows why");
}

/* Name the kinds that are missing from the set since this machine does not have
 * them, and what `bytes` of each would take. */
static void note_missing(const struct page_set *pages, bool reserve,
                         size_t bytes) {
  struct hp_missing missing;
  for (size_t i = 0; i < hp_kind_count(); i++)
    if (!hp_kind_at(i)->named && !has_kind(pages, hp_kind_at(i)) &&
        !is_possible(hp_kind_at(i), bytes, reserve, &missing))
      workspace_missing(hp_kind_at(i), &missing, true);
}

struct mapping {
  struct progress *progress;
  const struct hp_kind *kind;
  size_t done_before, total;
  double start_s;
};

static int on_fault(size_t done, void *context) {
  const struct mapping *m = context;
  double share = (double)(m->done_before + done) / (double)m->total;
  char label[64];
  snprintf(label, sizeof label, "touching memory, %s pages", m->kind->name);
  progress_draw_part(m->progress, share, m->start_s, label);
  return interrupt_pending();
}

/* Drop kind `index` from the set and from the reservations made so far. */
static void drop_kind(struct workspaces *ws, struct page_set *pages,
                      size_t index) {
  hp_pool_release(ws->reservations[index]);
  pages->count--;
  for (size_t i = index; i < pages->count; i++) {
    pages->kinds[i] = pages->kinds[i + 1];
    ws->reservations[i] = ws->reservations[i + 1];
  }
  ws->reservations[pages->count] = NULL;
}

/* Reserve every pool, before any mapping, and see whether switches can be set:
 * or that would show only after minutes of faults. */
static int reserve_all(struct workspaces *ws, struct page_set *pages,
                       size_t bytes, bool optional) {
  for (size_t i = 0; i < pages->count;) {
    ws->count = i;
    int code = can_reserve(pages->kinds[i])
                   ? workspace_reserve(pages->kinds[i], bytes, optional,
                                       &ws->reservations[i])
                   : VAT_OK;
    if (!code && !pages->kinds[i]->pooled) {
      hp_pool_release(ws->reservations[i]);
      ws->reservations[i] = NULL;
    }
    if (code && (!optional || interrupt_pending())) return code;
    if (code)
      drop_kind(ws, pages, i);
    else
      i++;
  }
  ws->count = 0;
  return VAT_OK;
}

/* A switch is needed for faults, not for what they gave; and on for longer, it
 * would put other sizes into regions, such as that of base pages. */
static int map_region(struct hp_region *region, struct mapping *m, size_t bytes,
                      bool reserve) {
  struct hp_reservation *held = NULL;
  if (reserve && m->kind->holding && !m->kind->pooled) {
    progress_clear(m->progress);
    held = hp_pool_reserve(m->kind, bytes);
    if (!held && errno == EINTR) return -1;
  }
  int failed = hp_region_map(region, m->kind, bytes, on_fault, m);
  int error = errno;
  hp_pool_release(held);
  errno = error;
  return failed;
}

static int map_all(struct workspaces *ws, struct page_set *pages, size_t bytes,
                   bool reserve, bool optional, struct progress *progress) {
  struct mapping m = {.progress = progress,
                      .total = bytes * pages->count,
                      .start_s = progress_now_s()};
  for (size_t i = 0; i < pages->count;) {
    m.kind = pages->kinds[i];
    if (!map_region(&ws->regions[i], &m, bytes, reserve)) {
      ws->count = ++i;
      m.done_before += bytes;
      continue;
    }
    if (errno == EINTR) return VAT_FAILED;
    struct hp_missing missing = {0};
    int error = errno;
    if (!hp_kind_explain(m.kind, bytes, &missing))
      snprintf(missing.why, sizeof missing.why, "%s", strerror(error));
    progress_clear(progress);
    int code = workspace_missing(m.kind, &missing, optional);
    if (!optional) return code;
    drop_kind(ws, pages, i);
  }
  return VAT_OK;
}

int workspaces_map(struct workspaces *ws, struct page_set *pages, size_t bytes,
                   bool reserve, bool optional, struct progress *progress) {
  *ws = (struct workspaces){0};
  if (optional) note_missing(pages, reserve, bytes);
  int code = reserve ? reserve_all(ws, pages, bytes, optional) : VAT_OK;
  if (!code) code = map_all(ws, pages, bytes, reserve, optional, progress);
  if (!code && !pages->count)
    code = fail(VAT_ABSENT, "no page kind is available; see the notes above");
  progress_clear(progress);
  if (code) workspaces_fini(ws);
  return code;
}

void workspaces_fini(struct workspaces *ws) {
  for (size_t i = 0; i < ws->count; i++) hp_region_unmap(&ws->regions[i]);
  for (size_t i = 0; i < PAGE_SET_MAX; i++)
    hp_pool_release(ws->reservations[i]);
  *ws = (struct workspaces){0};
}
