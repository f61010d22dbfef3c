/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "experiments/cli/program.h"
#include "experiments/doctor/doctor.h"
#include "experiments/machine/versions.h"

void examine_software(struct findings *findings,
                      const struct counters *counters) {
  char path[PATH_MAX];
  (void)counters;
  for (const struct version *v = versions; v->name; v++)
    if (v->version)
      findings_ok(findings, v->title, "%s, for %s",
                  strcmp(v->version, "unknown") ? v->version : "built in",
                  v->serves);
    else
      findings_lack(findings, v->title,
                    "./bootstrap --install-deps && ./configure && make",
                    "vat was built without it: for %s", v->serves);
  if (program_find("gnuplot", path))
    findings_ok(findings, "gnuplot", "%s, for the figures of the report", path);
  else
    findings_lack(findings, "gnuplot", "sudo apt-get install gnuplot-nox",
                  "missing: vat report cannot draw its figures");
}
