/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/doctor/doctor.h"
#include "experiments/results/machine_record.h"
#include "huge_pages/pool.h"
#include "huge_pages/size_text.h"

/* "pool: 512 pages of 2 MiB, 512 free; 1 GiB takes 512" */
static void found_pages(struct findings *findings, const struct hp_kind *kind) {
  char page[HP_SIZE_TEXT], run[HP_SIZE_TEXT];
  struct hp_pool pool;
  hp_size_text(kind->bytes, page);
  hp_size_text(DOCTOR_RUN_BYTES, run);
  if (!kind->pooled || hp_pool_read(kind->bytes, &pool))
    findings_ok(findings, kind->name, "pages of %s, no pool needed", page);
  else
    findings_ok(findings, kind->name,
                "pool of %zu pages of %s, %zu free; %s takes %zu", pool.total,
                page, pool.free, run, DOCTOR_RUN_BYTES / kind->bytes);
}

static void found_settings(struct findings *findings,
                           const struct hp_kind *kind) {
  const struct hp_setting *setting = kind->settings;
  char choice[MACHINE_CHOICE];
  for (; setting && setting->name; setting++)
    if (machine_choice(setting->path, choice))
      findings_info(findings, setting->name, "%s: %s", choice,
                    setting->meaning);
}

void examine_pages(struct findings *findings, const struct counters *counters) {
  char run[HP_SIZE_TEXT];
  (void)counters;
  hp_size_text(DOCTOR_RUN_BYTES, run);
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    struct hp_lack lack;
    if (!hp_kind_explain(kind, DOCTOR_RUN_BYTES, &lack))
      found_pages(findings, kind);
    else
      findings_lack(findings, kind->name, lack.mend, "for a run of %s: %s", run,
                    lack.why);
  }
  for (size_t i = 0; i < hp_kind_count(); i++)
    found_settings(findings, hp_kind_at(i));
}
