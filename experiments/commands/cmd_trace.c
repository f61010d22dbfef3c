/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat trace: make address traces, from traces of other formats or by running an
 * algorithm. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/out_file.h"
#include "experiments/cli/progress.h"
#include "experiments/commands/commands.h"
#include "experiments/stream/stream.h"
#include "vat/trace.h"

struct options {
  const char *from, *from_format; /* NULL: find out */
  const struct vat_trace_format *to;
  const char *output;
  bool instructions; /* keep fetches where the format cannot mark them */
  struct stream stream;
};

static int find_format(void *at, const char *option, const char *name) {
  const struct vat_trace_format *format = vat_trace_format_find(name);
  *(const struct vat_trace_format **)at = format;
  if (format && format->encoder) return VAT_OK;
  return fail(VAT_USAGE,
              "--%s %s: not a format that vat writes; see `vat list formats`",
              option, name);
}

#define AT(member) OPTION_AT(struct options, member)

static const struct option_row option_rows[] = {
    {.help = "The trace"},
    {"from", "TRACE", OPTION_TEXT, AT(from), .conflicts = "algo",
     .help = "read this trace; - is standard input"},
    {"from-format", "FORMAT", OPTION_TEXT, AT(from_format), .conflicts = "algo",
     .help = "format of TRACE (default: detected from its first bytes)"},
    {"format", "vat|lackey|text", OPTION_OWN, AT(to), .set = find_format,
     .usual = "vat", .help = "format to write"},
    {"output", "FILE", OPTION_FILE, AT(output), .letter = 'o', .usual = "-",
     .help = "where to write; - is standard output"},
    {"instr", NULL, OPTION_FLAG, AT(instructions), .conflicts = "algo",
     .help = "keep instruction fetches in the text formats, where they become "
             "loads"},
    {.rows = stream_rows, AT(stream)},
    {0}};

const struct option_table trace_table = {
    .rows = option_rows,
    .usage = "--from TRACE\n--algo ALGO --n N",
    .examples =
        "  vat trace --algo heapsort --n 2^14 --format lackey -o "
        "heapsort.lackey\n"
        "  vat trace --from ls.lackey --format vat -o ls.vat\n",
    .too_many = "unexpected argument; name the trace with --from",
    .doc =
        "Convert a trace, or record the accesses of an algorithm. `vat list "
        "formats` lists the formats; .gz and .zst are unpacked. FILE appears "
        "when it is complete.",
};

enum { BLOCK = 4096 };

struct conversion {
  const struct options *options;
  const char *name; /* of the output */
  struct vat_trace *from;
  struct vat_trace_writer *to;
  struct progress progress;
  struct stream_progress came; /* of an algorithm */
  uint64_t written, left_out;
  uint64_t addresses[BLOCK];
  uint32_t sizes[BLOCK];
  uint8_t kinds[BLOCK];
  char error[VAT_TRACE_ERROR_SIZE];
};

/* Of what libvat refused. */
static int failed(struct conversion *c) {
  return errno == ENOSPC ? fail_write(c->name)
                         : fail(fail_code(errno), "%s", c->error);
}

static int copy(struct conversion *c) {
  const struct vat_accesses block = {c->addresses, c->sizes, c->kinds};
  bool fetches = c->options->to->tells_kinds || c->options->instructions;
  ssize_t got;
  while ((got = vat_trace_read(c->from, &block, BLOCK, c->error)) > 0) {
    size_t count =
        fetches ? (size_t)got : stream_without_fetches(&block, (size_t)got);
    c->left_out += (size_t)got - count;
    if (vat_trace_writer_write(c->to, &block, count, c->error))
      return failed(c);
    c->written += count;
    progress_draw_part(&c->progress, vat_trace_progress(c->from),
                       c->progress.start_s, c->options->from);
  }
  if (got < 0) return failed(c);
  if (c->written || !c->left_out) return VAT_OK;
  return fail(
      VAT_USAGE,
      "%s: the trace has only instruction fetches; keep them with --instr",
      c->options->from);
}

static int conversion_write_block(void *arg, size_t count, uint64_t accesses) {
  struct conversion *c = arg;
  const struct vat_accesses block = {c->addresses, c->sizes, c->kinds};
  if (vat_trace_writer_write(c->to, &block, count, c->error)) return failed(c);
  stream_progress_add(&c->came, accesses);
  return VAT_OK;
}

static int record(struct conversion *c) {
  const struct stream_sink sink = {.block = {c->addresses, c->sizes, c->kinds},
                                   .capacity = BLOCK,
                                   .take = conversion_write_block,
                                   .arg = c};
  stream_progress_init(&c->came, &c->progress, &c->options->stream);
  return stream_run(&c->options->stream, &sink);
}

static int convert(struct conversion *c, struct out_file *output) {
  const struct options *options = c->options;
  const char *name = c->name =
      strcmp(options->output, "-") ? options->output : "standard output";
  if (options->from) {
    c->from = vat_trace_open(options->from, options->from_format, c->error);
    if (!c->from) return failed(c);
  }
  if (out_file_open(output, options->output)) return fail_write(name);
  c->to = vat_trace_writer_create(fileno(output->stream), name,
                                  options->to->name, c->error);
  if (!c->to) return fail(VAT_ABSENT, "%s", c->error);
  int code = c->from ? copy(c) : record(c);
  if (!code && vat_trace_writer_finish(c->to, c->error)) code = failed(c);
  progress_clear(&c->progress);
  if (code) return code;
  if (out_file_commit(output)) return fail_write(name);
  if (c->left_out)
    fprintf(stderr,
            "vat: %llu instruction fetches left out: format %s cannot mark "
            "them; --instr keeps them as loads\n",
            (unsigned long long)c->left_out, options->to->name);
  return VAT_OK;
}

static int check(const struct options *options) {
  int code = stream_check(&options->stream);
  if (code) return code;
  if (!options->from && !options->stream.algo)
    return fail(VAT_USAGE,
                "no input; name a trace with --from TRACE, or an algorithm "
                "with --algo");
  if (!strcmp(options->output, "-") && options->to->binary &&
      isatty(STDOUT_FILENO))
    return fail(
        VAT_USAGE,
        "a %s trace is binary and not for a terminal; name a file with -o",
        options->to->name);
  return VAT_OK;
}

int cmd_trace(int argc, char **argv) {
  struct options options = {0};
  struct out_file output = {.dir = -1};
  int code = options_parse(&trace_table, argc, argv, &options);
  if (!code) code = check(&options);
  if (code) return code;
  struct conversion *conversion = memory_zeroed(1, sizeof *conversion);
  conversion->options = &options;
  progress_init(&conversion->progress);
  code = convert(conversion, &output);
  out_file_end(&output);
  vat_trace_writer_destroy(conversion->to);
  vat_trace_close(conversion->from);
  free(conversion);
  return code;
}
