/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat doctor: what this machine offers, and how to get what is missing. */
#include <unistd.h>

#include "experiments/cli/json_file.h"
#include "experiments/cli/program.h"
#include "experiments/commands/commands.h"
#include "experiments/doctor/doctor.h"
#include "experiments/results/machine_record.h"
#include "experiments/results/sample.h"

static const struct option_row option_rows[] = {
    {"json", NULL, OPTION_FLAG, .bytes = sizeof(bool),
     .help = "print one JSON object"},
    {0}};

const struct option_table doctor_table = {
    .rows = option_rows,
    .doc =
        "Show what this machine offers: pages and their pools, counters, "
        "rights, software. For each missing part, the next line shows the "
        "fix.\vIt changes nothing and always exits with 0.",
};

static void print_json(const struct findings *findings,
                       const struct counters *counters) {
  json_t *report = json_pack(
      "{s:s, s:i, s:I, s:o, s:o}", "record", "doctor", "schema", RESULTS_SCHEMA,
      "lacks", (json_int_t)findings->missing, "findings",
      findings_to_json(findings), "machine", machine_record(counters));
  json_line(stdout, report, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
}

static void print_text(const struct findings *findings) {
  size_t missing = findings->missing;
  size_t entries = findings_print(stdout, findings);
  printf("\n%zu missing", missing);
  if (entries < missing) printf(" in %zu entries", entries);
  puts(missing ? " (--), each with its fix below it." : ".");
}

int cmd_doctor(int argc, char **argv) {
  bool json = false;
  char path[PATH_MAX];
  struct findings findings = {.root = !geteuid(),
                              .sudo = program_find("sudo", path)};
  int code = options_parse(&doctor_table, argc, argv, &json);
  if (code) return code;
  struct counters *counters = counters_open(NULL, NULL, 0);
  doctor_examine(&findings, counters);
  if (json)
    print_json(&findings, counters);
  else
    print_text(&findings);
  findings_fini(&findings);
  counters_close(counters);
  return VAT_OK;
}
