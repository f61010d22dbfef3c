/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat merge: the results of shards and of machines in one file. */
#include <argp.h>
#include <config.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/cli/output_path.h"
#include "experiments/cli/trace_output.h"
#include "experiments/commands/commands.h"
#include "experiments/run/merge.h"

struct options {
  const char **paths;
  size_t count;
  const char *output;
};

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE", 0,
     "write there; a file that is there is replaced, unless what is to be "
     "merged is refused",
     0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
    case 'o':
      options->output = value;
      return 0;
    case ARGP_KEY_ARG:
      options->paths[options->count++] = value;
      return 0;
    case ARGP_KEY_END:
      if (!options->count)
        exit(fail(VAT_USAGE,
                  "merge what? name results files, as `vat run -o FILE` writes "
                  "them"));
      if (!options->output)
        exit(fail(VAT_USAGE, "say where to write: -o FILE"));
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

static int no_file(const struct options *options) {
  return fail(VAT_USAGE, "-o %s: is no regular file; name one",
              options->output);
}

static int check(const struct options *options) {
  struct stat file;
  if (!*options->output) return fail(VAT_USAGE, "-o: '' is no file name");
  if (output_standard(options->output) >= 0)
    return fail(VAT_USAGE,
                "-o %s: results are read from files only; name a file",
                options->output);
  if (!stat(options->output, &file) && !S_ISREG(file.st_mode))
    return no_file(options);
  for (size_t i = 0; i < options->count; i++)
    if (output_path_same(options->paths[i], options->output))
      return fail(VAT_USAGE,
                  "-o %s: is one of the files to merge; name another",
                  options->output);
  return VAT_OK;
}

static int cannot_write(const struct options *options) {
  return fail(fail_code(errno), "-o %s: %s", options->output, strerror(errno));
}

static void say(const struct options *options, const struct merge *merge) {
  printf("%s: %zu run%s, %zu kind%s of machine, %zu samples\n", options->output,
         merge->runs, merge->runs == 1 ? "" : "s", merge->machine_count,
         merge->machine_count == 1 ? "" : "s", merge->sample_count);
}

static int merge_to(const struct options *options,
                    struct trace_output *output) {
  struct merge merge = {.out = output->file.stream,
                        .paths = options->paths,
                        .count = options->count};
  int code = VAT_OK;
  if (!merge.out)
    code = no_file(options); /* by now */
  else if (merge_files(&merge))
    code = merge.unwritten ? cannot_write(options)
                           : fail(fail_code(errno), "%s", merge.error);
  else if (trace_output_commit(output))
    code = cannot_write(options);
  if (!code) say(options, &merge);
  if (!code && !sweeps_complete(&merge.sweeps, options->output))
    code = VAT_FAILED;
  merge_fini(&merge);
  return code;
}

static int run(int argc, char **argv) {
  static const struct argp argp = {
      .options = option_table,
      .parser = parse,
      .args_doc = "RESULTS...",
      .doc =
          "Merge results files, of the shards of a sweep or of several "
          "machines, into one that vat report reads.\v"
          "Every record is kept as it is, and each machine's samples stay "
          "behind its record.  A sample that is there twice, of one kind of "
          "machine, is refused, and so is a file of another schema.  Shards "
          "or samples that a sweep still lacks are told, with exit status 1: "
          "what there is is written all the same."};
  struct options options = {.paths = calloc((size_t)argc, sizeof(char *))};
  struct trace_output output;
  if (!options.paths) return fail(VAT_ABSENT, "out of memory");
  int code = command_parse(&argp, argc, argv, &options);
  if (!code) code = check(&options);
  if (!code) {
    code = trace_output_begin(&output, options.output)
               ? cannot_write(&options)
               : merge_to(&options, &output);
    trace_output_fini(&output);
  }
  free(options.paths);
  return code;
}

const struct command cmd_merge = {
    .name = "merge",
    .summary = "one results file from those of shards and machines",
    .run = run,
};
