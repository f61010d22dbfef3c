/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "experiments/calibrate/derivation.h"
#include "huge_pages/size_text.h"

/* Repeated points differ by 3 % on a quiet virtual machine. */
static const double repeat_most = 0.15;

/* What the system reports of near caches is what the curve should show. */
static const double size_factor = 1.6;

void quality_warn(struct calibration *cal, const char *format, ...) {
  if (cal->warning_count == CALIBRATION_WARNINGS) return;
  va_list args;
  va_start(args, format);
  vsnprintf(cal->warnings[cal->warning_count++], CALIBRATION_TEXT, format,
            args);
  va_end(args);
}

static const char noisy[] = "too noisy: ",
                  few[] = "repetitions give no intervals";

void quality_check_noise(struct calibration *cal) {
  const struct cal_noise *noise = &cal->noise;
  size_t kept = 0;
  for (size_t i = 0; i < cal->warning_count; i++)
    if (strncmp(cal->warnings[i], noisy, strlen(noisy)) &&
        !strstr(cal->warnings[i], few))
      memmove(cal->warnings[kept++], cal->warnings[i], CALIBRATION_TEXT);
  cal->warning_count = kept;
  if (noise->canary_range > CALIBRATION_CANARY_MOST)
    quality_warn(cal,
                 "%sa loop without memory varies by %.0f %% (the "
                 "clock changes, or others take the processor): calibrate "
                 "again on an idle machine",
                 noisy, 100 * noise->canary_range);
  if (noise->repeat_range > repeat_most)
    quality_warn(cal,
                 "%sthe same point varies by %.0f %% between "
                 "repetitions (others use the caches or the memory): "
                 "calibrate again on an idle machine",
                 noisy, 100 * noise->repeat_range);
  if (noise->repetitions < CALIBRATION_REPETITIONS)
    quality_warn(cal, "%.0f %s: allow a longer --time-budget, or less --memory",
                 noise->repetitions, few);
}

static void check_levels(struct calibration *cal) {
  if (cal->level_count < 2)
    quality_warn(cal,
                 "the system reports no caches, so the levels are unknown");
  for (size_t i = 0; i + 1 < cal->level_count; i++) {
    const struct cal_level *level = &cal->levels[i];
    double ratio = level->bytes_usable.value / level->bytes_reported;
    if (!(ratio > size_factor || ratio < 1 / size_factor)) continue;
    quality_warn(cal, "of %s %s are reported, and %s are usable: %s",
                 level->name, HP_SIZE_SHOWN((size_t)level->bytes_reported),
                 HP_SIZE_SHOWN((size_t)level->bytes_usable.value),
                 i + 2 < cal->level_count
                     ? "the curve does not confirm the report"
                     : "others have their part of it, or it does not keep "
                       "what was used last");
  }
}

/* Beyond the last cache by so much, its hits are few. */
static const double beyond_caches = 4;

/* Nothing is known of what the chases did not reach. */
static void check_reach(struct calibration *cal) {
  double reach = 0, largest = 0;
  for (size_t i = 0; i < cal->curve_count; i++)
    if (cal->curves[i].count && !cal->curves[i].by_pages)
      reach = fmax(reach, cal->curves[i].points[cal->curves[i].count - 1].x);
  for (size_t i = 0; i < cal->level_count; i++)
    largest = fmax(largest, cal->levels[i].bytes_reported);
  if (!(reach < beyond_caches * largest)) return;
  quality_warn(cal,
               "only %s were measured, too little to separate the last cache "
               "from memory; give --memory %s or more",
               HP_SIZE_SHOWN((size_t)reach),
               HP_SIZE_SHOWN((size_t)(beyond_caches * largest)));
}

/* Entries this many times smaller than the pages show what lies below. */
static const double hidden = 16;

static void check_pages(struct calibration *cal) {
  for (size_t i = 0; i < cal->page_count; i++) {
    const struct cal_pages *pages = &cal->pages[i];
    if (!isfinite(pages->granularity_bytes))
      quality_warn(cal,
                   "%s pages: the curve does not show what a TLB entry maps",
                   pages->kind);
    if (!(pages->granularity_bytes * hidden < pages->page_bytes)) continue;
    quality_warn(cal,
                 "%s pages: a TLB entry maps only %s of them: the host backs "
                 "this machine's memory with small pages; so they make walks "
                 "shorter, and save few of them or none",
                 pages->kind, HP_SIZE_SHOWN((size_t)pages->granularity_bytes));
  }
}

void quality_check(struct calibration *cal) {
  quality_check_noise(cal);
  check_levels(cal);
  check_reach(cal);
  check_pages(cal);
}
