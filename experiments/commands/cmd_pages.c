/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat pages: on which pages the memory of processes is, and why not on larger
 * ones. */
#include <errno.h>
#include <string.h>

#include "experiments/cli/json_file.h"
#include "experiments/commands/commands.h"
#include "experiments/pages/pages_print.h"

struct request {
  int pid;
  bool json;
};

static const struct option_row option_rows[] = {
    {"pid", "PID", OPTION_WHOLE, .letter = 'p', OPTION_AT(struct request, pid),
     .least = 1, .most = 1 << 22, .help = "look at this process"},
    {"json", NULL, OPTION_FLAG, OPTION_AT(struct request, json),
     .help = "print one JSON object"},
    {0}};

const struct option_table pages_table = {
    .rows = option_rows,
    .doc =
        "Show on which pages the memory of a process is, and for what is "
        "not on huge pages, why not, and what changes that.",
};

static int fail_process(int pid) {
  if (errno == ESRCH) return fail(VAT_USAGE, "--pid %d: no such process", pid);
  return fail(VAT_ABSENT,
              "--pid %d: its memory may not be read (%s); fix: "
              "run vat as its owner or as root",
              pid, strerror(errno));
}

int cmd_pages(int argc, char **argv) {
  struct request request = {0};
  struct machine_facts machine;
  struct process_pages pages;
  int code = options_parse(&pages_table, argc, argv, &request);
  if (code) return code;
  machine_facts_read(&machine);
  if (process_pages_read(&pages, request.pid, &machine)) {
    code = fail_process(request.pid);
  } else if (request.json) {
    json_line(stdout, process_pages_json(&pages), JSON_PRESERVE_ORDER);
  } else {
    process_pages_print(stdout, &pages);
  }
  process_pages_fini(&pages);
  return code;
}
