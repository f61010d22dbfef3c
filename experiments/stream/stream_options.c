/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/sizes.h"
#include "experiments/cli/whole_number.h"
#include "experiments/data/data_options.h"
#include "experiments/device/device.h"
#include "experiments/stream/stream.h"

enum { KEY_ALGO = 512, KEY_N, KEY_SEED, KEY_GENERATOR, KEY_BASE };

#define BASE (UINT64_C(1) << 32)

static const struct argp_option option_table[] = {
    {0, 0, NULL, 0, "The address stream of an algorithm", 2},
    {"algo", KEY_ALGO, "ALGO", 0, "this one's; see `vat list algos`", 0},
    {"n", KEY_N, "N", 0, "on an input of this size", 0},
    {"seed", KEY_SEED, "S", 0,
     "and of this seed, decimal or 0x... (default: 1)", 0},
    {"generator", KEY_GENERATOR, "GENERATOR", 0,
     "of this kind; see `vat list generators`", 0},
    {"base", KEY_BASE, "ADDR", 0,
     "its workspace begins at this address (default: 0x100000000)", 0},
    {0}};

static uint64_t size_of(const char *text) {
  uint64_t size = 0;
  if (!size_parse(text, &size)) return size;
  exit(fail(VAT_USAGE,
            errno == ERANGE ? "--n %s: too large"
                            : "--n %s: not a size such as 65536, 2^20, 1e6, 4M",
            text));
}

static uint64_t number(const char *option, const char *text) {
  uint64_t value;
  if (whole_number_parse(text, &value))
    exit(fail(VAT_USAGE, "--%s %s: not a number of 64 bits without a sign",
              option, text));
  return value;
}

static _Noreturn void fail_without_stream(const char *algo) {
  char names[DEVICE_NAMES];
  if (*device_names(algo, names))
    exit(fail(VAT_USAGE,
              "--algo %s: is of GPUs; what runs on cpu has an address stream, "
              "see `vat list algos`",
              algo));
  exit(fail(VAT_USAGE, "--algo %s: no such algorithm; see `vat list algos`",
            algo));
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct stream *stream = state->input;
  switch (key) {
    case ARGP_KEY_INIT:
      *stream = (struct stream){.seed = 1, .base = BASE};
      return 0;
    case KEY_ALGO:
      stream->algo = cpu_algo_find(value);
      if (stream->algo) return 0;
      fail_without_stream(value);
    case KEY_N:
      stream->n = size_of(value);
      stream->sized = true;
      return 0;
    case KEY_SEED:
      stream->seed = number("seed", value);
      stream->seeded = true;
      return 0;
    case KEY_GENERATOR:
      stream->generator = value;
      return 0;
    case KEY_BASE:
      stream->base = number("base", value);
      stream->based = true;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

const struct argp stream_argp = {.options = option_table, .parser = parse};

int stream_check(const struct stream *stream) {
  if (!stream->algo &&
      (stream->sized || stream->seeded || stream->based || stream->generator))
    return fail(VAT_USAGE, "--%s without --algo: of which algorithm?",
                stream->sized    ? "n"
                : stream->seeded ? "seed"
                : stream->based  ? "base"
                                 : "generator");
  if (!stream->algo) return VAT_OK;
  const char *name = stream->algo->name;
  if (!stream->sized)
    return fail(VAT_USAGE, "--algo %s: on what size? name it by --n", name);
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
