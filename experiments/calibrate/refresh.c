/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/refresh.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/quality.h"
#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/results/machine_record.h"
#include "huge_pages/page_kind.h"

static struct cal_curve *same_curve(struct calibration *cal,
                                    const struct cal_curve *curve) {
  const struct cal_curve *found =
      calibration_curve(cal, curve->name, curve->pages, curve->chains);
  return found ? cal->curves + (found - cal->curves) : NULL;
}

void refresh_merge(struct calibration *cal, struct calibration *fresh) {
  struct cal_curve *grown = memory_grow(
      cal->curves, cal->curve_count + fresh->curve_count + 1, sizeof *grown);
  cal->curves = grown;
  for (size_t i = 0; i < fresh->curve_count; i++) {
    struct cal_curve *old = same_curve(cal, &fresh->curves[i]);
    if (old)
      free(old->points);
    else
      old = &cal->curves[cal->curve_count++];
    *old = fresh->curves[i];
  }
  fresh->curve_count = 0;
  cal->noise = fresh->noise;
  quality_check_noise(cal);
}

/* As --pages has it. */
static void list_kinds(const struct calibration *cal, char *list, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < cal->page_count && used < size; i++)
    used += (size_t)snprintf(list + used, size - used, "%s%s", i ? "," : "",
                             cal->pages[i].kind);
}

static int read_old(const char *path, struct calibration *cal) {
  char why[PATH_MAX + CALIBRATION_TEXT];
  if (calibration_read(cal, path, why, sizeof why))
    return fail(fail_code(errno), "%s", why);
  json_t *here = machine_record(NULL);
  bool same = calibration_is_of(cal, here);
  json_decref(here);
  if (same && cal->page_count) return VAT_OK;
  return fail(VAT_USAGE, "--refresh %s: it is of %s; mend: vat calibrate -o %s",
              path, same ? "no pages" : "another machine", path);
}

static bool is_measured(const struct calibration *fresh, const char *kind) {
  for (size_t i = 0; i < fresh->curve_count; i++)
    if (!strcmp(fresh->curves[i].pages, kind)) return true;
  return false;
}

/* Prices are differences: curves of one hour with those of another are none. */
static int check_kinds(const struct calibration *cal,
                       const struct calibration *fresh) {
  for (size_t i = 0; i < cal->page_count; i++) {
    const char *kind = cal->pages[i].kind;
    bool base = !strcmp(kind, hp_kind_base()->name);
    if (is_measured(fresh, base ? hp_kind_given()->name : kind)) continue;
    return fail(VAT_ABSENT,
                "--refresh: the kernel gave other pages than %s, of which "
                "nothing is known now; mend: less --memory, or vat calibrate",
                kind);
  }
  return VAT_OK;
}

int refresh(const struct calibrate_options *options, struct calibration *cal) {
  char kinds[CALIBRATION_KINDS * (HP_NAME_SIZE + 1)] = "";
  struct calibrate_options here = *options;
  int code = read_old(options->refresh, cal);
  if (code) return code;
  list_kinds(cal, kinds, sizeof kinds);
  here.pages = kinds;
  struct calibration *fresh = memory_get(sizeof *fresh);
  code = calibrate(&here, fresh);
  if (!code) code = check_kinds(cal, fresh);
  if (!code) refresh_merge(cal, fresh);
  calibration_fini(fresh);
  free(fresh);
  return code;
}
