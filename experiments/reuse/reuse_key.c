/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "experiments/reuse/reuse_json.h"
#ifdef HAVE_STREAMS
#include "experiments/reuse/simulation_id.h"
#else
#define SIMULATION_ID "none"
#endif

/* Raise it when what is written means something else than before. */
enum { FORMAT = 3 };

static const char *generator_of(const struct stream *stream) {
  if (stream->generator) return stream->generator;
  return stream->algo->generators ? stream->algo->generators[0] : "";
}

static json_t *params_to_json(const struct reuse_params *params) {
  json_t *bits = json_array(), *tcs = json_array();
  for (unsigned i = 0; i < params->page_bits_count; i++)
    json_array_append_new(bits, json_integer(params->page_bits[i]));
  for (unsigned i = 0; i < params->tc_count; i++)
    json_array_append_new(tcs, json_pack("[iiI]", (int)params->tcs[i].page_bits,
                                         (int)params->tcs[i].levels,
                                         (json_int_t)params->tcs[i].nodes));
  return json_pack("{si si so so}", "window",
                   (int)(params->window ? params->window : REUSE_WINDOW),
                   "every", (int)params->every, "page_bits", bits, "tcs", tcs);
}

json_t *reuse_key_to_json(const struct stream *stream,
                          const struct reuse_params *params) {
  return json_pack("{si ss ss ss sI sI ss so}", "format", FORMAT, "vat",
                   PACKAGE_VERSION, "simulation", SIMULATION_ID, "algo",
                   stream->algo->name, "n", (json_int_t)stream->n, "seed",
                   (json_int_t)stream->seed, "generator", generator_of(stream),
                   "params", params_to_json(params));
}
