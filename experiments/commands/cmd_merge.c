/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat merge: the results of shards and of machines in one file. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "experiments/cli/out_file.h"
#include "experiments/cli/output_path.h"
#include "experiments/commands/commands.h"
#include "experiments/run/merge.h"

struct options {
  struct option_words paths;
  const char *output;
};

static const struct option_row option_rows[] = {
    {"output", "FILE", OPTION_FILE, OPTION_AT(struct options, output),
     .letter = 'o',
     .help = "write there; an existing file is replaced only if the merge "
             "succeeds"},
    {0}};

const struct option_table merge_table = {
    .rows = option_rows,
    .usage = "RESULTS...",
    .examples = "  vat merge shard-*.jsonl -o sweep.jsonl\n",
    .words = offsetof(struct options, paths),
    .words_most = SIZE_MAX,
    .doc =
        "Merge results files, of the shards of a sweep or of several machines, "
        "into one that vat report reads.\vvat copies every record unchanged, "
        "each machine's samples after its record.  It refuses a sample that "
        "appears twice for the same kind of machine, and a file of another "
        "schema.  If shards or samples of a sweep are missing, it reports "
        "them, writes the others all the same, and exits with status 1.",
};

static int no_file(const struct options *options) {
  return fail(VAT_USAGE, "-o %s: is not a regular file; name one",
              options->output);
}

static int check(const struct options *options) {
  struct stat file;
  if (!options->paths.count)
    return fail(
        VAT_USAGE,
        "nothing to merge; name results files that `vat run -o FILE` wrote");
  if (!options->output) return fail(VAT_USAGE, "no output file; give -o FILE");
  if (output_standard(options->output) >= 0)
    return fail(VAT_USAGE,
                "-o %s: results can only be read from files; name a file",
                options->output);
  if (!stat(options->output, &file) && !S_ISREG(file.st_mode))
    return no_file(options);
  for (size_t i = 0; i < options->paths.count; i++)
    if (output_path_same(options->paths.at[i], options->output))
      return fail(VAT_USAGE,
                  "-o %s: is one of the files to merge; name another",
                  options->output);
  return VAT_OK;
}

static int cannot_write(const struct options *options) {
  return fail(fail_code(errno), "-o %s: %s", options->output, strerror(errno));
}

static int merge_to(const struct options *options, struct out_file *output) {
  struct merge merge = {.out = output->stream,
                        .paths = (const char **)options->paths.at,
                        .count = options->paths.count};
  int code = VAT_OK;
  if (output->in_place)
    code = no_file(options); /* by now */
  else if (merge_files(&merge))
    code = merge.unwritten ? cannot_write(options)
                           : fail(fail_code(errno), "%s", merge.error);
  else if (out_file_commit(output))
    code = cannot_write(options);
  if (!code)
    printf("%s: %zu run%s, %zu kind%s of machine, %zu samples\n",
           options->output, merge.runs, merge.runs == 1 ? "" : "s",
           merge.machine_count, merge.machine_count == 1 ? "" : "s",
           merge.sample_count);
  if (!code && !merge_is_complete(&merge, options->output)) code = VAT_FAILED;
  merge_fini(&merge);
  return code;
}

int cmd_merge(int argc, char **argv) {
  struct options options = {0};
  struct out_file output;
  int code = options_parse(&merge_table, argc, argv, &options);
  if (!code) code = check(&options);
  if (!code) {
    code = out_file_open(&output, options.output) ? cannot_write(&options)
                                                  : merge_to(&options, &output);
    out_file_end(&output);
  }
  return code;
}
