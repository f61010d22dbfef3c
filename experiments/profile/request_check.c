/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which options of `vat profile` go together. */
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/cli/command.h"
#include "experiments/cli/output_path.h"
#include "experiments/profile/profile_request.h"

/* By whatever name; but a device takes what it gets. */
static bool same_file(const char *a, const char *b) {
  struct stat one, two;
  bool known = !stat(a, &one) && !stat(b, &two);
  if (!known) return !strcmp(a, b);
  return S_ISREG(one.st_mode) && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

/* Before the program runs for long, as far as it can be known then. */
static int check_written(const char *option, const char *path) {
  if (!output_path_try(path)) return VAT_OK;
  return fail(fail_code(errno),
              "%s %s: cannot be written: %s; mend: a file in a folder that is "
              "there and yours",
              option, path, strerror(errno));
}

/* What is written would be lost, or what is to be read. */
static int check_files(const struct profile_request *request) {
  enum { WRITTEN = 4, OTHERS = 6 };
  struct {
    const char *option, *path;
  } file[OTHERS + PROFILE_MACHINES] = {
      {"-o", request->output},     {"--callgrind", request->callgrind},
      {"--trace", request->trace}, {"--save", request->save},
      {"--from", request->from},   {"--timed", request->timed}};
  unsigned all = OTHERS;
  for (unsigned i = 0; i < request->machine.count; i++, all++) {
    file[all].option = "--machine";
    file[all].path = request->machine.at[i];
  }
  for (unsigned i = 0; i < WRITTEN; i++) {
    int code =
        file[i].path ? check_written(file[i].option, file[i].path) : VAT_OK;
    if (code) return code;
  }
  for (unsigned i = 0; i < WRITTEN; i++)
    for (unsigned k = i + 1; file[i].path && k < all; k++)
      if (file[k].path && same_file(file[i].path, file[k].path))
        return fail(VAT_USAGE, "%s %s and %s %s are one file; mend: two names",
                    file[i].option, file[i].path, file[k].option, file[k].path);
  return VAT_OK;
}

static int check_what_if(const struct profile_request *request) {
  if (!request->what_if) return VAT_OK;
  if (!request->machine.count)
    return fail(VAT_USAGE,
                "--what-if needs to know what misses cost here: vat calibrate "
                "-o MACHINE.json, then --machine MACHINE.json");
  if (request->from && !request->timed && !(request->user_s > 0))
    return fail(VAT_USAGE,
                "--from runs nothing; mend: --timed RUNS.jsonl, as vat compare "
                "-o writes it, or --user-time SECONDS");
  if (!request->from && strncmp(request->pages, "4k", 2))
    return fail(VAT_USAGE,
                "--pages %s: --what-if compares with 4k, which is missing",
                request->pages);
  return VAT_OK;
}

/* Before the program runs, not when its profile is written. */
static int check_saved(const struct profile_request *request) {
  if (!request->save || request->from) return VAT_OK;
  for (char **word = request->program; *word; word++) {
    json_t *text = json_string(*word);
    json_decref(text);
    if (text) continue;
    return fail(VAT_USAGE,
                "--save %s: the command is kept as JSON, and a word of it is "
                "no UTF-8; mend: a link of another name",
                request->save);
  }
  return VAT_OK;
}

int profile_request_check(const struct profile_request *request) {
  bool program = request->program && *request->program;
  if (!program && !request->from)
    return fail(VAT_USAGE, "profile what? `vat profile -- PROG ARG...`");
  if (program && request->from)
    return fail(VAT_USAGE, "--from %s is the profile of a program: name none",
                request->from);
  int code = check_files(request);
  if (!code) code = check_saved(request);
  return code ? code : check_what_if(request);
}
