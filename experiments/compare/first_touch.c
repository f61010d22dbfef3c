/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/compare/first_touch.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/cli/progress.h"
#include "huge_pages/available_memory.h"

#define T struct first_touch
static const struct field base_fields[] = {
    {"as_found", &field_real, MEMBER(T, base_found), .optional = true},
    {"again", &field_real, MEMBER(T, base_again), .optional = true},
    {0}};
static const struct field huge_fields[] = {
    {"as_found", &field_real, MEMBER(T, huge_found), .optional = true},
    {"again", &field_real, MEMBER(T, huge_again), .optional = true},
    {0}};
const struct field first_touch_fields[] = {
    {"4k", &field_object, .of = base_fields},
    {"2m", &field_object, .of = huge_fields},
    {0}};

enum { STEP = 4096, HUGE = 2 << 20 };
static const size_t most_bytes = (size_t)256 << 20, least_bytes = 32 << 20;

/* Where it takes seconds per GiB, the least that is probed says so. */
static const double enough_s = 0.2;

struct touched {
  unsigned char *memory;
  size_t bytes, touched;
};

/* Touch `bytes`, or what can be in `most_s` but least_bytes at least. */
static bool touch(struct touched *region, size_t bytes, int advice,
                  double most_s, double *s_per_gib) {
  region->bytes = bytes + HUGE;
  region->memory = mmap(NULL, region->bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (region->memory == MAP_FAILED) return false;
  bool advised = !madvise(region->memory, region->bytes, advice);
  double begun = progress_now_s();
  size_t at = 0;
  for (; at < bytes; at += STEP) {
    if (at % HUGE == 0 && at >= least_bytes &&
        progress_now_s() - begun > most_s)
      break;
    ((volatile unsigned char *)region->memory)[at] = 1;
  }
  *s_per_gib = (progress_now_s() - begun) * 0x1p30 / (double)at;
  region->touched = at;
  return advised;
}

/* Both kinds are touched before either is freed, or the second would find the
 * memory of the first. */
static void probe(struct first_touch *found, size_t bytes) {
  struct touched base, huge;
  found->known =
      touch(&huge, bytes, MADV_HUGEPAGE, enough_s, &found->huge_found) &&
      touch(&base, bytes, MADV_NOHUGEPAGE, enough_s, &found->base_found) &&
      !munmap(huge.memory, huge.bytes) &&
      touch(&huge, huge.touched, MADV_HUGEPAGE, enough_s, &found->huge_again) &&
      !munmap(base.memory, base.bytes) &&
      touch(&base, base.touched, MADV_NOHUGEPAGE, enough_s, &found->base_again);
}

/* In a process that ends with this one. */
static void run_apart(void (*work)(struct first_touch *found, size_t bytes),
                      struct first_touch *found, size_t bytes) {
  pid_t vat = getpid(), child = fork();
  if (!child) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == vat) work(found, bytes);
    _exit(0);
  }
  if (child > 0) TEMP_FAILURE_RETRY(waitpid(child, NULL, 0));
}

void first_touch_probe(struct first_touch *found) {
  size_t bytes = hp_memory_available() / 8;
  *found = (struct first_touch){.known = false};
  if (bytes > most_bytes) bytes = most_bytes;
  if (bytes < least_bytes) return;
  struct first_touch *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return;
  run_apart(probe, shared, bytes);
  *found = *shared;
  munmap(shared, sizeof *shared);
}

static void warm(struct first_touch *found, size_t bytes) {
  struct touched region;
  touch(&region, bytes, MADV_HUGEPAGE, INFINITY, &found->huge_found);
}

void first_touch_warm(size_t bytes) {
  struct first_touch unused;
  size_t available = hp_memory_available() / 2;
  run_apart(warm, &unused, bytes < available ? bytes : available);
}

/* Of a base page, what faults take besides a part for each byte. */
static double in_faults(double page_bytes) {
  double pages = page_bytes / STEP, entries = page_bytes < HUGE ? pages : 1;
  return (1 + FIRST_TOUCH_FOLIO * (1 - 1 / pages) +
          FIRST_TOUCH_ENTRY * entries) /
         pages;
}

double first_touch_again(const struct first_touch *touch, double page_bytes) {
  double least = in_faults(HUGE), most = in_faults(STEP);
  double at = fmax(0, (in_faults(page_bytes) - least) / (most - least));
  return touch->huge_again + (touch->base_again - touch->huge_again) * at;
}
