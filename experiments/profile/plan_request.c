/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/plan_request.h"

#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/output_path.h"
#include "experiments/profile/profile_request.h"

#define AT(member) OPTION_AT(struct plan_request, member)

static const struct option_row rows[] = {
    {.help = "What is known"},
    {"from", "PROFILE", OPTION_TEXT, AT(from),
     .help = "the profile that vat profile --what-if --save wrote"},
    {"machine", "MACHINE.json", OPTION_TEXTS, AT(machine),
     .items = PROFILE_MACHINES,
     .help = "use this calibration (vat calibrate -o) instead of those that "
             "PROFILE has; may be repeated"},
    {"timed", "RUNS.jsonl", OPTION_TEXT, AT(timed), .conflicts = "user-time",
     .help = "take PROG's time from the 4k runs in the output of vat compare "
             "-o, not from PROFILE"},
    {"measured", "COMPARED.json", OPTION_TEXT, AT(measured),
     .help = "correct what is saved by what vat compare --json measured of all "
             "memory on larger pages"},
    {"user-time", "SECONDS", OPTION_REAL, AT(user_s), .low = 1e-9, .high = 1e9,
     .help = "PROG's user time on base pages is this"},
    {.help = "What is wanted"},
    {"budget", "BYTES", OPTION_SIZE, AT(budget), .most = UINT64_C(1) << 50,
     OPTION_GIVEN(struct plan_request, budget_given),
     .help = "memory that may be on larger pages, such as 200M; without it, "
             "all that saves time"},
    {"pages",
     "thp|thp-16k|thp-32k|thp-64k|thp-128k|thp-256k|thp-512k|thp-1m|2m|1g",
     OPTION_CHOICE, AT(pages), .usual = "thp",
     .help = "transparent huge pages, of 2 MiB or of a size between (vat list "
             "pages), or pages of 2 MiB or 1 GiB from a pool"},
    {.help = "Output"},
    {"output", "PLAN.json", OPTION_FILE, AT(output), .letter = 'o',
     .help = "also write the plan there, for vat exec and vat compare"},
    {"figure", "FILE", OPTION_FILE, AT(figure),
     .help = "also draw the predicted time over the budget: FILE.svg or "
             "FILE.png"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print one JSON object"},
    {0}};

const struct option_table plan_table = {
    .rows = rows,
    .usage = "--from PROFILE",
    .examples =
        "  vat profile --what-if --save prog.profile -- ./prog\n"
        "  vat plan --from prog.profile --budget 200M -o plan.json\n"
        "  vat plan --from prog.profile --figure curve.svg\n",
    .doc =
        "Choose which memory of a profiled program goes on larger pages within "
        "a budget, and report what that saves and costs.",
};

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), of_end = strlen(end);
  return length > of_end && !strcmp(text + length - of_end, end);
}

/* What is written would be lost, or what is to be read. */
static int check_files(const struct plan_request *request) {
  const char *const written[] = {request->output, request->figure};
  const char *const read[] = {request->from, request->timed, request->measured};
  static const char *const option[] = {"-o", "--figure"};
  for (int i = 0; i < 2; i++) {
    if (!written[i]) continue;
    for (size_t k = 0; k < sizeof read / sizeof *read; k++)
      if (read[k] && output_path_same(read[k], written[i]))
        return fail(VAT_USAGE, "%s %s: this file is to be read; name another",
                    option[i], written[i]);
    for (size_t m = 0; m < request->machine.count; m++)
      if (output_path_same(request->machine.at[m], written[i]))
        return fail(VAT_USAGE, "%s %s: this file is to be read; name another",
                    option[i], written[i]);
    if (output_path_try(written[i])) return fail_write(written[i]);
  }
  if (written[0] && written[1] && !strcmp(written[0], written[1]))
    return fail(VAT_USAGE, "-o and --figure %s are one file; fix: two names",
                written[0]);
  return VAT_OK;
}

int plan_request_parse(struct plan_request *request, int argc, char **argv) {
  *request = (struct plan_request){0};
  int code = options_parse(&plan_table, argc, argv, request);
  if (code) return code;
  if (!request->from)
    return fail(VAT_USAGE,
                "no profile; fix: vat profile --what-if --save prog.profile -- "
                "PROG, then vat plan --from prog.profile");
  if (request->figure && !ends_with(request->figure, ".svg") &&
      !ends_with(request->figure, ".png"))
    return fail(VAT_USAGE, "--figure %s: the name must end with .svg or .png",
                request->figure);
  return check_files(request);
}
