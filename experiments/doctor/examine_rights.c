/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "experiments/doctor/doctor.h"
#include "experiments/machine/counter_backend.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/page_kind.h"

static void examine_counting(struct findings *findings) {
  struct counter_site site;
  counter_site_read(&site);
  if (site.paranoid == -2)
    findings_lack(findings, "counting",
                  "boot a kernel built with CONFIG_PERF_EVENTS",
                  "this kernel has no perf events");
  else if (site.may_perf)
    findings_ok(findings, "counting",
                "by capability, at perf_event_paranoid %d", site.paranoid);
  else if (site.paranoid <= 2)
    findings_ok(findings, "counting",
                "perf_event_paranoid %d: in user mode, all that vat needs",
                site.paranoid);
  else
    findings_lack(findings, "counting",
                  "sudo sysctl kernel.perf_event_paranoid=2",
                  "perf_event_paranoid %d forbids it, and this process has "
                  "no CAP_PERFMON",
                  site.paranoid);
}

/* 0, or the errno of writing a pool's size. */
static int pool_error(const struct hp_kind *kind) {
  char path[PATH_MAX], full[PATH_MAX];
  snprintf(path, sizeof path,
           "/sys/kernel/mm/hugepages/hugepages-%zukB/nr_hugepages",
           kind->bytes / 1024);
  if (hp_kernel_path(path, full, sizeof full)) return errno;
  return access(full, W_OK) ? errno : 0;
}

static void examine_reserving(struct findings *findings) {
  char mend[256];
  int error = ENOENT;
  for (size_t i = 0; i < hp_kind_count() && error == ENOENT; i++)
    if (hp_kind_at(i)->pooled) error = pool_error(hp_kind_at(i));
  snprintf(mend, sizeof mend, "sudo %s run --reserve", program_invocation_name);
  if (!error)
    findings_ok(findings, "pools", "may be grown for a run, by --reserve");
  else if (error == ENOENT)
    findings_lack(findings, "pools",
                  "boot a kernel built with CONFIG_HUGETLBFS",
                  "this kernel has none to grow");
  else if (error == EROFS)
    findings_lack(findings, "pools",
                  "run outside of the container, or start it --privileged",
                  "cannot be grown: /sys is read-only here");
  else
    findings_lack(findings, "pools", mend,
                  "only root can grow them for a run (--reserve)");
}

void examine_rights(struct findings *findings,
                    const struct counters *counters) {
  (void)counters;
  findings_info(findings, "user", "%s", findings->root ? "root" : "not root");
  examine_counting(findings);
  examine_reserving(findings);
}
