/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "experiments/cli/command.h"
#include "experiments/data/data_options.h"
#include "experiments/device/device.h"
#include "experiments/stream/stream.h"

static int find_algo(void *at, const char *option, const char *name) {
  char names[NAMES_SIZE];
  const struct algo *algo = cpu_algo_find(name);
  *(const struct algo **)at = algo;
  if (algo) return VAT_OK;
  if (*device_names(name, names))
    return fail(VAT_USAGE,
                "--%s %s: is of GPUs; what runs on cpu has an address stream, "
                "see `vat list algos`",
                option, name);
  return fail(VAT_USAGE, "--%s %s: no such algorithm; see `vat list algos`",
              option, name);
}

#define OF_ALGO .needs = "algo", .because = "of which algorithm?"

const struct option_row stream_rows[] = {
    {.help = "The address stream of an algorithm"},
    {"algo", "ALGO", OPTION_OWN, OPTION_AT(struct stream, algo),
     .set = find_algo, .needs = "n", .because = "on what size? name it by --n",
     .help = "this one's; see `vat list algos`"},
    {"n", "N", OPTION_SIZE, OPTION_AT(struct stream, n), OF_ALGO,
     .help = "on an input of this size"},
    {"seed", "S", OPTION_WHOLE, OPTION_AT(struct stream, seed), OF_ALGO,
     .usual = "1", .help = "and of this seed, decimal or 0x..."},
    {"generator", "GENERATOR", OPTION_TEXT, OPTION_AT(struct stream, generator),
     OF_ALGO, .help = "of this kind; see `vat list generators`"},
    {"base", "ADDR", OPTION_WHOLE, OPTION_AT(struct stream, base), OF_ALGO,
     .usual = "0x100000000", .help = "its workspace begins at this address"},
    {0}};

int stream_check(const struct stream *stream) {
  if (!stream->algo) return VAT_OK;
  const char *name = stream->algo->name;
  if (stream->generator &&
      data_check_generator(stream->algo, stream->generator))
    return VAT_USAGE;
  size_t bytes = stream->algo->bytes(stream->n);
  if (!bytes)
    return fail(VAT_USAGE, "--n %" PRIu64 ": too large for %s", stream->n,
                name);
  if (bytes - 1 > UINT64_MAX - stream->base)
    return fail(VAT_USAGE,
                "--base 0x%" PRIx64
                ": the workspace would end above 2^64; a lower one",
                stream->base);
  return VAT_OK;
}
