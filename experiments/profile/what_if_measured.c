/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/what_if_measured.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/results/compared.h"
#include "experiments/results/other_file.h"
#include "experiments/results/weighed.h"

/* Less has no parts to multiply. */
static const double least_told = 0.0005;

static int take(struct what_if_correction *correction, const char *path,
                const json_t *comparison, const char *pages,
                char *const *program) {
  const json_t *kind = compared_kind(comparison, pages);
  if (!kind && !strcmp(pages, "2m")) kind = compared_kind(comparison, "thp");
  if (program && !compared_is_of(comparison, program))
    return fail(VAT_USAGE,
                "--measured %s: it is of another command; fix: vat compare "
                "--json -- PROG >FILE, with the same words",
                path);
  if (!kind) return VAT_OK;
  struct compared_ratio user = compared_user(kind);
  if (!(user.value > 0 && user.lo <= user.value && user.value <= user.hi))
    return fail(VAT_USAGE,
                "--measured %s: too few rounds for an interval; fix: vat "
                "compare --runs 7 --json -- PROG >FILE",
                path);
  *correction = (struct what_if_correction){
      .known = true, .measured = {user.value, user.lo, user.hi}};
  return VAT_OK;
}

int what_if_measured_read(struct what_if_correction *correction,
                          const char *path, const char *pages,
                          char *const *program) {
  char why[PATH_MAX + 400];
  *correction = (struct what_if_correction){.known = false};
  json_t *comparison = json_file_read(path, why, sizeof why);
  if (!comparison) return fail(fail_code(errno), "--measured %s", why);
  int code = VAT_OK;
  if (json_is_array(json_object_get(comparison, "pages")) &&
      json_is_array(json_object_get(comparison, "command"))) {
    code = take(correction, path, comparison, pages, program);
  } else {
    snprintf(why, sizeof why, "%s: is none of vat compare --json", path);
    other_file(path, FILE_COMPARED, why, sizeof why);
    code = fail(VAT_USAGE, "--measured %s", why);
  }
  json_decref(comparison);
  return code;
}

static void weigh(struct what_if_correction *correction,
                  const struct what_if *all, const struct what_if_time *time) {
  const struct what_if_value *ratio = &correction->measured;
  const double told = all->saved_s.value / time->user_s;
  struct weighed saved = weighed_interval(1 - ratio->value, ratio->lo,
                                          ratio->hi, weighed_measured);
  if (!isnan(all->ratio.lo))
    saved = weighed_mean(saved, weighed_interval(told, all->ratio.lo,
                                                 all->ratio.hi, weighed_told));
  correction->told = told;
  correction->saved = saved.value;
  correction->deviation = saved.deviation;
  correction->factor = told >= least_told ? saved.value / told : NAN;
}

/* What saves such a part of what all was predicted to. */
static struct what_if_value corrected(double part,
                                      const struct what_if_correction *by,
                                      double user_s) {
  const double inside = fmin(fmax(part, 0), 1);
  const double off = weighed_told * user_s *
                     hypot(part * by->deviation,
                           inside * (1 - inside) * (by->saved - by->told));
  const double value = part * by->saved * user_s;
  return (struct what_if_value){value, value - off, value + off};
}

void what_if_correct(struct what_if *what, const struct what_if_correction *by,
                     const struct what_if_time *time, size_t sites) {
  const double all = by->told * time->user_s;
  if (!by->known || isnan(by->factor)) return;
  what->saved_s = corrected(what->saved_s.value / all, by, time->user_s);
  for (size_t i = 0; i < sites; i++)
    what->sites[i] = corrected(what->sites[i].value / all, by, time->user_s);
  what->ratio = what_if_ratio(&what->saved_s, time);
}

void what_if_correct_all(struct what_if *all,
                         struct what_if_correction *correction,
                         const struct what_if_time *time, size_t sites) {
  if (!correction->known) return;
  weigh(correction, all, time);
  what_if_correct(all, correction, time, sites);
  all->saved_s = corrected(1, correction, time->user_s);
  all->ratio = what_if_ratio(&all->saved_s, time);
}
